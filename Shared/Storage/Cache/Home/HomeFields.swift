internal import Models

/// How a user's hash in Redis spells things.
enum HomeFields {
    /// For which pair of servers the hash was written (`CacheGeneration`).
    static let generation = "g"
    /// Days from this one on, the plan, the goal and the profile are all there.
    static let complete = "complete"
    /// Who is filling the hash; whoever is not named here any more must not.
    static let lease = "lease"
    static let plan = "plan"
    static let goal = "goal"
    static let profile = "profile"

    static func value(of row: DayTotalsRow) -> String {
        "\(row.totals.steps):\(row.totals.distance.count):\(row.totals.workouts)"
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

    /// Splits `revision:value`.
    static func split(_ text: String) -> (revision: Int64, value: Substring)? {
        guard let colon = text.firstIndex(of: ":"), let revision = Int64(text[..<colon]) else { return nil }
        return (revision, text[text.index(after: colon)...])
    }

    static func row(_ text: String, user: UserID, day: Day) -> DayTotalsRow? {
        guard let (revision, value) = split(text) else { return nil }
        let parts = value.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, let steps = Int64(parts[0]), let millimetres = Int64(parts[1]),
            let workouts = Int32(parts[2])
        else { return nil }
        let totals = DayTotals(steps: steps, distance: Millimetres(millimetres), workouts: workouts)
        return DayTotalsRow(user: user, day: day, totals: totals, revision: revision)
    }

    static func plan(_ text: String) -> Revised<WorkoutPlan>? {
        guard let (revision, value) = split(text) else { return nil }
        guard !value.isEmpty else { return Revised(revision: revision, value: nil) }
        guard let plan = WorkoutPlan(storedForm: Array(value.utf8)) else { return nil }
        return Revised(revision: revision, value: plan)
    }

    static func goal(_ text: String) -> Revised<WeeklyGoal>? {
        guard let (revision, value) = split(text) else { return nil }
        guard !value.isEmpty else { return Revised(revision: revision, value: nil) }
        let parts = value.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let goal = WeeklyGoal(steps: Int64(parts[0]), distance: Int64(parts[1]).map { Millimetres($0) })
        return Revised(revision: revision, value: goal)
    }

    static func profile(_ text: String) -> Revised<Profile>? {
        guard let (revision, value) = split(text) else { return nil }
        guard !value.isEmpty else { return Revised(revision: revision, value: nil) }
        guard let (number, zone) = split(String(value)), let raw = Int16(exactly: number),
            let weekStart = WeekStart(rawValue: raw)
        else { return nil }
        return Revised(revision: revision, value: Profile(timeZone: String(zone), weekStart: weekStart))
    }
}
