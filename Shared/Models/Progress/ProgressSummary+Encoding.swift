extension ProgressSummary {
    /// The body without `asOf`: the bytes over which the `ETag` is taken.
    public func encodeWithoutAsOf() -> [UInt8] {
        // With room for `asOf`.
        var writer = JSONWriter(reserving: 768)
        writer.beginObject()
        if let planName { writer.member("planName", planName) } else { writer.nullMember("planName") }
        writer.member("planState", planState.rawValue)
        writer.member("currentWeek", Int64(currentWeek))
        writer.member("totalWeeksInPlan", Int64(totalWeeks))
        writer.member("currentDayGoal", weeklyGoal?.stepsOfDay ?? 0)
        writer.array("currentWeekSteps", lastSeven) { $0.integer($1.steps) }
        writer.member("today", today)
        writer.array("days", DaySpan.lastSeven(to: today).reversed()) { $0.day($1) }
        writer.array("currentWeekDistances", lastSeven) { $0.metres($1.distance) }
        writer.member("currentDaySteps", lastSeven.first?.steps ?? 0)
        writer.member("currentDayDistance", lastSeven.first?.distance ?? .zero)
        writer.member("weekSteps", week.steps)
        writer.member("weekDistance", week.distance)
        writer.name("weeklyGoal")
        if let weeklyGoal { writer.goal(weeklyGoal) } else { writer.null() }
        writer.member("goalSource", goalSource.rawValue)
        writer.member("time_zone", timeZone)
        writer.endObject()
        return writer.bytes
    }

    /// The whole body.
    public func encode(asOf: Timestamp) -> [UInt8] { Self.body(encodeWithoutAsOf(), asOf: asOf) }

    /// The whole body made of what `encodeWithoutAsOf` wrote, for a caller that took the `ETag` over it; `asOf` comes last.
    public static func body(_ withoutAsOf: consuming [UInt8], asOf: Timestamp) -> [UInt8] {
        var writer = JSONWriter(reopening: consume withoutAsOf)
        writer.member("asOf", asOf)
        writer.endObject()
        return writer.bytes
    }
}

extension JSONWriter {
    /// Writes a member whose value is an array.
    mutating func array<Elements: Sequence>(
        _ name: MemberName, _ elements: Elements, each write: (inout JSONWriter, Elements.Element) -> Void
    ) {
        self.name(name)
        beginArray()
        for element in elements { write(&self, element) }
        endArray()
    }
}
