extension WeeklyGoal {
    /// The body of an answer about the recurring goal: only the goal that there is, as it was put.
    public func encode() -> [UInt8] {
        var writer = JSONWriter(reserving: 48)
        writer.recurringGoal(self)
        return writer.bytes
    }

    /// The weeks of a plan as compact JSON for a column or a cache: `[[20000,5000000],[null,1]]`, distances in millimetres.
    public static func storedForm(_ weeks: [WeeklyGoal]) -> [UInt8] {
        var writer = JSONWriter(reserving: 2 + weeks.count * 18)
        writer.storedWeeks(weeks)
        return writer.bytes
    }

    /// Reads what `storedForm` wrote; nil for anything that is no list of 1 … 104 goals within the bounds.
    public static func weeks(storedForm bytes: [UInt8]) -> [WeeklyGoal]? {
        do throws(JSONError) {
            return weeks(stored: try JSONValue.parse(bytes))
        } catch {
            return nil
        }
    }

    static func weeks(stored value: JSONValue) -> [WeeklyGoal]? {
        guard case .array(let items) = value, !items.isEmpty, items.count <= PlanLimits.weeks else { return nil }
        var weeks: [WeeklyGoal] = []
        weeks.reserveCapacity(items.count)
        for item in items {
            guard case .array(let pair) = item, pair.count == 2,
                let steps = storedGoal(pair[0], upTo: PlanLimits.steps),
                let distance = storedGoal(pair[1], upTo: Int64(PlanLimits.metres) * 1000),
                max(steps ?? 0, distance ?? 0) > 0
            else { return nil }
            weeks.append(WeeklyGoal(steps: steps, distance: distance.map { Millimetres($0) }))
        }
        return weeks
    }

    /// One goal, or nil within the optional where the week has none; nil itself if it is neither.
    private static func storedGoal(_ value: JSONValue, upTo most: Int64) -> Int64?? {
        switch value {
        case .null: return .some(nil)
        case .number(let number):
            guard let goal = number.exactInteger, (0...most).contains(goal) else { return nil }
            return goal
        default: return nil
        }
    }
}

extension JSONWriter {
    /// Writes `{"steps":35000,"distance":null}`.
    mutating func goal(_ goal: WeeklyGoal) {
        beginObject()
        goalMembers(goal)
        endObject()
    }

    /// Writes `{"steps":35000}`: a recurring goal has exactly one of the two.
    mutating func recurringGoal(_ goal: WeeklyGoal) {
        beginObject()
        if let steps = goal.steps { member("steps", steps) }
        if let distance = goal.distance { member("distance", distance) }
        endObject()
    }

    /// Writes the member `weekly_goals`: `[{"week":0,"steps":20000,"distance":5000}]`.
    mutating func weeklyGoalsMember(_ weeks: [WeeklyGoal]) {
        name("weekly_goals")
        beginArray()
        for (week, goal) in weeks.enumerated() {
            beginObject()
            member("week", Int64(week))
            goalMembers(goal)
            endObject()
        }
        endArray()
    }

    mutating func storedWeeks(_ weeks: [WeeklyGoal]) {
        beginArray()
        for goal in weeks {
            beginArray()
            if let steps = goal.steps { integer(steps) } else { null() }
            if let distance = goal.distance { integer(distance.count) } else { null() }
            endArray()
        }
        endArray()
    }

    private mutating func goalMembers(_ goal: WeeklyGoal) {
        if let steps = goal.steps { member("steps", steps) } else { nullMember("steps") }
        if let distance = goal.distance { member("distance", distance) } else { nullMember("distance") }
    }
}
