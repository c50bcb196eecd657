package import Models
package import Postgres

/// Writes and reads challenges and their boards in PostgreSQL, the truth.
///
/// A write is one transaction on a connection lent by the caller: two trips, or one when it turns out to change nothing. It begins with the lock of
/// the challenge's row, which puts all changes of a board in one order and numbers them without a gap.
package struct LeaderboardStore: Sendable {
    /// How long one trip may take before the connection is given up.
    let timeout: Duration

    /// Makes a store.
    package init(timeout: Duration) { self.timeout = timeout }

    /// What became of changes.
    package struct Write: Sendable {
        /// Of each change, in order.
        package let outcomes: [AthleteOutcome]
        /// What the cache has to show; nil if nothing is different.
        package let delta: BoardDelta?
    }

    /// Carries changes out, one after the other, all or none of them.
    ///
    /// - Parameters:
    ///   - issued: when the tokens were issued that ask for the changes, one for each; users who change their own entries are then locked,
    ///     in the order of their ids, and an erasure of theirs refuses older tokens. Empty for changes that no user asks for.
    ///   - now: when the results were recorded. The day they count for is this one's in UTC, or the day of the change before if
    ///     that was later, so that clocks that differ a little never write behind a day that is over.
    /// - Returns: nil if there is no such challenge.
    package func write(
        _ changes: [AthleteChange], issued: [Timestamp?] = [], to challenge: ChallengeName, at now: Timestamp,
        on connection: PostgresConnection
    ) async throws(PostgresError) -> Write? {
        let names = ChangedNames(changes)
        let asks = issued.count == changes.count && !names.users.isEmpty
        let locks = WorkoutStatements.lockUsers(names.users.sorted().map { BatchUser(user: $0) }, in: .ascending)
        let opening = try await connection.exchange(
            [.begin, BoardStatements.lock(challenge)] + (asks ? [locks] : [])
                + [BoardStatements.athletes(names.ids, users: names.users, of: challenge)], timeout: timeout)
        guard let head = try BoardRows.head(opening[1]) else {
            _ = try await connection.query(.rollback, timeout: timeout)
            return nil
        }
        var ledger = try Self.ledger(head, opening[opening.count - 1])
        let users = asks ? try WorkoutStore.lockedUsers(opening[2]) : [:]
        let outcomes = changes.enumerated().map { index, change -> AthleteOutcome in
            if let user = change.owner.flatMap({ users[$0] }) {
                let standing = user.standing(of: issued[index])
                if standing != .clear { return .refused(isUnderWay: standing == .isUnderWay) }
            }
            return ledger.apply(change)
        }
        let delta = try await commit(ledger, head, to: challenge, at: now, on: connection)
        return Write(outcomes: outcomes, delta: delta)
    }

    /// Takes the own entry of a user off a board, as a step of the erasure.
    ///
    /// - Returns: what the cache has to show; nil if there was no entry.
    package func erase(
        _ erasure: Erasure, from challenge: ChallengeName, at now: Timestamp, on connection: PostgresConnection
    ) async throws(PostgresError) -> ErasureStore.Step<BoardDelta?> {
        let opening = try await connection.exchange(
            [
                .begin, BoardStatements.lock(challenge), ErasureStatements.lock(erasure),
                BoardStatements.athletes([], users: [erasure.user], of: challenge),
            ], timeout: timeout)
        guard opening[2].rowCount > 0, try !opening[2].bool(0, 0), let head = try BoardRows.head(opening[1]) else {
            _ = try await connection.query(.rollback, timeout: timeout)
            return opening[2].rowCount > 0 ? .finished : .busy
        }
        var ledger = try Self.ledger(head, opening[3])
        _ = ledger.apply(.erase(erasure.user))
        let count = ErasureStatements.count(athletes: ledger.removed.count, of: erasure)
        return .done(try await commit(ledger, head, to: challenge, at: now, noting: [count], on: connection))
    }

    private static func ledger(_ head: BoardHead, _ athletes: PostgresResult) throws(PostgresError) -> BoardLedger {
        BoardLedger(
            totals: head.totals, takesSelfReports: head.about.takesSelfReports, athletes: try stored(athletes))
    }

    /// Writes what a ledger has come to, and commits.
    private func commit(
        _ ledger: BoardLedger, _ head: BoardHead, to challenge: ChallengeName, at now: Timestamp,
        noting: [PostgresStatement] = [], on connection: PostgresConnection
    ) async throws(PostgresError) -> BoardDelta? {
        let (written, removed) = (ledger.written, ledger.removed)
        guard !written.isEmpty || !removed.isEmpty else {
            // Who wrote the same before may have left before a synchronous standby had it. Only a COMMIT waits for that, as
            // the lock has written something that comes after it.
            _ = try await connection.exchange(noting + [.commit], timeout: timeout)
            return nil
        }
        let revision = head.revision + 1
        let today = ZoneOffsets(fixed: 0).day(at: now)
        let day = max(today, head.lastDay ?? today)
        let results =
            written.map { (id: $0.id, score: $0.entry.score, isRemoval: false, by: ledger.touched[$0.id] ?? nil) }
            + removed.map { (id: $0, score: nil, isRemoval: true, by: ledger.touched[$0] ?? nil) }
        var closing: [PostgresStatement] = noting
        if !written.isEmpty { closing.append(BoardStatements.write(written, of: challenge)) }
        if !removed.isEmpty { closing.append(BoardStatements.remove(removed, of: challenge)) }
        closing.append(BoardStatements.log(results, revision: revision, at: now, of: challenge))
        closing += BoardStatements.setTotals(ledger.totals, revision: revision, day: day, of: challenge)
        closing.append(.commit)
        _ = try await connection.exchange(closing, timeout: timeout)
        return BoardDelta(
            challenge: challenge, about: head.about, from: head.revision, to: revision, totals: ledger.totals,
            days: [day: ledger.totals],
            athletes: written.map { ($0.id, $0.entry) } + removed.map { ($0, nil) })
    }

    /// Sets what is told about a challenge, which may be new.
    package func set(
        _ about: Challenge, of challenge: ChallengeName, on connection: PostgresConnection
    ) async throws(PostgresError) -> (isNew: Bool, delta: BoardDelta) {
        let results = try await connection.exchange(
            [.begin, BoardStatements.lock(challenge), BoardStatements.set(about, of: challenge), .commit],
            timeout: timeout)
        let revision = try results[2].int64(0, 0)
        let delta = BoardDelta(
            challenge: challenge, about: about, from: revision - 1, to: revision,
            totals: try BoardRows.totals(results[2], 0, from: 1), days: [:], athletes: [])
        return (results[1].rowCount == 0, delta)
    }

    private static func stored(_ result: PostgresResult) throws(PostgresError) -> [StoredAthlete] {
        var athletes: [StoredAthlete] = []
        for row in 0..<result.rowCount {
            athletes.append(
                StoredAthlete(
                    id: try result.int64(row, 0), entry: try BoardRows.entry(result, row),
                    owner: result.isNull(row, 4) ? nil : UserID(try result.uuid(row, 4))))
        }
        return athletes
    }
}

extension AthleteChange {
    /// The user whose own entry it changes.
    fileprivate var owner: UserID? {
        switch self {
        case .recordOwn(_, let user, _), .removeOwn(let user), .erase(let user): user
        case .record, .remove: nil
        }
    }
}

/// The ids and users that changes name, none twice.
private struct ChangedNames {
    var ids: [Int64] = []
    var users: [UserID] = []

    init(_ changes: [AthleteChange]) {
        var (ids, users) = (Set<Int64>(), Set<UserID>())
        for change in changes {
            switch change {
            case .record(let athlete, _): ids.insert(athlete.id)
            case .remove(let id, _): ids.insert(id)
            case .recordOwn(_, let user, let fresh):
                ids.insert(fresh)
                users.insert(user)
            case .removeOwn(let user), .erase(let user): users.insert(user)
            }
        }
        self.ids = Array(ids)
        self.users = Array(users)
    }
}
