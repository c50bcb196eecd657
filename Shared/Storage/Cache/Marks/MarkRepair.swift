package import EventLoops
internal import Models
package import Postgres
internal import Redis

/// Looks for marks that somebody has left behind, and drops what the cache holds of their users.
///
/// Every process does it, once a second; doing it twice does no harm. Dropping is enough: the next read fills the hash
/// from PostgreSQL. While Redis answers and refuses that (`READONLY`, `MISCONF`, `NOREPLICAS`), what it holds may be old for as long, so
/// nothing in it counts. Confined to its loop, hence `@unchecked Sendable`.
package final class MarkRepair: @unchecked Sendable {
    /// A writer gets this long to write the cache itself.
    package static let patience: Int64 = 2000
    private static let pageSize: Int32 = 200

    /// What a look has found.
    package struct Finding: Sendable {
        /// Users whose hash was dropped.
        package var repairedUsers = 0
        /// The age of the oldest mark that should have been taken away before; 0 without one.
        package var oldestMilliseconds: Int64 = 0
    }

    private let loop: EventLoop
    private let pool: PostgresPool
    private let cache: HomeCache
    private let generation: CacheGeneration?

    /// Repairs with the connections of one loop.
    package init(
        pool: PostgresPool, cache: HomeCache, generation: CacheGeneration? = nil, loop: EventLoop
    ) {
        self.loop = loop
        self.pool = pool
        self.cache = cache
        self.generation = generation
    }

    /// Repairs until the task is cancelled.
    ///
    /// - Parameter report: told of each page that was looked at, before it is mended and after.
    package func watch(report: @escaping @Sendable (Finding) -> Void = { _ in }) async {
        while !Task.isCancelled {
            var page = 0
            repeat {
                page = (try? await repairPage(report)) ?? 0
            } while page == Int(Self.pageSize) && !Task.isCancelled
            do { try await loop.sleep(for: .seconds(1)) } catch { return }
        }
    }

    /// Repairs one page of marks; the marks go only after the hashes are gone.
    private func repairPage(_ report: @Sendable (Finding) -> Void) async throws -> Int {
        let result = try await pool.withConnection(.upkeep, timeout: .seconds(1)) { connection throws(PostgresError) in
            try await connection.query(
                CacheMarkStatements.stale(olderThan: Self.patience, limit: Self.pageSize), timeout: .seconds(5))
        }
        guard result.rowCount > 0 else {
            generation?.holdsOldHashes = false
            report(Finding())
            return 0
        }
        report(Finding(oldestMilliseconds: try result.int64(0, 3)))
        var marks: [CacheMark] = []
        var users: Set<UserID> = []
        for row in 0..<result.rowCount {
            let id = try result.uuid(row, 1)
            marks.append(
                CacheMark(user: UserID(try result.uuid(row, 0)), id: UUIDValue(high: id.high, low: id.low)))
            for user in try result.uuidArray(row, 2) { users.insert(UserID(user)) }
        }
        try await drop(users)
        _ = try await pool.withConnection(.upkeep, timeout: .seconds(1)) { connection throws(PostgresError) in
            try await connection.query(CacheMarkStatements.delete(marks), timeout: .seconds(5))
        }
        report(Finding(repairedUsers: users.count))
        return marks.count
    }

    private func drop(_ users: Set<UserID>) async throws(RedisError) {
        do throws(RedisError) {
            try await cache.drop(Array(users))
            generation?.holdsOldHashes = false
        } catch {
            if case .server(let kind) = error, kind.refusesWritesOnly { generation?.holdsOldHashes = true }
            throw error
        }
    }
}

extension RedisServerError.Kind {
    /// Whether reads may still be answered.
    fileprivate var refusesWritesOnly: Bool {
        switch self {
        case .readOnly, .misconf, .noReplicas, .noPerm, .oom: true
        default: false
        }
    }
}
