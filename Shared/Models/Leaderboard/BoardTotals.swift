/// The sums of a challenge, from which its two measures come.
public struct BoardTotals: Hashable, Sendable {
    /// Athletes who have signed up.
    public var participants: Int64
    /// Those of them with a score.
    public var completed: Int64
    /// The sum of the scores; beyond 64 bits, because a million scores may each have 53.
    public var scoreSum: Int128

    /// Joins the parts; without arguments, nobody.
    public init(participants: Int64 = 0, completed: Int64 = 0, scoreSum: Int128 = 0) {
        self.participants = participants
        self.completed = completed
        self.scoreSum = scoreSum
    }

    /// Counts an athlete in.
    public mutating func add(_ score: Int64?) {
        participants += 1
        if let score {
            completed += 1
            scoreSum += Int128(score)
        }
    }

    /// Counts an athlete out.
    public mutating func remove(_ score: Int64?) {
        participants -= 1
        if let score {
            completed -= 1
            scoreSum -= Int128(score)
        }
    }

    /// The part of the athletes who have a score: the double nearest to the quotient, 0 without athletes.
    public var completionRate: Double {
        participants > 0 ? Self.quotient(Int128(completed), participants) : 0
    }

    /// The mean of the scores: the double nearest to the quotient of the integers; nil without scores.
    public var averageScore: Double? { completed > 0 ? Self.quotient(scoreSum, completed) : nil }

    /// The double nearest to a quotient, ties to even, as Python's `/` of integers gives it.
    ///
    /// Below 2^53 the processor's division does that. Beyond, the sum itself would be rounded first; so the quotient is computed with
    /// at least 64 bits and one more that stands for the rest, which rounds the same way.
    static func quotient(_ sum: Int128, _ count: Int64) -> Double {
        let magnitude = sum.magnitude
        if magnitude < 1 << 53, count < 1 << 53 { return Double(Int64(sum)) / Double(count) }
        let shift = magnitude.leadingZeroBitCount
        let (quotient, rest) = (magnitude << shift).quotientAndRemainder(dividingBy: UInt128(count.magnitude))
        let value = Double(sign: .plus, exponent: -shift, significand: Double(quotient | (rest == 0 ? 0 : 1)))
        return sum < 0 ? -value : value
    }
}

extension JSONWriter {
    /// Writes the members of the two measures.
    mutating func members(_ totals: BoardTotals) {
        member("participants", totals.participants)
        member("completed", totals.completed)
        name("completionRate")
        number(totals.completionRate)
        name("averageScore")
        if let average = totals.averageScore { number(average) } else { null() }
    }

    /// Writes a finite double with the fewest digits that give it back: 100.4, 232, 1e-05.
    private mutating func number(_ value: Double) {
        let text: Swift.String = "\(value)"
        raw(Array((text.hasSuffix(".0") ? text.dropLast(2) : text[...]).utf8))
    }
}
