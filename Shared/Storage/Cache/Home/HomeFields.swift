internal import Models

/// How a user's hash in Redis spells things.
enum HomeFields {
    /// For which pair of servers the hash was written (`CacheGeneration`).
    static let generation = "g"
    /// Days from this one on, the plan, the goal and the profile are all there.
    static let complete = "complete"
    /// Who is filling the hash; whoever is not named here any more must not.
    static let lease = "lease"
    /// The user's revision in the snapshot of the last fill.
    static let through = "through"
    static let plan = "plan"
    static let goal = "goal"
    static let profile = "profile"
    /// What has one field each, in the order in which a selection asks for it.
    static let settings = [generation, complete, plan, goal, profile]

    static func value(of row: DayTotalsRow) -> String {
        // Put together from few pieces: one is written for each workout, and interpolation costs several times as much.
        var text = String(row.totals.steps)
        text += ":"
        text += String(row.totals.distance.count)
        text += ":"
        text += String(row.totals.workouts)
        return text
    }

    static func value(of plan: WorkoutPlan?) -> String {
        plan.map { String(decoding: $0.storedForm(), as: UTF8.self) } ?? ""
    }

    /// Steps and millimetres; an empty part is a goal that is not set.
    static func value(of goal: WeeklyGoal?) -> String {
        guard let goal else { return "" }
        return "\(goal.steps.map(String.init) ?? ""):\(goal.distance.map { String($0.count) } ?? "")"
    }

    static func value(of profile: Profile?) -> String {
        profile.map { "\($0.weekStart.rawValue):\($0.timeZone)" } ?? ""
    }

    static func row(_ bytes: ArraySlice<UInt8>, user: UserID, day: Day) -> DayTotalsRow? {
        var field = FieldReader(bytes)
        guard let revision = field.number(), field.colon(), let steps = field.number(), field.colon(),
            let millimetres = field.number(), field.colon(),
            let workouts = field.number().flatMap(Int32.init(exactly:)),
            field.isAtEnd
        else { return nil }
        let totals = DayTotals(steps: steps, distance: Millimetres(millimetres), workouts: workouts)
        return DayTotalsRow(user: user, day: day, totals: totals, revision: revision)
    }

    static func plan(_ bytes: ArraySlice<UInt8>) -> Revised<WorkoutPlan>? {
        revised(bytes) { field in WorkoutPlan(storedForm: field.rest) }
    }

    static func goal(_ bytes: ArraySlice<UInt8>) -> Revised<WeeklyGoal>? {
        revised(bytes) { field in
            let steps = field.number()
            guard field.colon() else { return nil }
            let distance = field.number()
            return field.isAtEnd ? WeeklyGoal(steps: steps, distance: distance.map { Millimetres($0) }) : nil
        }
    }

    static func profile(_ bytes: ArraySlice<UInt8>) -> Revised<Profile>? {
        revised(bytes) { field in
            guard let weekStart = field.number().flatMap(Int16.init(exactly:)).flatMap(WeekStart.init(rawValue:)),
                field.colon(), let zone = String(checking: field.rest)
            else { return nil }
            return Profile(timeZone: zone, weekStart: weekStart)
        }
    }

    /// Reads `revision:value`; an empty value is one that was taken away.
    private static func revised<Value>(
        _ bytes: ArraySlice<UInt8>, _ read: (inout FieldReader) -> Value?
    ) -> Revised<Value>? {
        var field = FieldReader(bytes)
        guard let revision = field.number(), field.colon() else { return nil }
        if field.isAtEnd { return Revised(revision: revision, value: nil) }
        return read(&field).map { Revised(revision: revision, value: $0) }
    }
}
