package import EventLoops
package import Redis

/// A Redis Cluster of the test's own: three masters, and a replica of each if wanted.
package final class TestCluster: Sendable {
    /// The masters of the beginning, a third of the slots each, then their replicas in the same order.
    package let nodes: [TestRedis]
    private let loop: EventLoop

    /// How services reach it: by two of the masters.
    package var url: String { "redis-cluster://127.0.0.1:\(nodes[0].port),127.0.0.1:\(nodes[1].port)" }

    /// Starts a cluster and waits until every server sees it whole.
    ///
    /// - Parameter nodeTimeout: milliseconds without an answer after which a master counts as gone; a busy machine must
    ///   not reach it by itself unless there are replicas, and the test does not mind.
    package static func start(
        on loop: EventLoop, replicas: Bool = false, nodeTimeout: Int = 15_000
    ) async throws -> TestCluster {
        var nodes: [TestRedis] = []
        var buses: [UInt16] = []
        for _ in 0..<(replicas ? 6 : 3) {
            var bus: UInt16 = 0
            let node = try await TestRedis.own(on: loop) { () throws in
                bus = try FreePort.likely()
                return [
                    "--cluster-enabled", "yes", "--cluster-node-timeout", "\(nodeTimeout)", "--cluster-port", "\(bus)",
                    "--cluster-replica-validity-factor", "0", "--repl-diskless-sync-delay", "0",
                ]
            }
            nodes.append(node)
            buses.append(bus)
        }
        let cluster = TestCluster(nodes: nodes, loop: loop)
        try await cluster.join(buses, replicas: replicas)
        return cluster
    }

    private init(nodes: [TestRedis], loop: EventLoop) {
        self.nodes = nodes
        self.loop = loop
    }

    private func join(_ buses: [UInt16], replicas: Bool) async throws {
        for (index, bounds) in [(0, 5460), (5461, 10_922), (10_923, 16_383)].enumerated() {
            try await nodes[index].expectOK("CLUSTER", "ADDSLOTSRANGE", "\(bounds.0)", "\(bounds.1)")
        }
        for (index, node) in nodes.enumerated() {
            try await node.expectOK("CLUSTER", "SET-CONFIG-EPOCH", "\(index + 1)")
        }
        for (node, bus) in zip(nodes, buses).dropFirst() {
            try await nodes[0].expectOK("CLUSTER", "MEET", "127.0.0.1", "\(node.port)", "\(bus)")
        }
        try await expectWhole(knowing: nodes.count)
        guard replicas else { return }
        for (master, replica) in zip(nodes, nodes.dropFirst(3)) {
            try await replica.expectOK("CLUSTER", "REPLICATE", try await id(of: master))
        }
        for replica in nodes.dropFirst(3) {
            try await eventually("a replica follows", within: .seconds(60)) {
                try await replica.send("INFO", "replication").text?.contains("master_link_status:up") == true
            }
        }
    }

    /// Waits until every server that runs sees every slot served.
    package func expectWhole(knowing count: Int? = nil, among servers: [TestRedis]? = nil) async throws {
        for node in servers ?? nodes {
            try await eventually("the cluster is whole", within: .seconds(60)) {
                let info = try await node.send("CLUSTER", "INFO").text ?? ""
                let knows = count.map { info.contains("cluster_known_nodes:\($0)") } ?? true
                return info.contains("cluster_state:ok") && info.contains("cluster_slots_ok:16384") && knows
            }
        }
    }

    /// The name that a server has within the cluster.
    package func id(of node: TestRedis) async throws -> String { try await node.send("CLUSTER", "MYID").text ?? "" }

    /// Lends a client that knows the cluster.
    package func withClient<Value: Sendable>(
        scripts: [RedisScript] = [], _ change: (inout RedisConfiguration) -> Void = { _ in },
        _ body: @escaping @Sendable (RedisClient) async throws -> Value
    ) async throws -> Value {
        var configuration = try RedisConfiguration(url: url)
        configuration.connectTimeout = .seconds(10)
        configuration.commandTimeout = .seconds(10)
        configuration.stallTimeout = .seconds(10)
        change(&configuration)
        let (settings, loop) = (configuration, loop)
        return try await loop.run {
            let client = RedisClient(configuration: settings, scripts: scripts, loop: loop)
            client.start()
            defer { client.close() }
            try await client.waitUntilReady(timeout: .seconds(60))
            return try await body(client)
        }
    }

    /// Ends all servers for good.
    package func end() { for node in nodes { node.end() } }
}

extension TestCluster {
    /// Moves one slot with its keys, as operators do, and lets a test look at the time in between.
    ///
    /// - Parameter halfway: runs when the servers know of the move and before the first key has moved, and after every key.
    package func move(
        slot: Int, from source: TestRedis, to target: TestRedis, halfway: () async throws -> Void = {}
    ) async throws {
        let (sourceID, targetID) = (try await id(of: source), try await id(of: target))
        try await target.expectOK("CLUSTER", "SETSLOT", "\(slot)", "IMPORTING", sourceID)
        try await source.expectOK("CLUSTER", "SETSLOT", "\(slot)", "MIGRATING", targetID)
        try await halfway()
        while true {
            let keys = try await source.send("CLUSTER", "GETKEYSINSLOT", "\(slot)", "1").elements ?? []
            guard let key = keys.first?.text else { break }
            let answer = try await source.send("MIGRATE", "127.0.0.1", "\(target.port)", key, "0", "10000")
            guard answer.isOK || answer.text == "NOKEY" else { throw Refused(answer) }
            try await halfway()
        }
        try await target.expectOK("CLUSTER", "SETSLOT", "\(slot)", "NODE", targetID)
        try await source.expectOK("CLUSTER", "SETSLOT", "\(slot)", "NODE", targetID)
    }

    /// An answer that a test cannot go on with.
    package struct Refused: Error, CustomStringConvertible {
        /// What was answered.
        package let description: String
        init(_ value: RESPValue) { description = "\(value)" }
    }
}

extension TestRedis {
    /// Sends a command that must succeed.
    package func expectOK(_ words: String...) async throws {
        let answer = try await send(words)
        guard answer.isOK else { throw TestCluster.Refused(answer) }
    }
}
