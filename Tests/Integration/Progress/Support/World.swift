import Cryptography
import EventLoops
import Glibc
import Models
import Postgres
import Redis
import ServiceKit
import StrideTestSupport
import Telemetry
import Testing

@testable import ProgressService
@testable import Storage

/// One test's world: a database and a running progress in this process, reached over a socket.
///
/// Confined to its loop, on which the test's body runs; hence `@unchecked Sendable`.
final class World: @unchecked Sendable {
    let loop: EventLoop
    let database: PostgresConfiguration
    /// Looks and writes, as ingest and plan do.
    var connection: PostgresConnection
    let redis: RedisClient
    let zones = ZoneCatalogue()
    let store: WorkoutStore
    let now: Timestamp
    var ids = SeededIDs()
    private(set) var service: Service<ProgressLoop>?
    private let registry = MetricRegistry()
    private let signer: TokenSigner
    private let folder: TestFolder
    private let number = UInt64.random(in: 0 ... .max)

    static let policy = TokenPolicy(issuer: "https://issuer.test", audience: "stride")
    /// Wednesday, 2 December 2026, noon in UTC.
    static let now: Int64 = 1_796_212_800_000

    /// What a world is made of, where it differs from the usual.
    struct Options: Sendable {
        /// The moment at which the service believes to live.
        var now = World.now
        /// Of the run, unless the test has one of its own.
        var redisURL: String?
        /// A database on the run's server, unless the test has a server of its own.
        var postgresURL: String?
        var settings: [String: String] = [:]
        var tune: @Sendable (inout ProgressConfiguration) -> Void = { _ in }
    }

    /// Makes a world, lends it and takes it apart, whatever happens.
    static func run(
        _ options: Options = Options(), _ body: @escaping @Sendable (World) async throws -> Void
    ) async throws {
        let loop = try EventLoop.start(name: "progress-test")
        let result = await Task {
            try await loop.run {
                guard let url = options.postgresURL else {
                    return try await withDatabase(on: loop) { try await run(options, url: $0, on: loop, body) }
                }
                try await run(options, url: url, on: loop, body)
            }
        }.result
        await loop.stop()
        try result.get()
    }

    private static func run(
        _ options: Options, url: String, on loop: EventLoop, _ body: @Sendable (World) async throws -> Void
    ) async throws {
        let world = try await World(options, url: url, on: loop)
        do {
            try await world.start(options, url: url)
            try await body(world)
        } catch {
            await world.end()
            throw error
        }
        await world.end()
    }

    private init(_ options: Options, url: String, on loop: EventLoop) async throws {
        self.loop = loop
        now = Timestamp(milliseconds: options.now)
        database = try PostgresConfiguration(url: url, applicationName: "stride-tests")
        connection = try await Self.connect(database, loop)
        _ = try await Migrator.migrate(connection)
        let redisURL = try options.redisURL ?? setting("STRIDE_TEST_REDIS_URL")
        var configuration = try RedisConfiguration(url: redisURL)
        configuration.commandTimeout = .seconds(20)
        configuration.stallTimeout = .seconds(20)
        redis = RedisClient(configuration: configuration, scripts: HomeCache.scripts, loop: loop)
        redis.start()
        try await redis.waitUntilReady(timeout: .seconds(20))
        let (zones, folder) = (zones, try TestFolder())
        store = WorkoutStore(timeout: .seconds(20)) { zones.clock(of: $0) }
        let secret = "a secret of one test, long enough to be one"
        try folder.write("secret", secret)
        self.folder = folder
        let key = try #require(TokenKey(secret: Secret(secret)))
        signer = try #require(TokenSigner(key: key, policy: Self.policy))
        self.redisURL = redisURL
    }

    private let redisURL: String

    private func start(_ options: Options, url: String) async throws {
        let environment = [
            "STRIDE_POSTGRES_URL": url, "STRIDE_REDIS_URL": redisURL,
            "STRIDE_TOKEN_SECRET_FILE": folder.path + "/secret",
            "STRIDE_TOKEN_ISSUER": Self.policy.issuer, "STRIDE_TOKEN_AUDIENCE": Self.policy.audience,
            "STRIDE_PROGRESS_PORT": "0", "STRIDE_PROGRESS_ADMIN_PORT": "0", "STRIDE_LOOPS": "1",
            "STRIDE_TEST_NOW": String(options.now), "STRIDE_PROGRESS_FILLS": "2", "STRIDE_PROGRESS_CHECK_MS": "0",
            "STRIDE_DRAIN_MS": "2000", "STRIDE_PROGRESS_STATEMENT_MS": "30000",
        ]
        var settings = Settings(environment.merging(options.settings) { _, own in own })
        var configuration = try ProgressConfiguration(from: &settings)
        configuration.service.redis.commandTimeout = .seconds(20)
        configuration.service.redis.stallTimeout = .seconds(20)
        options.tune(&configuration)
        service = try await ProgressApplication.start(configuration, logger: .discarding, registry: registry)
        // From the first answer out of the cache on, the service knows both servers.
        try await eventually("the service reads the cache") {
            _ = try await get("/v1/progressSummary", as: "first-caller")
            return metric(#"stride_progress_cache_reads_total{result="hit"}"#) > 0
        }
    }

    private func end() async {
        await service?.drain()
        connection.close()
        redis.close()
    }

    static func connect(
        _ configuration: PostgresConfiguration, _ loop: EventLoop
    ) async throws -> PostgresConnection {
        let deadline = loop.now.advanced(by: .seconds(30))
        while true {
            do {
                return try await PostgresConnection.connect(configuration, loop: loop, timeout: .seconds(20))
            } catch {
                guard loop.now < deadline else { throw error }
                try await loop.sleep(for: .milliseconds(50))
            }
        }
    }

    private static func withDatabase(
        on loop: EventLoop, _ body: @Sendable (String) async throws -> Void
    ) async throws {
        let url = try setting("STRIDE_TEST_POSTGRES_URL")
        let slash = try #require(url.lastIndex(of: "/"))
        let name = "stride_progress_\(UInt64.random(in: 0 ... .max))"
        let admin = try PostgresConfiguration(url: url, applicationName: "stride-tests")
        func run(_ sql: String) async throws {
            let connection = try await connect(admin, loop)
            defer { connection.close() }
            _ = try await connection.query(.simple(sql), timeout: .seconds(60))
        }
        try await run("create database \(name)")
        do { try await body(url[...slash] + name) } catch {
            try await run("drop database \(name) with (force)")
            throw error
        }
        try await run("drop database \(name) with (force)")
    }

    /// The user of a name, whom no other world has: they may share a Redis.
    func user(_ name: String) throws -> UserID {
        try Principal.userID(issuer: Self.policy.issuer, subject: subject(name))
    }

    private func subject(_ name: String) -> String { "\(name)-\(number)" }

    /// Asks as a user; without a name, without a token.
    func get(
        _ target: String, as name: String?, headers: [String: String] = [:], method: String = "GET"
    ) async throws -> Answer {
        var call = HTTPCall(method, target, fields: headers.map { ($0.key, $0.value) })
        if let name {
            let token = try signer.sign(
                subject: subject(name), issuedAt: now, expiresAt: Timestamp(milliseconds: now.milliseconds + 3_600_000))
            call.fields.append(("Authorization", "Bearer \(token)"))
        }
        let line = try await HTTPLine.open(try #require(service?.address.port), on: loop)
        defer { line.close() }
        return try await line.exchange(call)
    }

    /// The value of a series in the Prometheus text; 0 when it was never touched.
    func metric(_ series: String) -> Double {
        let lines = String(decoding: registry.render(), as: UTF8.self).split(separator: "\n")
        return lines.first { $0.hasPrefix(series + " ") }
            .flatMap { Double($0.dropFirst(series.utf8.count + 1)) } ?? 0
    }

    /// Waits until the test's own connection to a Redis that was started again works.
    func waitForRedis() async throws {
        try await eventually("Redis answers") { (try? await redis.send(RedisCommand("PING")))?.text == "PONG" }
    }

    /// Waits until something holds: a bound against hanging, or the time that a point promises.
    func eventually(
        _ what: Comment, within patience: Duration = .seconds(30), _ holds: () async throws -> Bool
    ) async throws {
        let deadline = loop.now.advanced(by: patience)
        while try await !holds() {
            guard loop.now < deadline else { return _ = Issue.record("not within \(patience): \(what)") }
            try await loop.sleep(for: .milliseconds(20))
        }
    }
}

/// What the test command has set; a missing server fails the run.
func setting(_ name: String) throws -> String {
    try #require(getenv(name).map { String(cString: $0) }, "set \(name) to a test server")
}
