import Models
import Testing

@testable import Storage

/// What counts as a difference.
@Suite struct DayComparisonTests {
    private let user = UserID(UUIDValue(high: 1, low: 2))
    private let day = Day(number: 20_787)

    private func row(_ steps: Int64, revision: Int64) -> DayTotalsRow {
        DayTotalsRow(
            user: user, day: day, totals: DayTotals(steps: steps, distance: .zero, workouts: 1), revision: revision)
    }

    private func comparison(rows: Int64?, totals: DayTotalsRow?, cached: DayTotalsRow?) -> DayComparison {
        let counted = rows.map { [day: DayTotals(steps: $0, distance: .zero, workouts: 1)] } ?? [:]
        return DayComparison(
            stored: StoredDays(user: user, recounted: counted, totals: totals.map { [day: $0] } ?? [:]),
            cached: cached.map { [day: $0] } ?? [:])
    }

    @Test("Days that agree, days that the cache does not have and zeros for nothing are no differences")
    func agreement() {
        let zero = DayTotalsRow(user: user, day: day, totals: .zero, revision: 3)
        for comparison in [
            comparison(rows: 5, totals: row(5, revision: 2), cached: row(5, revision: 2)),
            comparison(rows: 5, totals: row(5, revision: 2), cached: nil),
            comparison(rows: nil, totals: zero, cached: zero),
        ] {
            #expect(comparison.doubtfulDays.isEmpty)
            #expect(comparison.differences(doubtsConfirmed: []).isEmpty)
            #expect(comparison.days == [day])
        }
        #expect(comparison(rows: nil, totals: nil, cached: nil).days.isEmpty)
    }

    @Test("Rows and totals that do not agree are a difference, whatever the cache has")
    func rowsAndTotals() {
        for (rows, totals) in [(5, row(6, revision: 2)), (nil, row(6, revision: 2)), (5, nil)]
            as [(Int64?, DayTotalsRow?)]
        {
            let differences = comparison(rows: rows, totals: totals, cached: nil).differences(doubtsConfirmed: [])
            #expect(differences.count == 1)
            #expect(differences.first?.rows?.steps == rows)
            #expect(differences.first?.totals == totals)
        }
    }

    @Test("A cached day with other numbers, another revision or no row is doubtful, and a difference once confirmed")
    func doubts() {
        for (totals, cached) in [
            (row(5, revision: 2), row(6, revision: 2)), (row(5, revision: 2), row(5, revision: 3)),
            (row(5, revision: 2), row(5, revision: 1)),
        ] {
            let comparison = comparison(rows: 5, totals: totals, cached: cached)
            #expect(comparison.doubtfulDays == [day])
            #expect(comparison.differences(doubtsConfirmed: []).isEmpty)
            #expect(comparison.differences(doubtsConfirmed: [day]).map(\.cached) == [cached])
        }
        #expect(comparison(rows: nil, totals: nil, cached: row(5, revision: 1)).doubtfulDays == [day])
    }

    @Test("The second look forgives what writers explain, and nothing else")
    func secondLook() {
        func isConfirmed(_ first: DayTotalsRow?, _ cached: DayTotalsRow?, _ last: DayTotalsRow?) -> Bool {
            DayComparison.isConfirmed(first: first, cached: cached, last: last)
        }
        // Healed, gone, or between the rows that were seen.
        #expect(!isConfirmed(row(5, revision: 2), row(5, revision: 2), row(5, revision: 2)))
        #expect(!isConfirmed(row(5, revision: 2), nil, row(5, revision: 2)))
        #expect(!isConfirmed(row(5, revision: 2), row(7, revision: 4), row(9, revision: 6)))
        #expect(!isConfirmed(row(5, revision: 2), row(5, revision: 2), row(9, revision: 6)))
        #expect(!isConfirmed(nil, row(5, revision: 2), row(9, revision: 6)))
        // Older than what was there a while ago, other numbers under a known revision, or ahead of the rows.
        #expect(isConfirmed(row(5, revision: 2), row(4, revision: 1), row(5, revision: 2)))
        #expect(isConfirmed(row(5, revision: 2), row(4, revision: 1), row(9, revision: 6)))
        #expect(isConfirmed(row(5, revision: 2), row(6, revision: 2), row(9, revision: 6)))
        #expect(isConfirmed(row(5, revision: 2), row(6, revision: 2), row(5, revision: 2)))
        #expect(isConfirmed(row(5, revision: 2), row(5, revision: 3), row(5, revision: 2)))
        #expect(isConfirmed(row(5, revision: 2), row(5, revision: 2), nil))
        #expect(isConfirmed(nil, row(5, revision: 2), nil))
    }

    @Test("A page ends with the user before its rows become too many, and has at least one")
    func cut() {
        let users = (1...4).map { UserID(UUIDValue(high: 0, low: $0)) }
        let weights = Dictionary(uniqueKeysWithValues: zip(users, [10, 20, 200_000, 5] as [Int64]))
        #expect(VerifyReader.cut(weights, users: 10, rows: 1000) == Array(users[0..<2]))
        #expect(VerifyReader.cut(weights, users: 1, rows: 1000) == [users[0]])
        #expect(VerifyReader.cut(weights.filter { $0.key > users[1] }, users: 10, rows: 1000) == [users[2]])
        #expect(VerifyReader.cut(weights, users: 10, rows: 1_000_000) == users)
        #expect(VerifyReader.cut([:], users: 10, rows: 1000).isEmpty)
    }
}
