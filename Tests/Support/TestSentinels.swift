package import EventLoops
import Redis

/// A master, its replica, and three sentinels that watch them; two of them suffice for a failover.
package final class TestSentinels: Sendable {
    /// The master of the beginning.
    package let master: TestRedis
    /// Its replica.
    package let replica: TestRedis
    /// Those that watch.
    package let sentinels: [TestRedis]

    /// How services reach the master.
    package var url: String {
        "redis-sentinel://" + sentinels.map { "127.0.0.1:\($0.port)" }.joined(separator: ",") + "/steps/0"
    }

    /// Starts all five and waits until the sentinels know the replica and each other.
    package static func start(on loop: EventLoop, downAfter: Int = 1500) async throws -> TestSentinels {
        let quick = { ["--repl-diskless-sync-delay", "0"] }
        let master = try await TestRedis.own(on: loop, options: quick)
        let replica = try await TestRedis.own(on: loop, options: quick)
        try await replica.expectOK("REPLICAOF", "127.0.0.1", "\(master.port)")
        try await eventually("the replica follows", within: .seconds(60)) {
            try await replica.send("INFO", "replication").text?.contains("master_link_status:up") == true
        }
        var sentinels: [TestRedis] = []
        for _ in 0..<3 {
            let sentinel = try await TestRedis.sentinel(on: loop)
            try await sentinel.expectOK("SENTINEL", "MONITOR", "steps", "127.0.0.1", "\(master.port)", "2")
            try await sentinel.expectOK(
                "SENTINEL", "SET", "steps", "down-after-milliseconds", "\(downAfter)", "failover-timeout", "6000")
            sentinels.append(sentinel)
        }
        for sentinel in sentinels {
            try await eventually("the sentinels know everybody", within: .seconds(60)) {
                let facts = try await sentinel.send("SENTINEL", "MASTER", "steps").elements?.compactMap(\.text) ?? []
                return facts.value(of: "num-slaves") == "1" && facts.value(of: "num-other-sentinels") == "2"
            }
        }
        return TestSentinels(master: master, replica: replica, sentinels: sentinels)
    }

    private init(master: TestRedis, replica: TestRedis, sentinels: [TestRedis]) {
        self.master = master
        self.replica = replica
        self.sentinels = sentinels
    }

    /// Ends all servers for good.
    package func end() { for server in sentinels + [master, replica] { server.end() } }
}

extension [String] {
    fileprivate func value(of name: String) -> String? {
        guard let index = firstIndex(of: name), index + 1 < endIndex else { return nil }
        return self[index + 1]
    }
}
