/// Reads the stored form of a plan as `WorkoutPlan.storedForm` writes it, byte for byte, without building JSON values.
///
/// Every warm summary reads one. What is not exactly in this form, be it damaged or a name with an escape in it, is for the
/// JSON parser to judge; so the rules are checked in one place more, but never other ones.
struct StoredPlanScanner {
    private let bytes: ArraySlice<UInt8>
    private var position: Int

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    /// The plan; nil if something is out of the ordinary.
    mutating func plan(version: Int64) -> WorkoutPlan? {
        guard take("["), number() == version, take(","), let planID = uuid(),
            take(","), let requestID = uuid(), take(","), let name = text(),
            take(","), let isNameOfTemplate = bool(), take(","), let startDate = day(),
            take(","), let weeks = weeks(), take(","), let created = number(), take(",")
        else { return nil }
        var templateID: String?
        if !take("null") {
            templateID = text()
            if templateID == nil { return nil }
        }
        guard take("]"), position == bytes.endIndex else { return nil }
        return WorkoutPlan(
            planID: planID, requestID: RequestID(requestID), name: name, isNameOfTemplate: isNameOfTemplate,
            startDate: startDate, weeks: weeks, createdAt: Timestamp(milliseconds: created), templateID: templateID)
    }

    private mutating func uuid() -> UUIDValue? {
        guard take("\""), bytes.endIndex - position > 36,
            let id = UUIDValue(parsing: bytes[position..<(position + 36)].span)
        else { return nil }
        position += 36
        return take("\"") ? id : nil
    }

    private mutating func weeks() -> [WeeklyGoal]? {
        guard take("[") else { return nil }
        var weeks: [WeeklyGoal] = []
        weeks.reserveCapacity(16)
        repeat {
            guard take("["), let steps = goal(upTo: PlanLimits.steps), take(","),
                let distance = goal(upTo: Int64(PlanLimits.metres) * 1000), take("]"),
                max(steps ?? 0, distance ?? 0) > 0
            else { return nil }
            weeks.append(WeeklyGoal(steps: steps, distance: distance.map { Millimetres($0) }))
        } while take(",")
        return take("]") && weeks.count <= PlanLimits.weeks ? weeks : nil
    }

    /// A goal, or nil within the optional where there is none.
    private mutating func goal(upTo most: Int64) -> Int64?? {
        if take("null") { return .some(nil) }
        guard let goal = number(), goal <= most else { return nil }
        return goal
    }

    private mutating func day() -> Day? {
        guard let text = piece() else { return nil }
        return Day(parsing: text.span)
    }

    private mutating func text() -> String? { piece().flatMap { String(checking: $0) } }

    /// A string without escapes, as it stands.
    private mutating func piece() -> ArraySlice<UInt8>? {
        guard take("\"") else { return nil }
        let start = position
        while position < bytes.endIndex, bytes[position] != UInt8(ascii: "\"") {
            guard bytes[position] != UInt8(ascii: "\\"), bytes[position] >= 0x20 else { return nil }
            position += 1
        }
        let end = position
        return take("\"") ? bytes[start..<end] : nil
    }

    private mutating func bool() -> Bool? { take("true") ? true : take("false") ? false : nil }

    /// At most eighteen digits, none of them a leading zero.
    private mutating func number() -> Int64? {
        let start = position
        var value: Int64 = 0
        while position < bytes.endIndex, case let digit = bytes[position] &- UInt8(ascii: "0"), digit <= 9 {
            guard position - start < 18 else { return nil }
            value = value * 10 + Int64(digit)
            position += 1
        }
        let hasLeadingZero = position - start > 1 && bytes[start] == UInt8(ascii: "0")
        return position > start && !hasLeadingZero ? value : nil
    }

    /// Takes a text if it is next.
    @inline(__always)
    private mutating func take(_ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard position + count <= bytes.endIndex else { return false }
        for offset in 0..<count where bytes[position + offset] != text.utf8Start[offset] { return false }
        position += count
        return true
    }
}
