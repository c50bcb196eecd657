import Cryptography
import EventLoops
import Glibc
import Models
import Postgres
import Redis
import ServiceKit
import Telemetry
import Testing

@testable import PlanService
@testable import Storage

/// A plan service with a database of its own and the run's Redis; people are those of this one test.
///
/// Every call goes over a socket. `@unchecked Sendable`: the connection and the client are used on their loop only.
final class PlanStack: @unchecked Sendable {
    let port: UInt16
    let adminPort: UInt16
    let settings: [String: String]
    private let loop: EventLoop
    private let connection: PostgresConnection
    private let redis: RedisClient
    private let signer: TokenSigner
    private let name: String

    /// Starts everything, lends it, and ends it; a run without servers fails.
    ///
    /// - Parameter changes: settings of the service that differ.
    static func lend(
        _ changes: [String: String] = [:], _ body: @escaping @Sendable (PlanStack) async throws -> Void
    ) async throws {
        let url = try setting("STRIDE_TEST_POSTGRES_URL")
        let redisURL = try setting("STRIDE_TEST_REDIS_URL")
        let name = "stride_plan_\(UInt64.random(in: 0 ... .max))"
        let slash = try #require(url.lastIndex(of: "/"))
        let own = String(url[...slash]) + name
        let loop = try EventLoop.start(name: "plan-tests")
        let secret = String((0..<64).map { _ in "0123456789abcdef".randomElement() ?? "0" })
        let file = "/tmp/\(name).secret"
        try write(secret, to: file)
        defer { unlink(file) }
        let settings = [
            "STRIDE_PLAN_PORT": "0", "STRIDE_PLAN_ADMIN_PORT": "0", "STRIDE_INGEST_PORT": "0",
            "STRIDE_INGEST_ADMIN_PORT": "0", "STRIDE_LOOPS": "2", "STRIDE_POSTGRES_CONNECTIONS": "3",
            "STRIDE_POSTGRES_URL": own, "STRIDE_REDIS_URL": redisURL, "STRIDE_TOKEN_SECRET_FILE": file,
            "STRIDE_TOKEN_ISSUER": name, "STRIDE_TOKEN_AUDIENCE": "stride",
        ].merging(changes) { $1 }
        let key = try #require(TokenKey(secret: Secret(secret)))
        let signer = try #require(TokenSigner(key: key, policy: TokenPolicy(issuer: name, audience: "stride")))
        let (admin, connection, redis) = try await open(
            url, own: own, name: name, redisURL: redisURL, on: loop)
        var reader = Settings(settings)
        let service = try await PlanApplication.start(
            try PlanConfiguration(from: &reader), logger: .discarding, registry: MetricRegistry())
        let stack = PlanStack(
            service: service, settings: settings, loop: loop, connection: connection, redis: redis, signer: signer,
            name: name)
        let result = await Task {
            if changes["STRIDE_REDIS_URL"] == nil, changes["STRIDE_POSTGRES_URL"] == nil {
                try await stack.waitUntilSettled()
            }
            try await body(stack)
        }.result
        await service.drain()
        try await loop.run {
            redis.close()
            connection.close()
            _ = try await admin.query(.simple("drop database \(name) with (force)"), timeout: .seconds(20))
            admin.close()
        }
        await loop.stop()
        try result.get()
    }

    private init(
        service: Service<PlanLoop>, settings: [String: String], loop: EventLoop, connection: PostgresConnection,
        redis: RedisClient, signer: TokenSigner, name: String
    ) {
        port = service.address.port
        adminPort = service.adminAddress.port
        self.settings = settings
        self.loop = loop
        self.connection = connection
        self.redis = redis
        self.signer = signer
        self.name = name
    }

    private static func setting(_ name: String) throws -> String {
        try #require(getenv(name).map { String(cString: $0) }, "set \(name) to a test server")
    }

    private static func write(_ text: String, to path: String) throws {
        let file = try #require(fopen(path, "w"))
        fputs(text, file)
        fclose(file)
    }

    private static func open(
        _ url: String, own: String, name: String, redisURL: String, on loop: EventLoop
    ) async throws -> (PostgresConnection, PostgresConnection, RedisClient) {
        let server = try PostgresConfiguration(url: url, applicationName: "plan-tests")
        let database = try PostgresConfiguration(url: own, applicationName: "plan-tests")
        var configuration = try RedisConfiguration(url: redisURL)
        configuration.commandTimeout = .seconds(20)
        configuration.stallTimeout = .seconds(20)
        let client = RedisClient(configuration: configuration, scripts: HomeCache.scripts, loop: loop)
        return try await loop.run {
            let admin = try await PostgresConnection.connect(server, loop: loop, timeout: .seconds(20))
            _ = try await admin.query(.simple("create database \(name)"), timeout: .seconds(60))
            let connection = try await PostgresConnection.connect(database, loop: loop, timeout: .seconds(20))
            _ = try await Migrator.migrate(connection)
            client.start()
            try await client.waitUntilReady(timeout: .seconds(20))
            return (admin, connection, client)
        }
    }
}

extension PlanStack {
    /// A person's user id, as the service derives it.
    func user(_ person: String) throws -> UserID { try Principal.userID(issuer: name, subject: person) }

    /// A person's token, good for an hour of the service's clock.
    func token(_ person: String) throws -> String {
        let now = settings["STRIDE_TEST_NOW"].flatMap { Int64($0) } ?? WallClock().now.milliseconds
        return try signer.sign(
            subject: person, issuedAt: Timestamp(milliseconds: now), expiresAt: Timestamp(milliseconds: now + 3_600_000)
        )
    }

    /// One call of a person, nil for nobody.
    func call(
        _ person: String?, _ method: String, _ path: String, _ body: String? = nil, fields: [String] = [],
        port other: UInt16? = nil
    ) throws -> Answer {
        try calls(person, method, path, [body], fields: fields, port: other)[0]
    }

    /// Many calls at once, which differ in their bodies.
    func calls(
        _ person: String?, _ method: String, _ path: String, _ bodies: [String?], fields: [String] = [],
        port other: UInt16? = nil
    ) throws -> [Answer] {
        let fields = try fields + (person.map { ["Authorization: Bearer \(try token($0))"] } ?? [])
        return try Wire.exchange(
            bodies.map { Wire.request(method, path, fields: fields, body: $0) }, port: other ?? port)
    }

    /// What a statement answers, as texts; an empty text is a null.
    func query(_ sql: String) async throws -> [[String]] {
        let connection = connection
        return try await loop.run {
            let result = try await connection.query(.simple(sql), timeout: .seconds(20))
            return try (0..<result.rowCount).map { row in
                try (0..<result.columnCount).map { result.isNull(row, $0) ? "" : try result.text(row, $0) }
            }
        }
    }

    /// A field of a person's hash in Redis.
    func field(_ field: String, of person: String) async throws -> String? {
        let key = CacheKey.home(of: try user(person))
        let redis = redis
        return try await loop.run { try await redis.send(RedisCommand("HGET", key, field)).text }
    }

    /// Waits until the service knows its stores: then what it writes goes into the cache at once.
    private func waitUntilSettled() async throws {
        let deadline = WallClock().now.milliseconds + 20_000
        var quiet = 0
        while quiet < 12 {
            try #require(WallClock().now.milliseconds < deadline, "the service does not reach its stores")
            let person = "settling-\(UInt64.random(in: 0 ... .max))"
            let answer = try call(person, "PUT", "/v1/weekly_goal", #"{"steps":1}"#)
            let shown = answer.status == 200 ? try await field("goal", of: person) : nil
            quiet = shown == nil ? 0 : quiet + 1
            if shown == nil { try await Task.sleep(for: .milliseconds(20)) }
        }
    }
}

/// A random UUID as a client writes it.
func newID() -> String { UUIDValue.random().description }

/// The body of a new plan.
func plan(
    _ requestID: String = newID(), name: String = "10 000 steps", start: String = "2026-11-30", steps: Int = 20_000,
    more: String = ""
) -> String {
    """
    {"requestId":"\(requestID)","planName":"\(name)","startDate":"\(start)",\
    "weekly_goals":[{"week":0,"steps":\(steps),"distance":5000.5},{"week":1,"steps":\(steps + 1)}]\(more)}
    """
}

extension PlanStack {
    /// Waits for something that comes about by itself; 20 seconds only against hanging.
    func eventually(_ condition: () async throws -> Bool) async throws {
        let deadline = WallClock().now.milliseconds + 20_000
        while try await !condition() {
            try #require(WallClock().now.milliseconds < deadline, "it does not come about")
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// Takes a person's hash out of Redis.
    func forget(_ person: String) async throws {
        let key = CacheKey.home(of: try user(person))
        let redis = redis
        _ = try await loop.run { try await redis.send(RedisCommand("DEL", key)) }
    }
}
