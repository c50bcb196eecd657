import Models

/// Reads plans, goals and profiles as the services write them.
enum PlanCodec {
    /// A plan; nil if it is none.
    static func plan(_ value: JSONValue) -> WorkoutPlan? {
        guard let id = value.uuid("planId"), let name = value.text("planName"), let start = value.day("startDate"),
            let weeks = value.list("weekly_goals"), !weeks.isEmpty, weeks.count <= PlanLimits.weeks
        else { return nil }
        var goals: [WeeklyGoal] = []
        for week in weeks { goals.append(goal(week) ?? WeeklyGoal()) }
        return WorkoutPlan(
            planID: id, requestID: RequestID(value.uuid("requestId") ?? UUIDValue(high: 0, low: 0)), name: name,
            startDate: start, weeks: goals, createdAt: Timestamp(milliseconds: value.integer("createdAt") ?? 0),
            templateID: value.text("templateId"))
    }

    /// A goal for steps, distance or both; nil if it has neither or what it has cannot be.
    static func goal(_ value: JSONValue) -> WeeklyGoal? {
        let steps = value.holds("steps") ? value.integer("steps") : nil
        let distance = value.holds("distance") ? value.metres("distance") : nil
        guard value.holds("steps") == (steps != nil), value.holds("distance") == (distance != nil),
            (0...PlanLimits.steps).contains(steps ?? 0), (0...Int64(PlanLimits.metres) * 1000).contains(distance ?? 0),
            (steps ?? 0) > 0 || (distance ?? 0) > 0
        else { return nil }
        return WeeklyGoal(steps: steps, distance: distance.map { Millimetres($0) })
    }

    /// A profile; nil if it is none.
    static func profile(_ value: JSONValue) -> Profile? {
        guard let zone = value.text("time_zone"), ZoneTable.isName(zone) else { return nil }
        return Profile(timeZone: zone, weekStart: value.text("week_start").flatMap { weekStart($0) } ?? .monday)
    }

    /// The day on which weeks begin; nil for any other word.
    static func weekStart(_ word: String) -> WeekStart? {
        same(word, "monday") ? .monday : same(word, "sunday") ? .sunday : same(word, "saturday") ? .saturday : nil
    }

    /// The word of a day on which weeks begin.
    static func word(_ start: WeekStart) -> String {
        switch start {
        case .monday: "monday"
        case .sunday: "sunday"
        case .saturday: "saturday"
        }
    }

    /// Writes steps and distance of a goal, null for what it lacks.
    static func write(_ goal: WeeklyGoal, to writer: inout JSONWriter) {
        writer.optional("steps", goal.steps)
        writer.optional("distance", goal.distance)
    }
}
