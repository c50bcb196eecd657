package import EventLoops
package import Postgres
package import Redis

/// Which pair of servers the cache speaks of: this run of Redis, this history of PostgreSQL.
///
/// A Redis that was restarted (empty or from an old snapshot) has another run id; a replica that became the master has that and
/// begins another history of its own, so that the name is new even when an earlier master comes back. In a cluster the name is made
/// of those of all masters: whichever fails over, all is read once more. A PostgreSQL that was
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
    /// The name of the pair; nil until both were seen, and while nothing in Redis counts.
    ///
    /// The last known PostgreSQL counts while it is away.
    package var current: String? { holdsOldHashes ? nil : name }
    private var name: String?
    /// Redis refuses to drop hashes that may be old (`MarkRepair`).
    package var holdsOldHashes = false

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
            do { try await loop.sleep(for: name == nil ? .milliseconds(20) : .seconds(1)) } catch { return }
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
        if let run, let history { name = "\(run).\(history)" }
    }

    /// The name of a pair, asked for once; nil when Redis does not answer.
    package static func name(
        redis: RedisClient, postgres: PostgresConnection
    ) async throws(PostgresError) -> String? {
        let history = try await history(on: postgres)
        return await run(of: redis).map { "\($0).\(history)" }
    }

    private static func run(of redis: RedisClient) async -> String? {
        let questions = [RedisCommand("INFO", "server"), RedisCommand("INFO", "replication")]
        guard let answers = try? await redis.sendToEach(questions) else { return nil }
        var names: [String] = []
        for answer in answers {
            guard let run = field("run_id:", of: answer.first) else { return nil }
            names.append("\(run.prefix(16))\((field("master_replid:", of: answer.last) ?? "").prefix(8))")
        }
        return names.count == 1 ? names[0] : fingerprint(names.sorted())
    }

    private static func field(_ name: String, of reply: RESPValue?) -> Substring? {
        let lines = reply?.text?.split(whereSeparator: \.isNewline)
        return lines?.first { $0.hasPrefix(name) }.map { $0.dropFirst(name.count) }
    }

    /// One short name for many: FNV-1a, 64 bits; nobody chooses the names.
    private static func fingerprint(_ names: [String]) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in names.joined(separator: " ").utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return String(hash, radix: 36)
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
