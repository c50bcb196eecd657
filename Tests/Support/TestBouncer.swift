import Glibc

/// A pgbouncer of one test that lends the sessions of a PostgreSQL for the time of a transaction.
package final class TestBouncer: Sendable {
    /// Where it listens.
    package let port: UInt16
    /// How many sessions it has with one database.
    package static let sessions = 3
    private let folder: TestFolder
    private let process: ChildProcess

    /// The settings of services that reach a database of that server through it.
    package func settings(_ database: TestDatabase) -> [String: String] {
        [
            "STRIDE_POSTGRES_URL": "postgresql://stride@127.0.0.1:\(port)/\(database.name)",
            "STRIDE_POSTGRES_POOLER": "transaction",
        ]
    }

    /// Starts one and waits until it leads to the server.
    package static func start(to server: TestPostgres) async throws -> TestBouncer {
        let bouncer = try TestBouncer(to: server)
        try await eventually("pgbouncer answers (\(bouncer.process.logPath))") {
            if bouncer.process.ending != nil { throw Late("pgbouncer ended at its start: \(bouncer.process.log)") }
            let probe = try ChildProcess(
                "/usr/lib/postgresql/15/bin/pg_isready", ["-q", "-h", "127.0.0.1", "-p", "\(bouncer.port)"],
                log: bouncer.folder.path + "/probe")
            return try await probe.wait(within: .seconds(60)) == .exited(0)
        }
        return bouncer
    }

    private init(to server: TestPostgres) throws {
        port = try FreePort.likely()
        folder = try TestFolder()
        try folder.write("users", "\"stride\" \"\"\n")
        try folder.write(
            "pgbouncer.ini",
            """
            [databases]
            * = host=127.0.0.1 port=\(server.port)
            [pgbouncer]
            listen_addr = 127.0.0.1
            listen_port = \(port)
            unix_socket_dir =
            auth_type = trust
            auth_file = \(folder.path)/users
            pool_mode = transaction
            default_pool_size = \(Self.sessions)
            server_login_retry = 1
            """)
        let words = TestPostgres.account + ["pgbouncer", "\(folder.path)/pgbouncer.ini"]
        process = try ChildProcess("env", ["PATH=/usr/sbin:/usr/bin:/bin"] + words, log: folder.path + "/log")
    }

    deinit { process.kill() }
}
