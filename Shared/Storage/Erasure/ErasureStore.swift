package import Models
package import Postgres

/// Erases everything of a user in PostgreSQL, in steps that are each one short transaction.
///
/// The first one marks the user's row, which every writer locks: from its commit on no older token writes, and no newer one
/// until the last step. Each further step locks the erasure's own row and finds it unfinished, or does nothing; so a step of a
/// process that was stopped for long cannot take anything of what was written after the end, and each row is counted
/// once. Nothing is in memory that another process would need to go on.
package struct ErasureStore: Sendable {
    /// How long one trip may take before the connection is given up.
    let timeout: Duration

    /// Makes a store.
    package init(timeout: Duration) { self.timeout = timeout }

    /// What became of the wish to erase.
    package enum Beginning: Sendable {
        /// It has begun.
        case begun(Erasure)
        /// The token is older than this erasure, which is the one that it asked for, or one that made it count no more.
        case known(Erasure)
        /// The token is newer than an erasure that is still under way.
        case otherIsUnderWay
    }

    /// Begins, or finds what a repeat of the call has begun.
    ///
    /// - Parameter now: the server's clock. A token from an issuer whose clock is ahead is older than the erasure all the same.
    package func begin(
        for writer: Writer, at now: Timestamp, on connection: PostgresConnection
    ) async throws(PostgresError) -> Beginning {
        let opening = try await connection.exchange(
            [.begin, PlanStatements.lock(writer.user), ErasureStatements.covering(writer)], timeout: timeout)
        let user = try LockedUser(planLock: opening[1])
        if let known = try Erasure.all(opening[2]).first {
            // Who began it may have left before a synchronous standby had it. Only a COMMIT waits for that.
            _ = try await connection.query(.commit, timeout: timeout)
            return .known(known)
        }
        guard !user.isErasing else {
            _ = try await connection.query(.rollback, timeout: timeout)
            return .otherIsUnderWay
        }
        let moment = max(now.milliseconds, writer.issuedAt?.milliseconds ?? 0, user.erasedAt + 1)
        let erasure = Erasure(
            user: writer.user, receiptID: .random(), erasedAt: Timestamp(milliseconds: moment))
        _ = try await connection.exchange(ErasureStatements.mark(erasure) + [.commit], timeout: timeout)
        return .begun(erasure)
    }

    /// An erasure as it stands now; nil if there is none of this name.
    package func look(
        at erasure: Erasure, on connection: PostgresConnection
    ) async throws(PostgresError) -> Erasure? {
        try Erasure.all(try await connection.query(ErasureStatements.one(erasure), timeout: timeout)).first
    }

    /// The erasures after a moment, and those under way.
    package func recent(
        after moment: Timestamp, limit: Int, on connection: PostgresConnection
    ) async throws(PostgresError) -> [Erasure] {
        try Erasure.all(
            try await connection.query(
                ErasureStatements.recent(after: moment.milliseconds, limit: Int32(clamping: limit)), timeout: timeout))
    }
}
