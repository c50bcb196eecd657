/// What to reach in one week: steps, distance or both; what is nil is no goal.
public struct WeeklyGoal: Hashable, Sendable {
    /// Steps of the week, 0 … 10 000 000; nil without a step goal.
    public var steps: Int64?
    /// The way of the week, 0 … 10 000 km; nil without a distance goal.
    public var distance: Millimetres?

    /// Joins the parts; the rules are not checked, decoding does that.
    public init(steps: Int64? = nil, distance: Millimetres? = nil) {
        self.steps = steps
        self.distance = distance
    }

    /// Whether every goal that the week has is reached: exactly reached is reached, one step less is not.
    public func isMet(steps: Int64, distance: Millimetres) -> Bool {
        steps >= (self.steps ?? .min) && distance >= (self.distance ?? Millimetres(.min))
    }

    /// The step goal of one day: a seventh of the week's, rounded up; 0 without a step goal.
    public var stepsOfDay: Int64 {
        guard let steps, steps > 0 else { return 0 }
        return steps / 7 + (steps % 7 > 0 ? 1 : 0)
    }
}

/// The bounds of plans and goals.
public enum PlanLimits {
    /// The most steps of one week.
    public static let steps: Int64 = 10_000_000
    /// The longest way of one week, in metres.
    public static let metres: UInt32 = 10_000_000
    /// The most weeks of a plan.
    public static let weeks = 104
    /// The first day on which a plan can start: 2000-01-01.
    public static let earliestStart = Day(number: 10_957)
    /// How many days after today a plan can start.
    public static let daysAhead = 400
}
