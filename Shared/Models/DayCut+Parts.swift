extension DayCut {
    /// What each day gets of a workout that was cut into these segments, in order of the days.
    ///
    /// Steps and millimetres are shared out in proportion to time by largest remainder (Hamilton's method), ties to the
    /// earlier day: the parts add up to the whole exactly and each lies within one of its exact share. A day that comes in
    /// two segments is one part.
    ///
    /// - Returns: nothing when a segment is empty or reversed, or when together they last longer than ``longestSpan``.
    ///   Counts below zero are taken as zero.
    public static func parts(of segments: [DaySegment], steps: Int32, distance: Millimetres) -> [DayPart] {
        if segments.count == 1, let only = segments.first { return undivided(only, steps, distance) }
        guard segments.allSatisfy({ length(from: $0.from, to: $0.to) != nil }) else { return [] }
        var parts = days(of: segments) { $0.milliseconds }
        let whole = parts.reduce(0) { $0 &+ $1.milliseconds }
        guard whole > 0, whole <= longestSpan else { return [] }
        let stepShares = shares(of: max(0, Int64(steps)), among: parts, whole: whole)
        let distanceShares = shares(of: max(0, distance.count), among: parts, whole: whole)
        for index in parts.indices {
            parts[index].steps = Int32(truncatingIfNeeded: stepShares[index])
            parts[index].distance = Millimetres(distanceShares[index])
        }
        return parts
    }

    /// Everything belongs to one day: nothing to share out.
    private static func undivided(_ segment: DaySegment, _ steps: Int32, _ distance: Millimetres) -> [DayPart] {
        guard let length = length(from: segment.from, to: segment.to) else { return [] }
        return [DayPart(day: segment.day, milliseconds: length, steps: max(0, steps), distance: max(.zero, distance))]
    }

    /// The distinct days of the segments in order, each with the sum of what `count` finds in its segments.
    static func days(of segments: [DaySegment], counting count: (DaySegment) -> Int64) -> [DayPart] {
        var parts: [DayPart] = []
        for segment in segments {
            let index = parts.firstIndex { $0.day >= segment.day } ?? parts.count
            if index == parts.count || parts[index].day != segment.day {
                parts.insert(DayPart(day: segment.day, milliseconds: 0), at: index)
            }
            parts[index].milliseconds &+= count(segment)
        }
        return parts
    }

    /// `value × part ÷ whole`, rounded down, and the remainder of the division.
    ///
    /// The largest workout would fit a plain product: 500 000 000 mm × 172 800 000 ms = 8.64 × 10^16, where Int64 ends at
    /// 9.22 × 10^18. Dividing first keeps every value in range: with value = q × whole + r the answer is
    /// q × part + (r × part) ÷ whole, where q × part ≤ value and r × part < 172 800 000² = 2.99 × 10^16.
    ///
    /// - Parameters:
    ///   - value: at least 0.
    ///   - part: 0 … `whole`.
    ///   - whole: 1 … ``longestSpan``.
    static func share(_ value: Int64, of part: Int64, in whole: Int64) -> (quotient: Int64, remainder: Int64) {
        let (often, rest) = value.quotientAndRemainder(dividingBy: whole)
        let (extra, remainder) = (rest * part).quotientAndRemainder(dividingBy: whole)
        return (often * part + extra, remainder)
    }

    /// Shares out a value by largest remainder; `whole` is the sum of the parts' milliseconds.
    private static func shares(of value: Int64, among parts: [DayPart], whole: Int64) -> [Int64] {
        var left = value
        var shares: [Int64] = []
        var remainders: [Int64] = []
        for part in parts {
            let (quotient, remainder) = share(value, of: part.milliseconds, in: whole)
            shares.append(quotient)
            remainders.append(remainder)
            left -= quotient
        }
        // The remainders add up to left × whole and each is below whole: more of them are above zero than units are left.
        while left > 0, let largest = remainders.max(), let first = remainders.firstIndex(of: largest) {
            shares[first] += 1
            remainders[first] = 0
            left -= 1
        }
        return shares
    }
}
