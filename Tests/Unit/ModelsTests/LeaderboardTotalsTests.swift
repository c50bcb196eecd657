import Testing

@testable import Models

/// The sums of a challenge and its two measures.
@Suite struct LeaderboardTotalsTests {
    @Test("Without athletes the rate is 0, without scores there is no average")
    func none() {
        #expect(BoardTotals().completionRate == 0 && BoardTotals().averageScore == nil)
        let signedUp = BoardTotals(participants: 3)
        #expect(signedUp.completionRate == 0 && signedUp.averageScore == nil)
    }

    @Test("Rate and average are the doubles nearest to the quotients")
    func nearest() {
        #expect(BoardTotals(participants: 3, completed: 2, scoreSum: 29).completionRate == 2.0 / 3.0)
        #expect(BoardTotals(participants: 5, completed: 5, scoreSum: 502).averageScore == 100.4)
        #expect(BoardTotals(participants: 3, completed: 3, scoreSum: -10).averageScore == -10.0 / 3.0)
        // Sums beyond 2^53, where a sum in doubles would be off; the values are Python's `sum / count`.
        let most = Int128(LeaderboardLimits.largestInteger)
        for (sum, count, average) in [
            (most * 1_000_000, 1_000_000, 9_007_199_254_740_991),
            (most * 3 - 1, 3, 9_007_199_254_740_990.0 + 2.0 / 3.0),
            (-(most * 1_000_000), 1_000_000, -9_007_199_254_740_991), (most + 2, 2, 4_503_599_627_370_496.5),
            (most * 7 + 3, 1_000_000, 63_050_394_783.186_94), (1 << 60, 3, 384_307_168_202_282_325.333_333_333_333),
        ] as [(Int128, Int64, Double)] {
            #expect(BoardTotals(participants: count, completed: count, scoreSum: sum).averageScore == average)
        }
    }

    @Test("Beyond 2^53 the division is the processor's wherever the sum is a double")
    func agreesWithDivision() {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<20_000 {
            let significand = Int128(UInt64.random(in: 1..<(1 << 53), using: &random))
            let sum = significand << Int128(Int.random(in: 1...30, using: &random))
            let count = Int64.random(in: 1..<(1 << 40), using: &random)
            #expect(BoardTotals.quotient(sum, count) == Double(sum) / Double(count))
        }
    }

    @Test("The history goes on over days without a change, and has the last 400 days")
    func history() {
        let day = { (number: Int32) in Day(number: number) }
        let (one, two) = (BoardTotals(participants: 1), BoardTotals(participants: 2, completed: 1, scoreSum: 9))
        let summary = BoardSummary(now: two, changes: [day(100): one, day(103): two])
        let week = summary.history(today: day(104))
        #expect(week.map(\.day.number) == [100, 101, 102, 103, 104])
        #expect(week.map(\.totals) == [one, one, one, two, two])
        // Later the first days are no longer told, but what they left still counts.
        let later = summary.history(today: day(501))
        #expect(later.count == 400 && later.first?.day == day(102) && later.first?.totals == one)
        #expect(summary.history(today: day(502)).first?.totals == two)
        // A clock that is behind the last change.
        #expect(summary.history(today: day(90)).map(\.day.number) == [100, 101, 102, 103])
        #expect(BoardSummary(now: BoardTotals(), changes: [:]).history(today: day(1)).isEmpty)
    }

    @Test("Numbers are written with the fewest digits that give them back")
    func numbers() {
        let summary = BoardSummary(
            now: BoardTotals(participants: 100_000, completed: 1, scoreSum: 232), changes: [:])
        #expect(
            String(decoding: summary.encode(today: Day(number: 0)), as: UTF8.self)
                == #"{"participants":100000,"completed":1,"completionRate":1e-05,"averageScore":232,"history":[]}"#)
    }
}
