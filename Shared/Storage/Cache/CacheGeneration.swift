package import EventLoops
package import Postgres
package import Redis

/// Which pair of servers the cache speaks of: this run of Redis, this history of PostgreSQL.
///
/// A Redis that was restarted (empty or from an old snapshot) or failed over has another run id. A PostgreSQL that was
/// promoted has another timeline; one that was restored from a backup has been started anew. In each case what the cache holds
/// may be older or newer than the truth, so the name of the pair changes and every hash written under another name
/// counts for nothing. Looked at once a second; a service that has not noticed yet writes hashes that the others drop.
///
/// Confined to its loop, hence `@unchecked Sendable`.
package final class CacheGeneration: @unchecked Sendable {
    private let loop: EventLoop
    private let redis: RedisClient
    private let postgres: PostgresPool
    private var run: String?
    /// The name of PostgreSQL's history; nil until it was seen.
    package private(set) var history: String?
    /// The name of the pair; nil until both were seen.
    ///
    /// The last known PostgreSQL counts while it is away.
    package private(set) var current: String?

    /// Watches the servers of one loop.
    package init(redis: RedisClient, postgres: PostgresPool, loop: EventLoop) {
        self.loop = loop
        self.redis = redis
        self.postgres = postgres
    }

    /// Looks at both servers until the task is cancelled.
    package func watch() async {
        while !Task.isCancelled {
            await look()
            do { try await loop.sleep(for: current == nil ? .milliseconds(20) : .seconds(1)) } catch { return }
        }
    }

    /// Looks once.
    package func look() async {
        // A slow answer is no other server: what was known holds until another one answers.
        if let found = await Self.run(of: redis) { run = found }
        let found = try? await postgres.withConnection(.upkeep, timeout: .milliseconds(500)) {
            connection throws(PostgresError) in try await Self.history(on: connection)
        }
        if let found { history = found }
        if let run, let history { current = "\(run).\(history)" }
    }

    /// The name of a pair, asked for once; nil when Redis does not answer.
    package static func name(
        redis: RedisClient, postgres: PostgresConnection
    ) async throws(PostgresError) -> String? {
        let history = try await history(on: postgres)
        return await run(of: redis).map { "\($0).\(history)" }
    }

    private static func run(of redis: RedisClient) async -> String? {
        guard let reply = try? await redis.send(RedisCommand("INFO", "server")), let text = reply.text else {
            return nil
        }
        return text.split(whereSeparator: \.isNewline).first { $0.hasPrefix("run_id:") }
            .map { String($0.dropFirst("run_id:".count).prefix(16)) }
    }

    private static func history(on connection: PostgresConnection) async throws(PostgresError) -> String {
        try await connection.query(identity, timeout: .seconds(1)).text(0, 0)
    }

    /// Database, timeline, and the moment at which the server was started; a standby has no timeline of its own and says so.
    private static let identity = PostgresStatement(
        "cache_history",
        """
        select current_database() || case when pg_is_in_recovery() then 'standby' else substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) end
            || to_char(pg_postmaster_start_time() at time zone 'UTC', 'YYYYMMDDHH24MISSUS')
        """)
}
