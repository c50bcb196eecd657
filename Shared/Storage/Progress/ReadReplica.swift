internal import EventLoops
package import Models
package import Postgres

/// A standby that answers reads while it is known to follow the primary, and only what it has whole.
///
/// A standby shows some moment before now. So each read first asks the primary for the user's revision, which is one row
/// by its key, and the standby answers only if it has that revision: then it has everything of this user that was acknowledged
/// before the call. A standby that follows another history (the loser of a promotion, a server of another cluster) may have a high
/// revision with other content; it is looked at once a second, and what was seen counts only for the history of the primary under
/// which it was seen.
///
/// Confined to its loop, hence `@unchecked Sendable`.
package final class ReadReplica: @unchecked Sendable {
    private let pool: PostgresPool
    private let primary: PostgresPool
    private let generation: CacheGeneration
    private let timeout: Duration
    /// The primary's history that the standby was last seen to follow.
    private var followed: String?

    /// Watches a standby of a loop; nothing is opened before `watch`.
    ///
    /// - Parameters:
    ///   - pool: connections to the standby.
    ///   - primary: connections to the primary.
    ///   - generation: what knows the primary's history.
    ///   - timeout: how long the question for a revision may take.
    package init(pool: PostgresPool, primary: PostgresPool, generation: CacheGeneration, timeout: Duration) {
        self.pool = pool
        self.primary = primary
        self.generation = generation
        self.timeout = timeout
    }

    /// Whether the standby may be asked.
    package var isFollowing: Bool { followed != nil && followed == generation.history }

    /// Looks at the standby until the task is cancelled.
    package func watch() async {
        pool.start()
        while !Task.isCancelled {
            await look()
            do { try await pool.loop.sleep(for: .seconds(1)) } catch { return }
        }
    }

    /// Looks once.
    package func look() async {
        let history = generation.history
        let source = try? await primary.withConnection(.upkeep, timeout: timeout) { connection throws(PostgresError) in
            try await connection.query(Self.source, timeout: timeout).text(0, 0)
        }
        let standby = try? await pool.withConnection(.upkeep, timeout: timeout) {
            connection throws(PostgresError) -> String? in
            let result = try await connection.query(Self.standby, timeout: timeout)
            return result.isNull(0, 0) ? nil : try result.text(0, 0)
        }
        followed = source != nil && source == standby ? history : nil
    }

    /// Closes the connections.
    package func close() async { await pool.close() }

    /// Reads on the standby.
    ///
    /// - Returns: nil when the standby is behind for this user, or could not answer: ask the primary.
    /// - Throws: when the primary does not tell the user's revision.
    package func read<Value>(
        of user: UserID, _ body: (PostgresConnection) async throws(PostgresError) -> Value
    ) async throws(PostgresError) -> Value? {
        let question = ChangesReader.revision(of: user)
        let timeout = timeout
        let needed = try await primary.transact { connection throws(PostgresError) -> Int64? in
            let result = try await connection.query(question, timeout: timeout)
            return result.rowCount > 0 ? try result.int64(0, 0) : nil
        }
        // Of somebody who is unknown to the primary a standby may still have something.
        guard let needed else { return nil }
        do throws(PostgresError) {
            return try await pool.withConnection(timeout: timeout) { connection throws(PostgresError) -> Value? in
                let result = try await connection.query(question, timeout: timeout)
                guard result.rowCount > 0, try result.int64(0, 0) >= needed else { return nil }
                return try await body(connection)
            }
        } catch {
            followed = nil
            return nil
        }
    }

    /// Database, cluster and timeline of a server that writes.
    private static let source = PostgresStatement(
        "replica_source",
        """
        select current_database() || (select system_identifier from pg_control_system())
            || ' ' || ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int
        """)

    /// The same of a server that receives from one; null when it does not, or when the role may not see it.
    private static let standby = PostgresStatement(
        "replica_standby",
        """
        select case when pg_is_in_recovery() then current_database() || (select system_identifier from pg_control_system())
            || ' ' || (select received_tli from pg_stat_wal_receiver where status = 'streaming') end
        """)
}
