import Models

/// Plan, weekly goal and profile as the server holds them, and what this device wants changed.
struct PlanRoom {
    var plan: WorkoutPlan?
    var goal: WeeklyGoal?
    var profile: Profile?
    /// The templates as the server lists them.
    var templates: [JSONValue]?
    var planChange: PlanChange?
    var goalChange: GoalChange?
    var profileChange: ProfileChange?

    // Not stored.
    var wantsTemplates = false
    var failure: String?
    private var lastVersion: Int64 = 0

    /// A number that no change had before: an answer is for the change that was sent, not for one that replaced it.
    mutating func newVersion() -> Int64 {
        lastVersion += 1
        return lastVersion
    }
}

/// How a change stands.
enum ChangeState {
    case waiting
    case refused(Reason)
    /// Another plan is current on the server: that one, or none.
    case conflict(WorkoutPlan?)

    /// Whether it is to be sent.
    var isWaiting: Bool {
        if case .waiting = self { return true }
        return false
    }

    /// The reason of a refusal.
    var reason: Reason? {
        if case .refused(let reason) = self { return reason }
        return nil
    }

    func write(to writer: inout JSONWriter) {
        if let reason { writer.optional("refused", raw: reason.record) }
        if case .conflict(let plan) = self {
            writer.object("conflict") { $0.optional("plan", raw: plan?.encode()) }
        }
    }

    init(_ value: JSONValue) {
        if let reason = value.object("refused") {
            self = .refused(Reason(reason))
        } else if let conflict = value.object("conflict") {
            self = .conflict(conflict.object("plan").flatMap { PlanCodec.plan($0) })
        } else {
            self = .waiting
        }
    }
}

/// The recurring goal that the user wants; nil: none.
struct GoalChange {
    var goal: WeeklyGoal?
    var state = ChangeState.waiting
    var version: Int64 = 0

    init(goal: WeeklyGoal?, version: Int64) {
        self.goal = goal
        self.version = version
    }

    init(_ value: JSONValue) {
        goal = value.object("goal").flatMap { PlanCodec.goal($0) }
        state = ChangeState(value)
    }

    var record: [UInt8] {
        jsonObject { writer in
            writer.optional("goal", raw: goal?.encode())
            state.write(to: &writer)
        }
    }
}

/// The profile that the user wants; nil: as it is.
struct ProfileChange {
    var timeZone: String?
    var weekStart: WeekStart?
    var state = ChangeState.waiting
    var version: Int64 = 0

    init(timeZone: String?, weekStart: WeekStart?, version: Int64) {
        self.timeZone = timeZone
        self.weekStart = weekStart
        self.version = version
    }

    init(_ value: JSONValue) {
        timeZone = value.text("time_zone").flatMap { ZoneTable.isName($0) ? $0 : nil }
        weekStart = value.text("week_start").flatMap { PlanCodec.weekStart($0) }
        state = ChangeState(value)
    }

    /// The body that the server takes, which is also most of the stored form.
    var body: [UInt8] { jsonObject { write(to: &$0) } }

    var record: [UInt8] {
        jsonObject { writer in
            write(to: &writer)
            state.write(to: &writer)
        }
    }

    private func write(to writer: inout JSONWriter) {
        if let timeZone { writer.member("time_zone", timeZone) }
        if let weekStart { writer.member("week_start", PlanCodec.word(weekStart)) }
    }
}
