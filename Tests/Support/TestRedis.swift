package import EventLoops
import Glibc
package import Models
package import Redis
import Synchronization

/// The Redis of a suite: the one of the run, whose keys other suites do not touch because users differ, or a server of
/// the test's own, which it may stop, flush and kill.
package final class TestRedis: Sendable {
    /// Where it listens.
    package let port: UInt16
    /// How services reach it.
    package var url: String { "redis://127.0.0.1:\(port)" }
    private let folder: TestFolder?
    private let options: [String]
    /// The configuration of a sentinel; nil for a server that keeps keys.
    private let sentinelFile: String?
    private let process = Mutex<ChildProcess?>(nil)
    private let loop: EventLoop

    /// The Redis of the run.
    package static func shared(on loop: EventLoop) throws -> TestRedis {
        TestRedis(port: try TestRun.redisPort(), folder: nil, options: [], loop: loop)
    }

    /// A server of the test's own.
    ///
    /// - Parameter options: as on the server's command line, made anew for each try.
    package static func own(on loop: EventLoop, options: () throws -> [String] = { [] }) async throws -> TestRedis {
        try await started { () throws in
            TestRedis(
                port: try FreePort.likely(), folder: try TestFolder(), options: try options(), loop: loop)
        }
    }

    /// Somebody else may take a port before its server does, hence several tries.
    private static func started(_ make: () throws -> TestRedis) async throws -> TestRedis {
        for _ in 0..<4 {
            let redis = try make()
            do {
                try await redis.start()
                return redis
            } catch is EndedAtOnce {}
        }
        let redis = try make()
        try await redis.start()
        return redis
    }

    /// A server that could not begin to serve.
    private struct EndedAtOnce: Error, CustomStringConvertible {
        let description: String
    }

    /// A server of the test's own, for tests without a loop; the one that it uses lives as long as the tests.
    package static func own() async throws -> TestRedis { try await own(on: loopOfServers.get()) }

    private static let loopOfServers = Result { try EventLoop.start(name: "servers") }

    /// A sentinel of the test's own, which watches nobody yet.
    package static func sentinel(on loop: EventLoop) async throws -> TestRedis {
        try await started { () throws in
            let folder = try TestFolder()
            // A sentinel writes into its configuration what it learns.
            try folder.write("sentinel.conf", "")
            return TestRedis(
                port: try FreePort.likely(), folder: folder, options: [], sentinelFile: "\(folder.path)/sentinel.conf",
                loop: loop)
        }
    }

    private init(port: UInt16, folder: TestFolder?, options: [String], sentinelFile: String? = nil, loop: EventLoop) {
        self.port = port
        self.folder = folder
        self.options = options
        self.sentinelFile = sentinelFile
        self.loop = loop
    }

    /// Starts the own server again, with what the last SAVE has left or empty, and waits until it answers.
    package func start() async throws {
        guard let folder else { return }
        var words = ["--port", "\(port)", "--bind", "127.0.0.1", "--dir", folder.path]
        if let sentinelFile {
            words = [sentinelFile, "--sentinel"] + words
        } else {
            words += ["--save", "", "--appendonly", "no"]
        }
        let child = try ChildProcess("redis-server", words + options, log: folder.path + "/redis.log")
        process.withLock { $0 = child }
        try await eventually("Redis answers") {
            if child.ending != nil { throw EndedAtOnce(description: "Redis ended at its start: \(child.log)") }
            return (try? await self.send("PING"))?.text == "PONG"
        }
    }

    /// Takes the last snapshot away.
    package func forget() { if let folder { unlink(folder.path + "/dump.rdb") } }

    /// Kills the own server.
    package func kill() { process.withLock { $0 }?.kill() }

    /// Signals the own server.
    package func signal(_ number: Int32) { process.withLock { $0 }?.signal(number) }

    /// Ends the own server for good.
    package func end() {
        process.withLock { process in
            process?.signal(SIGCONT)
            process?.kill()
            process = nil
        }
    }

    /// Sends one command on a connection of its own.
    @discardableResult
    package func send(_ words: String...) async throws -> RESPValue { try await send(words) }

    /// Sends one command on a connection of its own.
    @discardableResult
    package func send(_ words: [String]) async throws -> RESPValue {
        var command = RedisCommand(words.first ?? "PING")
        for word in words.dropFirst() { command.append(word) }
        return try await withClient { [command] client in try await client.send(command) }
    }

    /// Lends a client of its own.
    package func withClient<Value: Sendable>(
        scripts: [RedisScript] = [], _ body: @escaping @Sendable (RedisClient) async throws -> Value
    ) async throws -> Value {
        var configuration = RedisConfiguration(host: "127.0.0.1", port: port)
        configuration.connectTimeout = .seconds(10)
        configuration.commandTimeout = .seconds(10)
        configuration.stallTimeout = .seconds(10)
        let (settings, loop) = (configuration, loop)
        return try await loop.run {
            let client = RedisClient(configuration: settings, scripts: scripts, loop: loop)
            client.start()
            defer { client.close() }
            try await client.waitUntilReady(timeout: .seconds(10))
            return try await body(client)
        }
    }
}

extension TestRedis {
    /// Has a replica hear nothing any more, without a word to those who watch it.
    package func stopFollowing(_ master: TestRedis) async throws {
        // It goes on trying, with a password that nobody has asked for.
        try await send("CONFIG", "SET", "masterauth", "wrong")
        try await master.send("CLIENT", "KILL", "TYPE", "replica")
        try await eventually("the replica hears nothing") {
            try await send("INFO", "replication").text?.contains("master_link_status:down") == true
        }
    }

    /// The name of the hash that holds a user's days, as documented.
    package static func daysKey(of user: UserID) -> String { "stride:{\(user)}:home" }

    /// A user's days as Redis shows them.
    package func revisedDays(of user: UserID) async throws -> [String: RevisedDay] {
        let fields = try await send("HGETALL", Self.daysKey(of: user)).elements ?? []
        var days: [String: RevisedDay] = [:]
        for index in stride(from: 0, to: fields.count - 1, by: 2) {
            let numbers = (fields[index + 1].text ?? "").split(separator: ":").compactMap { Int($0) }
            guard let day = fields[index].text, numbers.count == 4 else { continue }
            days[day] = RevisedDay(figures: DayFigures(numbers[1], numbers[2], numbers[3]), revision: numbers[0])
        }
        return days
    }
}
