/// A new plan as a client sent it, checked against every rule of its form.
public struct PlanSubmission: Equatable, Sendable {
    /// The client's name for the call, which makes it safe to repeat.
    public var requestID: RequestID
    /// The same as it was spelt, for the answer.
    public var requestIDText: String
    /// The name of the plan; the template's if none was sent.
    public var name: String
    /// Whether no name was sent.
    public var isNameOfTemplate: Bool
    /// The first day of week 0.
    public var startDate: Day
    /// The goals of the weeks 0, 1, 2, …: 1 … 104, the template's if one was named.
    public var weeks: [WeeklyGoal]
    /// The template that was named; nil if the goals were sent.
    public var templateID: String?
    /// Which plan the client believes to be current.
    public var replaces: ExpectedPlan

    /// Joins the parts; the rules are not checked, `decode` does that.
    public init(
        requestID: RequestID, requestIDText: String, name: String, isNameOfTemplate: Bool = false, startDate: Day,
        weeks: [WeeklyGoal], templateID: String? = nil, replaces: ExpectedPlan = .unstated
    ) {
        self.requestID = requestID
        self.requestIDText = requestIDText
        self.name = name
        self.isNameOfTemplate = isNameOfTemplate
        self.startDate = startDate
        self.weeks = weeks
        self.templateID = templateID
        self.replaces = replaces
    }

    /// What a repeat is compared with.
    public var content: PlanContent {
        PlanContent(
            name: isNameOfTemplate ? nil : name, startDate: startDate,
            goals: templateID.map { .template($0) } ?? .weeks(weeks))
    }

    /// The plan that the server makes of it.
    public func plan(id: UUIDValue, createdAt: Timestamp) -> WorkoutPlan {
        WorkoutPlan(
            planID: id, requestID: requestID, name: name, isNameOfTemplate: isNameOfTemplate, startDate: startDate,
            weeks: weeks, createdAt: createdAt, templateID: templateID)
    }
}
