internal import Models
package import Postgres

extension ErasureStore {
    /// What became of a step.
    package enum Step<Value: Sendable>: Sendable {
        /// It is committed.
        case done(Value)
        /// Somebody else is at this erasure.
        case busy
        /// There is nothing to do any more.
        case finished
    }

    /// Where the next piece of a table begins.
    package struct Place: Sendable {
        let key: PostgresValue?
        /// Whether the table has nothing more.
        package let isAtEnd: Bool

        /// Before the first row.
        package static var first: Place { Place(key: nil, isAtEnd: false) }
    }

    /// Deletes the next rows of a table.
    package func erase(
        _ table: ErasedTable, from place: Place, of erasure: Erasure, limit: Int = ErasedTable.piece,
        on connection: PostgresConnection
    ) async throws(PostgresError) -> Step<Place> {
        try await step(of: erasure, on: connection) { () throws(PostgresError) in
            let rows = try await connection.query(
                table.delete(of: erasure.user, behind: place.key, limit: limit), timeout: timeout)
            var counted = 0
            for row in 0..<rows.rowCount where try rows.bool(row, 1) { counted += 1 }
            let count = ErasureStatements.count(
                workouts: table == .workouts ? counted : 0, plans: table == .plans ? counted : 0, of: erasure)
            _ = try await connection.exchange([count, .commit], timeout: timeout)
            return Place(key: try table.lastKey(rows) ?? place.key, isAtEnd: rows.rowCount < limit)
        }
    }

    /// Takes the user's name off results that they have recorded, and the score off those of athletes who are gone.
    ///
    /// The log itself stays, because it tells a board that is behind which athletes to read again.
    ///
    /// - Returns: whether none is left.
    package func forgetRecorder(
        of erasure: Erasure, limit: Int = 1000, on connection: PostgresConnection
    ) async throws(PostgresError) -> Step<Bool> {
        try await step(of: erasure, on: connection) { () throws(PostgresError) in
            let found = try await connection.query(
                ErasureStatements.results(recordedBy: erasure.user, limit: limit), timeout: timeout)
            var keys: [String: (revisions: [Int64], athletes: [Int64])] = [:]
            for row in 0..<found.rowCount {
                let challenge = try found.text(row, 0)
                keys[challenge, default: ([], [])].revisions.append(try found.int64(row, 1))
                keys[challenge, default: ([], [])].athletes.append(try found.int64(row, 2))
            }
            var closing: [PostgresStatement] = []
            for (challenge, rows) in keys.sorted(by: { $0.key < $1.key }) {
                closing.append(
                    ErasureStatements.forget(rows.revisions, rows.athletes, of: challenge, user: erasure.user))
            }
            closing += [ErasureStatements.count(of: erasure), .commit]
            _ = try await connection.exchange(closing, timeout: timeout)
            return found.rowCount < limit
        }
    }

    /// Ends an erasure, unless something is left after all.
    ///
    /// - Returns: the erasure with its final counts and the mark to forget once the cache holds nothing; nil when rows are left.
    package func finish(
        _ erasure: Erasure, on connection: PostgresConnection
    ) async throws(PostgresError) -> Step<(erasure: Erasure, mark: CacheMark)?> {
        try await step(of: erasure, on: connection) { () throws(PostgresError) in
            let left = try await connection.exchange(
                [
                    ErasureStatements.anything(of: erasure.user), ErasureStatements.ownEntries(of: erasure.user),
                    ErasureStatements.results(recordedBy: erasure.user, limit: 1),
                ], timeout: timeout)
            guard try !left[0].bool(0, 0), left[1].rowCount == 0, left[2].rowCount == 0 else {
                _ = try await connection.query(.rollback, timeout: timeout)
                return nil
            }
            let mark = CacheMark(user: erasure.user, id: .random())
            let closing =
                ErasureStatements.finish(erasure) + [
                    CacheMarkStatements.insert(mark, users: [erasure.user]), ErasureStatements.one(erasure), .commit,
                ]
            let results = try await connection.exchange(closing, timeout: timeout)
            guard let ended = try Erasure.all(results[3]).first else {
                throw .unexpectedResult("an erasure without its row")
            }
            return (ended, mark)
        }
    }

    /// Opens a transaction, locks the erasure and goes on only while it is unfinished.
    private func step<Value>(
        of erasure: Erasure, on connection: PostgresConnection, _ body: () async throws(PostgresError) -> Value
    ) async throws(PostgresError) -> Step<Value> {
        let opening = try await connection.exchange([.begin, ErasureStatements.lock(erasure)], timeout: timeout)
        guard opening[1].rowCount > 0, try !opening[1].bool(0, 0) else {
            _ = try await connection.query(.rollback, timeout: timeout)
            return opening[1].rowCount > 0 ? .finished : .busy
        }
        return .done(try await body())
    }
}
