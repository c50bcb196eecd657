/// What makes two calls under one requestId the same plan: everything of it as it was sent.
///
/// What was left out stays left out: a plan from a template is equal to a repeat of its call even after the template itself
/// has changed. The precondition `replaces` says when to make the plan, not what it is, and plays no part.
public struct PlanContent: Equatable, Sendable {
    /// Where the goals come from.
    public enum Goals: Equatable, Sendable {
        /// They were sent.
        case weeks([WeeklyGoal])
        /// A template was named.
        case template(String)
    }

    /// The name as sent; nil if it was left out, then the template's holds.
    public var name: String?
    /// The first day.
    public var startDate: Day
    /// The goals, or whose they are.
    public var goals: Goals

    /// Joins the parts.
    public init(name: String?, startDate: Day, goals: Goals) {
        self.name = name
        self.startDate = startDate
        self.goals = goals
    }

    /// Equal when the values are; names byte by byte, since they are returned as sent.
    public static func == (left: PlanContent, right: PlanContent) -> Bool {
        hasSameName(left.name, right.name) && left.startDate == right.startDate && left.goals == right.goals
    }

    private static func hasSameName(_ left: String?, _ right: String?) -> Bool {
        guard let left, let right else { return left == nil && right == nil }
        return hasSameBytes(left, right)
    }
}
