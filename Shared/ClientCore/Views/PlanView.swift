import Models

extension Client {
    /// The plan with its weeks, what is to be changed, and what can be chosen from.
    func writePlan(to writer: inout JSONWriter) {
        writer.name("plan")
        if let plan = plans.plan { write(plan, to: &writer) } else { writer.null() }
        writeChange(to: &writer)
        writer.name("conflict")
        if case .conflict(let plan)? = plans.planChange?.state {
            writer.beginObject()
            writer.name("plan")
            if let plan {
                writer.beginObject()
                writer.member("planId", plan.planID.description)
                writer.member("name", plan.name)
                writer.member("start_date", plan.startDate)
                writer.member("weeks", Int64(plan.weeks.count))
                writer.endObject()
            } else {
                writer.null()
            }
            writer.endObject()
        } else {
            writer.null()
        }
        writer.optional("weekly_goal", raw: plans.goal.map { goal in jsonObject { PlanCodec.write(goal, to: &$0) } })
        writer.name("goal_change")
        if let change = plans.goalChange {
            writer.beginObject()
            PlanCodec.write(change.goal ?? WeeklyGoal(), to: &writer)
            var isSending = false
            if case .goalChange(let version)? = link.flight?.errand { isSending = version == change.version }
            write(change.state, isSending: isSending, to: &writer)
            writer.endObject()
        } else {
            writer.null()
        }
        writer.list("templates", plans.templates ?? []) { $0.value($1) }
    }

    private func write(_ plan: WorkoutPlan, to writer: inout JSONWriter) {
        let today = zones.day(at: now)
        let (state, current) = (plan.calendar.state(on: today), plan.calendar.currentWeek(on: today))
        writer.beginObject()
        writer.member("planId", plan.planID.description)
        writer.member("name", plan.name)
        writer.member("start_date", plan.startDate)
        writer.member("state", Self.word(state))
        writer.member("week", Int64(current))
        writer.optional("template_id", plan.templateID)
        writer.name("weeks")
        writer.beginArray()
        for (week, goal) in plan.weeks.enumerated() {
            let days = plan.calendar.days(ofWeek: week)
            let amounts = amounts(in: plan.calendar.days(ofWeek: week, upTo: today))
            writer.beginObject()
            writer.member("week", Int64(week))
            writer.member("from", days.start)
            writer.object("goal") { PlanCodec.write(goal, to: &$0) }
            amounts.write(to: &writer)
            let isMet = goal.isMet(steps: amounts.steps.total, distance: Millimetres(amounts.millimetres.total))
            writer.member("met", isMet && days.start <= today)
            writer.member("state", Self.word(week: week, current: current, state))
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
    }

    private static func word(week: Int, current: Int, _ state: PlanState) -> String {
        switch state {
        case .noPlan, .upcoming: "future"
        case .finished: "past"
        case .active: week < current ? "past" : week == current ? "current" : "future"
        }
    }

    private func writeChange(to writer: inout JSONWriter) {
        writer.name("change")
        guard let change = plans.planChange else { return writer.null() }
        writer.beginObject()
        switch change.kind {
        case .create(let draft):
            writer.member("kind", "create")
            writer.optional("name", draft.name ?? draft.templateID)
            writer.optional("start_date", draft.start.description)
        case .delete:
            writer.member("kind", "delete")
            writer.nullMember("name")
            writer.nullMember("start_date")
        }
        var isSending = false
        if case .planChange(let version)? = link.flight?.errand { isSending = version == change.version }
        write(change.state, isSending: isSending, to: &writer)
        writer.endObject()
    }

    /// How a change stands, and why it was refused.
    func write(_ state: ChangeState, isSending: Bool, to writer: inout JSONWriter) {
        switch state {
        case .waiting: writer.member("state", isSending ? "sending" : "waiting")
        case .refused: writer.member("state", "refused")
        case .conflict: writer.member("state", "conflict")
        }
        writer.optional("reason", raw: state.reason?.record)
    }
}
