import Glibc
import Synchronization

/// A PostgreSQL of one test, which may stop, kill, copy and promote it; its role `stride` needs no password.
package final class TestPostgres: Sendable {
    /// Where it listens.
    package let port: UInt16
    let folder: TestFolder
    let process = Mutex<ChildProcess?>(nil)

    static let binaries = "/usr/lib/postgresql/15/bin"
    var data: String { folder.path + "/data" }
    var log: String { folder.path + "/log" }

    /// How services reach a port that leads to it, by default its own.
    package func url(through other: UInt16? = nil) -> String {
        "postgresql://stride@127.0.0.1:\(other ?? port)/postgres"
    }

    /// How services reach whichever of this server and its standby accepts writes.
    package func url(or standby: TestPostgres) -> String {
        "postgresql://stride@127.0.0.1:\(port),127.0.0.1:\(standby.port)/postgres?target_session_attrs=read-write"
    }

    /// PostgreSQL refuses to run as root, so root lends it another account.
    static var account: [String] {
        getuid() == 0 ? ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"] : []
    }

    init(port: UInt16? = nil) throws {
        self.port = try port ?? FreePort.likely()
        folder = try TestFolder()
        mkdir(folder.path + "/data", 0o700)
    }

    /// A new server without anything in it.
    package static func start() async throws -> TestPostgres {
        let server = try TestPostgres()
        try await server.ownData()
        try await server.run(
            "initdb", "-D", server.data, "-U", "stride", "-A", "trust", "--no-sync", "--locale=C.UTF-8",
            "--encoding=UTF8")
        try await server.start()
        return server
    }

    /// A standby that follows this server by asynchronous streaming.
    ///
    /// - Parameter port: where it listens, such as the port of a server that is gone; nil for a free one.
    package func startStandby(at port: UInt16? = nil) async throws -> TestPostgres {
        let standby = try TestPostgres(port: port)
        try await standby.ownData()
        try await standby.run(
            "pg_basebackup", "-h", "127.0.0.1", "-p", "\(self.port)", "-U", "stride", "-D", standby.data, "-R", "-X",
            "stream",
            "-c", "fast", "--no-sync")
        try await standby.start()
        return standby
    }

    /// Lets no COMMIT be answered before a standby has it, and waits until one follows closely enough for that.
    package func waitForStandbyAtCommit() async throws {
        try await sql("alter system set synchronous_standby_names = '*'")
        try await sql("select pg_reload_conf()")
        try await eventually("a standby is synchronous") {
            try await self.sql("select count(*) from pg_stat_replication where sync_state = 'sync'") == "1"
        }
    }

    /// Starts it again, and waits until it answers.
    package func start() async throws {
        let words =
            Self.account + [
                "\(Self.binaries)/postgres", "-D", data, "-p", "\(port)", "-h", "127.0.0.1", "-k", "", "-F", "-c",
                "shared_buffers=16MB",
            ]
        let child = try ChildProcess("env", ["-C", "/"] + words, log: log)
        process.withLock { $0 = child }
        try await eventually("PostgreSQL answers (\(log))") {
            if child.ending != nil { throw Late("PostgreSQL ended at its start: \(child.log)") }
            return try await self.ends("pg_isready", "-q", "-h", "127.0.0.1", "-p", "\(self.port)")
        }
    }

    /// Stops it; whoever is connected loses its session.
    package func stop() async throws {
        guard let child = process.withLock({ $0 }) else { return }
        child.signal(SIGINT)
        _ = try await child.wait(within: .seconds(60))
    }

    /// Ends it as a power cut would: its sessions notice that it is gone and end too.
    package func kill() { process.withLock { $0 }?.kill() }

    /// Signals the server and every process of it, the server first.
    package func signalAll(_ number: Int32) {
        guard let parent = process.withLock({ $0?.id }), parent > 0 else { return }
        let children = Self.children(of: parent)
        for id in [parent] + children { _ = Glibc.kill(id, number) }
    }

    /// Ends the server and every process of it at the same moment.
    package func killAll() {
        signalAll(SIGKILL)
        kill()
    }

    static func children(of parent: Int32) -> [Int32] {
        guard let file = fopen("/proc/\(parent)/task/\(parent)/children", "r") else { return [] }
        defer { fclose(file) }
        var children: [Int32] = []
        var line = [CChar](repeating: 0, count: 16_384)
        while fgets(&line, Int32(line.count), file) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            children += text.split(whereSeparator: \.isWhitespace).compactMap { Int32($0) }
        }
        return children
    }

    /// Makes a standby stop following, for good: what the primary writes from now on does not reach it.
    package func stopFollowing() async throws {
        try await sql("alter system set primary_conninfo = ''")
        try await sql("select pg_reload_conf()")
        try await eventually("the standby has stopped following") {
            try await self.sql("select count(*) from pg_stat_wal_receiver") == "0"
        }
    }

    /// Makes a standby a primary of a history of its own.
    package func promote() async throws {
        try await sql("select pg_promote(true, 60)")
        try await eventually("the standby is promoted") { try await self.sql("select pg_is_in_recovery()") == "f" }
    }

    /// Runs one statement in a database and answers its only value.
    @discardableResult
    package func sql(_ statement: String, in database: String = "postgres") async throws -> String {
        let output = "\(folder.path)/answer-\(UInt64.random(in: 0 ... .max))"
        let child = try ChildProcess(
            "\(Self.binaries)/psql",
            [
                "-X", "-A", "-t", "-q", "-h", "127.0.0.1", "-p", "\(port)", "-U", "stride", "-d", database, "-c",
                statement,
            ],
            log: output)
        let ending = try await child.wait(within: .seconds(60))
        let text = child.log
        guard ending == .exited(0) else { throw Late("\(statement): \(text)") }
        return text.split(separator: "\n").first.map(String.init) ?? ""
    }

    private func ownData() async throws { try await own(data) }

    /// Gives a folder to the server's account.
    func own(_ folder: String) async throws {
        guard getuid() == 0 else { return }
        let child = try ChildProcess("chown", ["nobody:nogroup", folder], log: log)
        guard try await child.wait(within: .seconds(20)) == .exited(0) else { throw Late("chown: \(child.log)") }
    }

    private func run(_ words: String...) async throws {
        guard try await ends(words) else { throw Late("\(words) failed (log: \(log))") }
    }

    func ends(_ words: String...) async throws -> Bool { try await ends(words) }

    private func ends(_ words: [String]) async throws -> Bool {
        let command = Self.account + ["\(Self.binaries)/\(words[0])"] + words.dropFirst()
        let child = try ChildProcess("env", ["-C", "/"] + command, log: log)
        return try await child.wait(within: .seconds(120)) == .exited(0)
    }

    deinit {
        // Its children end with it and must not write into a folder that is being removed.
        process.withLock { $0 }?.signal(SIGQUIT)
        for _ in 0..<200 where process.withLock({ $0 })?.ending == nil { usleep(20_000) }
    }
}
