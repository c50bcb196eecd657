/// One page of what changed of a user since a cursor.
public struct ChangesPage: Hashable, Sendable {
    /// Something of which a user has one or none.
    public enum Change<Value: Hashable & Sendable>: Hashable, Sendable {
        /// It did not change: the member is left out.
        case unchanged
        /// It is now this, or gone: the member is `null` then.
        case now(Value?)
    }

    /// The workouts, oldest change first.
    public var workouts: [ChangedWorkout]
    /// The current plan.
    public var plan: Change<WorkoutPlan>
    /// The recurring goal.
    public var weeklyGoal: Change<WeeklyGoal>
    /// The profile.
    public var profile: Change<Profile>
    /// From where to go on, also when there is nothing more now.
    public var next: ChangesCursor
    /// Whether there is more to fetch at once.
    public var hasMore: Bool

    /// Joins the parts.
    public init(
        workouts: [ChangedWorkout], plan: Change<WorkoutPlan> = .unchanged,
        weeklyGoal: Change<WeeklyGoal> = .unchanged, profile: Change<Profile> = .unchanged, next: ChangesCursor,
        hasMore: Bool
    ) {
        self.workouts = workouts
        self.plan = plan
        self.weeklyGoal = weeklyGoal
        self.profile = profile
        self.next = next
        self.hasMore = hasMore
    }

    /// The body of an answer.
    public func encode() -> [UInt8] {
        var writer = JSONWriter(reserving: 512 + workouts.count * 272)
        writer.beginObject()
        writer.array("workouts", workouts) { $0.changedWorkout($1) }
        Self.write("plan", plan, to: &writer) { $0.plan($1) }
        Self.write("weekly_goal", weeklyGoal, to: &writer) { $0.recurringGoal($1) }
        Self.write("profile", profile, to: &writer) { $0.profile($1) }
        writer.member("nextCursor", next.text)
        writer.member("more", hasMore)
        writer.endObject()
        return writer.bytes
    }

    private static func write<Value>(
        _ name: MemberName, _ change: Change<Value>, to writer: inout JSONWriter,
        _ write: (inout JSONWriter, Value) -> Void
    ) {
        guard case .now(let value) = change else { return }
        writer.name(name)
        if let value { write(&writer, value) } else { writer.null() }
    }
}
