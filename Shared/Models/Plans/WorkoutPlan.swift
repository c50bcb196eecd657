/// A plan: goals for some weeks in a row, counted from the day on which it starts.
public struct WorkoutPlan: Hashable, Sendable {
    /// The server's name of the plan.
    public var planID: UUIDValue
    /// The client's name of the call that made it.
    public var requestID: RequestID
    /// Its name, as sent or the template's.
    public var name: String
    /// Whether no name was sent, so that the template's is shown; only for recognising a repeat.
    public var isNameOfTemplate: Bool
    /// The first day of week 0, a date in whatever zone the user is.
    public var startDate: Day
    /// The goals of its weeks, from week 0 on.
    public var weeks: [WeeklyGoal]
    /// When the server made it.
    public var createdAt: Timestamp
    /// The template from which the goals are; nil if they were sent.
    public var templateID: String?

    /// Joins the parts.
    public init(
        planID: UUIDValue, requestID: RequestID, name: String, isNameOfTemplate: Bool = false, startDate: Day,
        weeks: [WeeklyGoal], createdAt: Timestamp, templateID: String? = nil
    ) {
        self.planID = planID
        self.requestID = requestID
        self.name = name
        self.isNameOfTemplate = isNameOfTemplate
        self.startDate = startDate
        self.weeks = weeks
        self.createdAt = createdAt
        self.templateID = templateID
    }

    /// What a repeat of the call is compared with.
    public var content: PlanContent {
        PlanContent(
            name: isNameOfTemplate ? nil : name, startDate: startDate,
            goals: templateID.map { .template($0) } ?? .weeks(weeks))
    }

    /// Its weeks on the calendar.
    public var calendar: PlanCalendar { PlanCalendar(start: startDate, weekCount: weeks.count) }
}

extension WorkoutPlan {
    /// The body of an answer.
    ///
    /// - Parameters:
    ///   - isCurrent: false for the answer to a repeat after the plan was replaced or deleted; only then the body says so.
    ///   - requestIDText: the requestId as the answered request spelt it; in lowercase if nil.
    public func encode(isCurrent: Bool = true, requestIDText: String? = nil) -> [UInt8] {
        var writer = JSONWriter(reserving: 256 + weeks.count * 52)
        writer.plan(self, isCurrent: isCurrent, requestIDText: requestIDText)
        return writer.bytes
    }
}

extension JSONWriter {
    /// Writes a plan as answers show it.
    mutating func plan(_ plan: WorkoutPlan, isCurrent: Bool = true, requestIDText: String? = nil) {
        beginObject()
        planMembers(plan, requestIDText: requestIDText)
        if !isCurrent { member("current", false) }
        endObject()
    }

    /// Writes the members of a plan into an open object.
    mutating func planMembers(_ plan: WorkoutPlan, requestIDText: String? = nil) {
        member("planId", plan.planID.description)
        member("requestId", requestIDText ?? plan.requestID.description)
        member("planName", plan.name)
        member("startDate", plan.startDate)
        weeklyGoalsMember(plan.weeks)
        member("createdAt", plan.createdAt)
        if let templateID = plan.templateID { member("templateId", templateID) } else { nullMember("templateId") }
    }
}
