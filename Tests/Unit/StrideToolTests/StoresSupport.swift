import EventLoops
import Glibc
import Models
import Postgres
import Redis
import Synchronization
import Testing

@testable import Storage
@testable import StrideTool

/// A database of one test on the run's server, the run's Redis, and people whom nobody else knows.
///
/// - Note: `@unchecked Sendable`: confined to the loop of its connections.
final class TestStores: @unchecked Sendable {
    let connection: PostgresConnection
    /// For whoever writes beside the comparison.
    let writer: PostgresConnection
    let redis: RedisClient
    /// The pair of servers of this run.
    let generation: String
    var cache: HomeCache {
        let generation = generation
        return HomeCache(redis: redis) { generation }
    }
    /// Ends a writer that works beside the comparison.
    var isDone = false
    let store = WorkoutStore(timeout: .seconds(20)) { $0 == "UTC" ? ZoneOffsets(fixed: 0) : nil }

    private init(
        connection: PostgresConnection, writer: PostgresConnection, redis: RedisClient, generation: String
    ) {
        self.generation = generation
        self.connection = connection
        self.writer = writer
        self.redis = redis
    }

    /// Lends the stores; a run without servers fails.
    static func lend(_ body: @escaping @Sendable (TestStores) async throws -> Void) async throws {
        let url = try setting("STRIDE_TEST_POSTGRES_URL")
        let redisURL = try setting("STRIDE_TEST_REDIS_URL")
        let name = "stride_tool_\(UInt64.random(in: 0 ... .max))"
        let slash = try #require(url.lastIndex(of: "/"))
        let admin = try PostgresConfiguration(url: url, applicationName: "stride-tests")
        let own = try PostgresConfiguration(url: url[...slash] + name, applicationName: "stride-tests")
        try await Stores.withPostgres(admin) { try await $0.run("create database \(name)") }
        let result = await Task {
            try await Stores.withPostgres(own) { connection in
                _ = try await Migrator.migrate(connection)
                let writer = try await PostgresConnection.connect(own, loop: connection.loop, timeout: .seconds(20))
                var configuration = try RedisConfiguration(url: redisURL)
                configuration.commandTimeout = .seconds(20)
                configuration.stallTimeout = .seconds(20)
                let redis = RedisClient(
                    configuration: configuration, scripts: HomeCache.scripts, loop: connection.loop)
                defer {
                    redis.close()
                    writer.close()
                }
                redis.start()
                try await redis.waitUntilReady(timeout: .seconds(20))
                let generation = try #require(
                    try await CacheGeneration.name(redis: redis, postgres: connection))
                try await body(
                    TestStores(connection: connection, writer: writer, redis: redis, generation: generation))
            }
        }.result
        try await Stores.withPostgres(admin) { try await $0.run("drop database \(name) with (force)") }
        try result.get()
    }

    private static func setting(_ name: String) throws -> String {
        try #require(getenv(name).map { String(cString: $0) }, "set \(name) to a test server")
    }

    /// Writes workouts and shows their days, as ingest does.
    func write(_ writes: [WorkoutWrite], shown: Bool = true) async throws {
        let result = try await store.write(writes, on: writer)
        if shown { try await cache.show(result.days) }
    }

    /// Runs a comparison; the lines that it prints come sorted.
    func verify(
        only user: UserID? = nil, reader: VerifyReader = VerifyReader(), patience: Duration = .milliseconds(50)
    ) async throws -> (summary: Verification.Summary, lines: [String]) {
        let lines = Lines()
        var verification = Verification(
            connection: connection, redis: redis, generation: generation, report: { lines.add($0) })
        verification.reader = reader
        verification.patience = patience
        let summary = if let user { try await verification.only(user) } else { try await verification.everybody() }
        return (summary, lines.sorted)
    }

    /// Fills a user's hash as progress does.
    func fill(_ user: UserID) async throws {
        let lease = try await cache.lease(user)
        let home = try await HomeReader(timeout: .seconds(20)).read(
            user, from: testDay.advanced(by: -40), on: connection)
        try await cache.fill(home, under: lease)
    }

    /// Sets a field of a user's days in Redis by hand.
    func plant(_ user: UserID, _ day: Day, _ value: String) async throws {
        try await plant(user, day.description, value)
    }

    /// Sets a field of a user's hash in Redis by hand.
    func plant(_ user: UserID, _ field: String, _ value: String) async throws {
        let reply = try await redis.send(RedisCommand("HSET", CacheKey.home(of: user), field, value))
        #expect(reply.error == nil)
    }

    /// Takes a field out of a user's hash.
    func remove(_ user: UserID, _ field: String) async throws {
        #expect(try await redis.send(RedisCommand("HDEL", CacheKey.home(of: user), field)).number == 1)
    }

    /// A field of a user's hash.
    func field(_ user: UserID, _ field: String) async throws -> String? {
        try await redis.send(RedisCommand("HGET", CacheKey.home(of: user), field)).text
    }
}

/// Lines that were reported, from whatever thread.
final class Lines: Sendable {
    private let lines = Mutex<[String]>([])
    var sorted: [String] { lines.withLock { $0.sorted() } }
    func add(_ line: String) { lines.withLock { $0.append(line) } }
}

extension PostgresConnection {
    func run(_ sql: String) async throws { _ = try await query(.simple(sql), timeout: .seconds(20)) }
}

/// A user whom nobody else has.
func newUser() -> UserID {
    UserID(UUIDValue(high: .random(in: 0 ... .max), low: .random(in: 0 ... .max)))
}

/// 2026-11-30.
let testDay = Day(number: 20_787)

/// A workout in UTC: hours after the beginning of `testDay`, steps, and metres in millimetres.
func workout(
    _ user: UserID, from: Double, to: Double, steps: Int32, millimetres: Int64 = 0, device: String? = nil
) -> WorkoutWrite {
    let midnight = Int64(testDay.number) * Day.milliseconds
    let start = Timestamp(milliseconds: midnight + Int64(from * 3_600_000))
    let end = Timestamp(milliseconds: midnight + Int64(to * 3_600_000))
    let id = RequestID(UUIDValue(high: .random(in: 0 ... .max), low: .random(in: 0 ... .max)))
    return WorkoutWrite(
        user: user,
        submission: WorkoutSubmission(
            requestID: id, requestIDText: id.description, start: start, end: end, steps: steps,
            distance: Millimetres(millimetres), timeZone: "UTC", deviceID: device),
        zone: "UTC", segments: DayCut.segments(from: start, to: end, clock: ZoneOffsets(fixed: 0)))
}
