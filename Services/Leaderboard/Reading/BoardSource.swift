import Models
import Postgres
import Redis
import Storage

/// Where an answer came from: what `X-Stride-Source` says.
enum ReadSource: String, Sendable {
    /// From Redis alone.
    case cache
    /// PostgreSQL was asked.
    case database
}

/// What a look has found, and where.
enum Lookup<Value: Sendable>: Sendable {
    /// It is there.
    case found(Value, ReadSource)
    /// There is no such challenge.
    case noChallenge
    /// There is no such athlete.
    case noAthlete
}

/// Boards: from Redis in one round trip, else from PostgreSQL.
///
/// Redis away or without the board: PostgreSQL answers, and the board is built. PostgreSQL away: whatever Redis has is answered, the rest is 503.
/// Confined to its loop, hence `@unchecked Sendable`.
final class BoardSource: @unchecked Sendable {
    private let cache: BoardCache
    private let reads: StoreReads
    private let store: LeaderboardStore
    private let builder: BoardBuilder
    private let repair: BoardRepair
    private let metrics: LeaderboardMetrics

    init(
        cache: BoardCache, reads: StoreReads, store: LeaderboardStore, builder: BoardBuilder, repair: BoardRepair,
        metrics: LeaderboardMetrics
    ) {
        self.cache = cache
        self.reads = reads
        self.store = store
        self.builder = builder
        self.repair = repair
        self.metrics = metrics
    }

    /// What is there of a page.
    enum Page: Sendable {
        /// The page that the caller knows is still right.
        case asKnown
        /// A page; the version is nil when it is not from Redis.
        case page(BoardPage, BoardCache.Version?)
    }

    /// A page of a board.
    func page(
        _ query: AthletesQuery, of challenge: ChallengeName, known: BoardCache.Version? = nil
    ) async throws(PostgresError) -> Lookup<Page> {
        try await look(challenge) { cache throws(RedisError) in
            switch try await cache.page(query, of: challenge, known: known) {
            case .noBoard: nil
            case .asKnown: .found(.asKnown, .cache)
            case .page(let page, let version): .found(.page(page, version), .cache)
            }
        } orIn: { connection throws(PostgresError) in
            try await store.page(query, of: challenge, on: connection).map { .found(.page($0, nil), .database) }
        }
    }

    /// One athlete with its neighbours.
    func view(_ id: Int64, around: Int, of challenge: ChallengeName) async throws(PostgresError) -> Lookup<BoardView> {
        try await look(challenge) { cache throws(RedisError) in
            switch try await cache.view(id, around: around, of: challenge) {
            case .noBoard: nil
            case .noAthlete: .noAthlete
            case .view(let view): .found(view, .cache)
            }
        } orIn: { connection throws(PostgresError) in
            switch try await store.view(id, around: around, of: challenge, on: connection) {
            case .noChallenge: nil
            case .noAthlete: .noAthlete
            case .view(let view): .found(view, .database)
            }
        }
    }

    /// The sums of all days.
    func summary(of challenge: ChallengeName) async throws(PostgresError) -> Lookup<BoardSummary> {
        try await look(challenge) { cache throws(RedisError) in
            try await cache.summary(of: challenge).map { .found($0, .cache) }
        } orIn: { connection throws(PostgresError) in
            try await store.summary(of: challenge, on: connection).map { .found($0, .database) }
        }
    }

    /// What is told about a challenge, as the body of an answer.
    func about(_ challenge: ChallengeName) async throws(PostgresError) -> Lookup<[UInt8]> {
        try await look(challenge) { cache throws(RedisError) in
            try await cache.about(challenge).map { .found($0, .cache) }
        } orIn: { connection throws(PostgresError) in
            try await store.head(of: challenge, on: connection).map { .found($0.about.encode(), .database) }
        }
    }

    /// A challenge as PostgreSQL has it.
    func head(of challenge: ChallengeName) async throws(PostgresError) -> BoardHead? {
        try await reads.read { connection throws(PostgresError) in
            try await store.head(of: challenge, on: connection)
        }
    }

    /// The id of a user's own entry, which only PostgreSQL knows.
    func own(of user: UserID, in challenge: ChallengeName) async throws(PostgresError) -> Int64? {
        try await reads.read { connection throws(PostgresError) in
            try await store.own(of: user, in: challenge, on: connection)
        }
    }

    /// Looks into the cache, and then into PostgreSQL.
    ///
    /// A board that is known to be wrong is not looked at. One that is not there is asked for once its challenge is known to be, so
    /// that made-up names have nothing built.
    private func look<Value>(
        _ challenge: ChallengeName, in cached: (BoardCache) async throws(RedisError) -> Lookup<Value>?,
        orIn stored: (PostgresConnection) async throws(PostgresError) -> Lookup<Value>?
    ) async throws(PostgresError) -> Lookup<Value> {
        var lacksBoard = false
        if repair.isBehind(challenge) {
            metrics.readCache(.behind)
        } else {
            do throws(RedisError) {
                if let found = try await cached(cache) {
                    metrics.readCache(.hit)
                    return found
                }
                metrics.readCache(.miss)
                lacksBoard = true
            } catch {
                metrics.readCache(.error)
            }
        }
        guard let found = try await reads.read(stored) else { return .noChallenge }
        if lacksBoard { builder.request(challenge) }
        return found
    }
}
