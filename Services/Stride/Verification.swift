import EventLoops
import Models
import Postgres
import Redis
import Storage

/// Compares the workouts, the daily totals and the cache, user by user.
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
        for stored in users {
            comparisons.append(DayComparison(stored: stored, cached: try await heldDays(of: stored.user)))
        }
        let confirmed = try await lookAgain(at: comparisons.filter { !$0.doubtfulDays.isEmpty })
        for comparison in comparisons {
            summary.users += 1
            summary.days += comparison.days.count
            let user = comparison.stored.user
            if comparison.stored.damagedRows > 0 {
                summary.differences += 1
                report("\(user): \(comparison.stored.damagedRows) damaged rows in workouts, not counted")
            }
            for difference in comparison.differences(doubtsConfirmed: confirmed[user] ?? []) {
                summary.differences += 1
                report(difference.line)
            }
        }
    }

    /// What Redis holds for the pair of servers that is looked at; nothing while Redis is not reached.
    private func heldDays(of user: UserID) async throws -> [Day: DayTotalsRow] {
        try await HomeCache.heldDays(of: user, generation: generation, in: redis)
    }

    /// The doubtful days that are still wrong a while later: the cache first, then the rows.
    private func lookAgain(
        at doubtful: [DayComparison]
    ) async throws -> [UserID: Set<Day>] {
        guard !doubtful.isEmpty else { return [:] }
        try await connection.loop.sleep(for: patience)
        var cached: [[Day: DayTotalsRow]] = []
        for comparison in doubtful { cached.append(try await heldDays(of: comparison.stored.user)) }
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
