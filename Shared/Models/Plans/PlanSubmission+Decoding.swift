extension PlanSubmission {
    /// Checks a new plan against every rule of the contract and lists all that it breaks.
    ///
    /// A member that is `null` counts as left out if it is optional, except `replaces`, where it means "none". Unknown members are
    /// ignored. Weeks must come in order; in a list of more than 104 only the length is called a fault. Never traps,
    /// whatever was sent.
    /// - Parameter today: the day that the clock of the user's zone shows now.
    public static func decode(_ value: JSONValue, today: Day) -> Checked<PlanSubmission> {
        guard case .object = value else {
            return .invalid([
                Fault(pointer: "", detail: "must be an object that describes a plan, not \(value.kindName)")
            ])
        }
        var reader = MemberReader(value)
        let hasTemplate = value.has("templateId")
        let requestID = reader.uuid("requestId")
        let name = reader.planName("planName", isRequired: !hasTemplate)
        let startDate = reader.startDate("startDate", today: today)
        let weeks = reader.weeks("weekly_goals", of: value)
        let template = hasTemplate ? reader.template("templateId") : nil
        if hasTemplate == value.has("weekly_goals") {
            reader.faults.add(
                hasTemplate ? "/templateId" : "/weekly_goals",
                hasTemplate
                    ? "must not come together with weekly_goals: a plan has the one or the other"
                    : "is required unless there is a templateId: an array of weekly goals")
        }
        let replaces = reader.replaces("replaces", of: value)
        guard reader.faults.isEmpty, let requestID, let startDate, let replaces,
            let name = name ?? template?.name, let weeks = weeks ?? template?.weeks
        else { return .invalid(reader.faults.faults) }
        return .valid(
            PlanSubmission(
                requestID: RequestID(requestID.value), requestIDText: requestID.text, name: name,
                isNameOfTemplate: !value.has("planName"), startDate: startDate, weeks: weeks,
                templateID: template?.id, replaces: replaces))
    }
}

/// The rules of a plan's members; each answers nil for what is faulty or left out.
extension MemberReader {
    fileprivate mutating func planName(_ name: String, isRequired: Bool) -> String? {
        guard let text = string(name, isRequired: isRequired, expected: "a text in a string") else { return nil }
        guard TextRule.accepts(text) else {
            return fault(name, "must have 1 to 100 characters besides white space at its ends, no control characters")
        }
        return text
    }

    fileprivate mutating func startDate(_ name: String, today: Day) -> Day? {
        guard let text = string(name, isRequired: true, expected: "a day in a string, YYYY-MM-DD") else { return nil }
        guard let day = Day(parsing: text) else { return fault(name, "must be a day of the calendar, YYYY-MM-DD") }
        guard day >= PlanLimits.earliestStart else { return fault(name, "must not be before 2000-01-01") }
        guard day <= today.advanced(by: PlanLimits.daysAhead) else {
            return fault(name, "must be at most 400 days after today")
        }
        return day
    }

    fileprivate mutating func template(_ name: String) -> PlanTemplate? {
        guard let text = string(name, isRequired: true, expected: "the id of a template in a string") else {
            return nil
        }
        return PlanTemplate.named(text) ?? fault(name, "is not the id of a template, see /v1/plan_templates")
    }

    fileprivate mutating func replaces(_ name: String, of object: JSONValue) -> ExpectedPlan? {
        guard let value = object[member: name] else { return .unstated }
        if case .null = value { return .noPlan }
        return uuid(name).map { .plan($0.value) }
    }

    fileprivate mutating func weeks(_ name: String, of object: JSONValue) -> [WeeklyGoal]? {
        guard object.has(name), let value = object[member: name] else { return nil }
        guard case .array(let items) = value else {
            return fault(name, "must be an array of weekly goals, not \(value.kindName)")
        }
        guard !items.isEmpty, items.count <= PlanLimits.weeks else {
            return fault(name, "must have 1 to 104 weeks, not \(items.count)")
        }
        var weeks: [WeeklyGoal] = []
        for (index, item) in items.enumerated() {
            if let goal = week(item, index: index, pointer: "/\(name)/\(index)") { weeks.append(goal) }
        }
        return weeks.count == items.count ? weeks : nil
    }

    private mutating func week(_ item: JSONValue, index: Int, pointer: String) -> WeeklyGoal? {
        guard case .object = item else {
            faults.add(pointer, "must be an object with week and steps or distance, not \(item.kindName)")
            return nil
        }
        var reader = MemberReader(item)
        if let number = reader.number("week", expected: "the number of the week"),
            number.exactInteger != Int64(index)
        {
            reader.faults.add("/week", "must be \(index): weeks are numbered 0, 1, 2, … in order, without a hole")
        }
        let goal = reader.goal(of: item)
        for fault in reader.faults.faults { faults.add(pointer + fault.pointer, fault.detail) }
        return goal
    }
}
