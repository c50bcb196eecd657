import EventLoops
import Models
import Postgres
import Redis
import Storage

/// Compares the workouts, the daily totals, the settings and the cache, user by user.
///
/// Confined to the loop of its connections.
struct Verification {
    /// What has been seen.
    struct Summary: Equatable, Sendable {
        var users = 0
        var days = 0
        var differences = 0
    }

    let connection: PostgresConnection
    let redis: RedisClient
    /// The pair of servers that the cache must have been written for.
    let generation: String
    var reader = VerifyReader()
    /// How long a doubtful day gets until it is looked at again.
    var patience = Duration.seconds(1)
    /// Takes one line for each difference.
    let report: @Sendable (String) -> Void
    /// Takes the number of users seen so far, after each page.
    var note: @Sendable (Summary) -> Void = { _ in }

    /// Everybody.
    func everybody() async throws -> Summary {
        var summary = Summary()
        var last: UserID?
        repeat {
            let page = try await reader.page(after: last, on: connection)
            try await compare(page.users, into: &summary)
            note(summary)
            last = page.last
        } while last != nil
        return summary
    }

    /// One user, also one of whom nothing is stored.
    func only(_ user: UserID) async throws -> Summary {
        var summary = Summary()
        try await compare(try await reader.days(of: [user], on: connection), into: &summary)
        return summary
    }

    private func compare(_ users: [StoredDays], into summary: inout Summary) async throws {
        var comparisons: [DayComparison] = []
        var suspects: [UserID: HomeData] = [:]
        for stored in users {
            let held = try await held(of: stored.user)
            comparisons.append(DayComparison(stored: stored, cached: held.days))
            guard let home = held.home, let first = stored.home(from: home.firstDay) else { continue }
            if HomeComparison(first: first, last: first).isWrong(home) { suspects[stored.user] = first }
        }
        let doubtful = comparisons.filter { !$0.doubtfulDays.isEmpty }
        if !doubtful.isEmpty || !suspects.isEmpty { try await connection.loop.sleep(for: patience) }
        let confirmed = try await lookAgain(at: doubtful)
        for comparison in comparisons {
            summary.users += 1
            summary.days += comparison.days.count
            let user = comparison.stored.user
            var lines = comparison.stored.damage
            let differences = comparison.differences(doubtsConfirmed: confirmed[user] ?? [])
            lines += differences.map(\.line)
            let known = Set(differences.map(\.day.description))
            if let first = suspects[user] {
                for part in try await lookAgain(at: user, first) where !known.contains(part) {
                    lines.append("\(user): the home in Redis has another \(part) than PostgreSQL")
                }
            }
            summary.differences += lines.count
            for line in lines { report(line) }
        }
    }

    private func held(of user: UserID) async throws -> HomeCache.Held {
        try await HomeCache.held(of: user, generation: generation, in: redis)
    }

    /// The doubtful days that are still wrong a while later: the cache first, then the rows.
    private func lookAgain(at doubtful: [DayComparison]) async throws -> [UserID: Set<Day>] {
        guard !doubtful.isEmpty else { return [:] }
        var cached: [[Day: DayTotalsRow]] = []
        for comparison in doubtful { cached.append(try await held(of: comparison.stored.user).days) }
        let later = try await reader.totals(of: doubtful.map(\.stored.user), on: connection)
        var confirmed: [UserID: Set<Day>] = [:]
        for (comparison, days) in zip(doubtful, cached) {
            let user = comparison.stored.user
            confirmed[user] = comparison.doubtfulDays.filter { day in
                DayComparison.isConfirmed(
                    first: comparison.stored.totals[day], cached: days[day], last: later[user]?[day])
            }
        }
        return confirmed
    }

    /// What is still wrong with a complete hash a while later: a day that is missing, plan, goal or profile.
    private func lookAgain(at user: UserID, _ first: HomeData) async throws -> [String] {
        guard let home = try await held(of: user).home,
            let last = try await reader.days(of: [user], on: connection).first?.home(from: home.firstDay)
        else { return [] }
        return HomeComparison(first: first, last: last).wrongParts(home)
    }
}

extension StoredDays {
    /// One line for each kind of rows that no build has written.
    fileprivate var damage: [String] {
        var lines: [String] = []
        if damagedRows > 0 { lines.append("\(user): \(damagedRows) damaged rows in workouts, not counted") }
        if home(from: Day(number: 0)) == nil { lines.append("\(user): damaged settings, not compared") }
        return lines
    }
}

extension DayDifference {
    /// The difference in one line.
    var line: String {
        "\(user) \(day): rows \(Self.text(rows)); totals \(Self.text(totals)); redis \(Self.text(cached))"
    }

    private static func text(_ totals: DayTotals?) -> String {
        guard let totals else { return "none" }
        return "\(totals.steps) steps \(totals.distance.count) mm \(totals.workouts) workouts"
    }

    private static func text(_ row: DayTotalsRow?) -> String {
        guard let row else { return "none" }
        return "\(text(row.totals)) revision \(row.revision)"
    }
}
