import StrideTestSupport
import Synchronization

/// A primary and its synchronous standby on two ports, whichever of the two is which.
final class ServerPair: Sendable {
    /// The ports, which never change.
    let ports: [UInt16]
    private let servers: Mutex<[TestPostgres]>
    private let primaryPlace = Mutex(0)

    static func start() async throws -> ServerPair {
        let primary = try await TestPostgres.start()
        let standby = try await primary.startStandby()
        try await primary.waitForStandbyAtCommit()
        return ServerPair([primary, standby])
    }

    private init(_ servers: [TestPostgres]) {
        ports = servers.map(\.port)
        self.servers = Mutex(servers)
    }

    var primary: TestPostgres { servers.withLock { $0[primaryPlace.withLock { $0 }] } }
    var standby: TestPostgres { servers.withLock { $0[1 - primaryPlace.withLock { $0 }] } }

    /// How the run itself reaches whichever accepts writes.
    var url: String { url(ports, database: "postgres") }

    /// How someone reaches it through other ports.
    func url(_ ports: [UInt16], database: String) -> String {
        "postgresql://stride@" + ports.map { "127.0.0.1:\($0)" }.joined(separator: ",")
            + "/\(database)?target_session_attrs=read-write"
    }

    /// Kills the primary and promotes the standby; then a new standby takes the place of the dead server.
    func promote(after wait: Duration) async throws {
        let (old, new) = (primary, standby)
        old.killAll()
        try await Task.sleep(for: wait)
        try await new.promote()
        let place = primaryPlace.withLock { place in
            place = 1 - place
            return place
        }
        let follower = try await new.startStandby(at: old.port)
        servers.withLock { $0[1 - place] = follower }
        try await new.waitForStandbyAtCommit()
    }

    /// Kills the primary and starts it again.
    func restartPrimary(after wait: Duration) async throws {
        primary.killAll()
        try await Task.sleep(for: wait)
        try await primary.restart()
    }
}

extension TestPostgres {
    /// Starts it again; a process of its former life may still be leaving.
    func restart() async throws {
        for _ in 0..<20 {
            do { return try await start() } catch { try await Task.sleep(for: .milliseconds(300)) }
        }
        try await start()
    }
}
