import EventLoops
import Postgres
import Redis

/// Opens the stores for the time of one command, on a loop of its own.
enum Stores {
    /// Lends a connection to PostgreSQL.
    static func withPostgres<Result: Sendable>(
        _ configuration: PostgresConfiguration,
        _ body: @escaping @Sendable (PostgresConnection) async throws -> Result
    ) async throws -> Result {
        let loop = try EventLoop.start(name: "stride")
        let result = await Task(executorPreference: loop) {
            let connection = try await PostgresConnection.connect(configuration, loop: loop, timeout: .seconds(10))
            defer { connection.close() }
            return try await body(connection)
        }.result
        await loop.stop()
        return try result.get()
    }

    /// Lends a client of Redis.
    static func withRedis<Result: Sendable>(
        _ configuration: RedisConfiguration, _ body: @escaping @Sendable (RedisClient) async throws -> Result
    ) async throws -> Result {
        let loop = try EventLoop.start(name: "stride")
        let result = await Task(executorPreference: loop) {
            let client = RedisClient(configuration: configuration, loop: loop)
            defer { client.close() }
            try await connect(client, configuration)
            return try await body(client)
        }.result
        await loop.stop()
        return try result.get()
    }

    /// Lends a connection to each store, on one loop.
    static func withBoth<Result: Sendable>(
        _ postgres: PostgresConfiguration, _ redis: RedisConfiguration,
        _ body: @escaping @Sendable (PostgresConnection, RedisClient) async throws -> Result
    ) async throws -> Result {
        try await withPostgres(postgres) { connection in
            let client = RedisClient(configuration: redis, loop: connection.loop)
            defer { client.close() }
            try await connect(client, redis)
            return try await body(connection, client)
        }
    }

    private static func connect(_ client: RedisClient, _ redis: RedisConfiguration) async throws {
        client.start()
        do throws(RedisError) {
            try await client.waitUntilReady(timeout: .seconds(5))
        } catch .notConnected, .timedOut {
            throw RedisAway(host: redis.host, port: redis.port)
        }
    }
}

/// Redis could not be reached; says what an operator can still look at.
private struct RedisAway: Error, CustomStringConvertible {
    let host: String
    let port: UInt16

    var description: String {
        "Redis at \(host):\(port) did not answer within 5 s. What the fleet does is then only in each instance's /metrics; "
            + "what to do is in docs/runbook.md, StrideRedisAway. Look at PostgreSQL too"
    }
}
