internal import Models
internal import Postgres

extension WorkoutStore {
    /// Brings the days in line with the rows and commits.
    ///
    /// - Returns: the days as they stand, changed and repeated ones, and the mark to forget once the cache shows them.
    func finish(
        _ plan: CommitPlan, users: [UserID: LockedUser], on connection: PostgresConnection,
        before statements: [PostgresStatement] = []
    ) async throws(PostgresError) -> (days: [DayTotalsRow], mark: CacheMark?) {
        var opening = statements
        if !plan.updates.isEmpty { opening.append(WorkoutStatements.update(plan.updates, users: users)) }
        var changes: [DayChange] = []
        if !plan.recounts.isEmpty {
            changes = try await recount(plan.recounts, users: users, after: opening, on: connection)
            opening = []
        }
        let closing = Self.closing(plan, recounted: changes, users: users)
        let mark = plan.changesDays ? users.keys.first.map { CacheMark(user: $0, id: .random()) } : nil
        let marking = mark.map { [CacheMarkStatements.insert($0, users: users.keys)] } ?? []
        let results = try await connection.exchange(opening + closing + marking + [.commit], timeout: timeout)
        var rows: [DayTotalsRow] = []
        for result in results[opening.count..<(opening.count + closing.count)] {
            rows += try DailyTotalsStatements.rows(result)
        }
        return (rows, mark)
    }

    /// Counts the days of users whose devices may overlap, from the rows as they stand within this transaction.
    private func recount(
        _ recounts: [UserID: [CommitPlan.Change]], users: [UserID: LockedUser],
        after opening: [PostgresStatement], on connection: PostgresConnection
    ) async throws(PostgresError) -> [DayChange] {
        let stretches = recounts.flatMap { DeviceRecount.stretches(of: $1, user: $0) }
        let results = try await connection.exchange(opening + [WorkoutStatements.window(stretches)], timeout: timeout)
        let rows = try results.last.map { result throws(PostgresError) in try Self.rows(result) } ?? []
        let rowsByUser = Dictionary(grouping: rows, by: \.key.user)
        var changes: [DayChange] = []
        for (user, userChanges) in recounts {
            let revision = users[user]?.revision ?? 0
            for (day, totals) in DeviceRecount.totals(of: userChanges, rows: rowsByUser[user] ?? []) {
                changes.append(DayChange(at: UserDay(user: user, day: day), amount: totals, revision: revision))
            }
        }
        return changes.sorted { $0.at < $1.at }
    }

    private static func closing(
        _ plan: CommitPlan, recounted: [DayChange], users: [UserID: LockedUser]
    ) -> [PostgresStatement] {
        let recountedDays = Set(recounted.map(\.at))
        // A recount has read every row of its day, also the new ones without a device, which would else be added twice.
        let additions = plan.additions.filter { !recountedDays.contains($0.key) }
            .map { DayChange(at: $0, amount: $1, revision: users[$0.user]?.revision ?? 0) }
            .sorted { $0.at < $1.at }
        let repeated = plan.repeatedDays.filter { plan.additions[$0] == nil && !recountedDays.contains($0) }
        var statements: [PostgresStatement] = []
        if !additions.isEmpty { statements.append(DailyTotalsStatements.add(additions)) }
        if !recounted.isEmpty { statements.append(DailyTotalsStatements.set(recounted)) }
        if !repeated.isEmpty { statements.append(DailyTotalsStatements.read(repeated.sorted())) }
        return statements
    }
}
