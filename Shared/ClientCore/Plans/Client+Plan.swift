import Models

extension Client {
    /// The user wants another plan; what the server holds now is what it replaces.
    func createPlan(_ event: JSONValue) -> Bool {
        guard let start = event.day("start_date") else { return false }
        var goals: [WeeklyGoal] = []
        let template = event.text("template_id")
        if template == nil {
            guard let weeks = event.list("weekly_goals"), !weeks.isEmpty, weeks.count <= PlanLimits.weeks,
                event.text("plan_name") != nil
            else { return false }
            for week in weeks {
                guard let goal = PlanCodec.goal(week) else { return false }
                goals.append(goal)
            }
        }
        setPlanChange(
            .create(
                PlanChange.Draft(
                    requestID: random.requestID(at: now), name: event.text("plan_name"), start: start,
                    templateID: template, goals: goals, replaces: plans.plan?.planID, supersedes: waitingDraft)))
        return true
    }

    private var waitingDraft: UUIDValue? {
        guard let change = plans.planChange, change.state.isWaiting, case .create(let draft) = change.kind else {
            return nil
        }
        return draft.requestID
    }

    /// The user wants no plan.
    func deletePlan() {
        guard let plan = plans.plan else { return discard(planChange: ()) }
        setPlanChange(.delete(plan.planID))
    }

    /// What the user says to a plan of another device.
    func resolveConflict(_ event: JSONValue) -> Bool {
        guard let choice = event.text("choice"), let change = plans.planChange,
            case .conflict(let current) = change.state
        else { return false }
        if same(choice, "theirs") {
            discard(planChange: ())
            return true
        }
        guard same(choice, "mine"), case .create(var draft) = change.kind else { return false }
        draft.requestID = random.requestID(at: now)
        draft.replaces = current?.planID
        setPlanChange(.create(draft))
        return true
    }

    /// A refused change is forgotten.
    func discardChange(_ event: JSONValue) -> Bool {
        guard let what = event.text("what") else { return false }
        if same(what, "plan") {
            discard(planChange: ())
        } else if same(what, "goal") {
            plans.goalChange = nil
            dirty.add(.state(.goalChange))
        } else if same(what, "profile") {
            plans.profileChange = nil
            dirty.add(.state(.profileChange))
        } else if same(what, "score") {
            return discardScore(event)
        } else {
            return false
        }
        return true
    }

    private func setPlanChange(_ kind: PlanChange.Kind) {
        plans.planChange = PlanChange(kind: kind, version: plans.newVersion())
        dirty.add(.state(.planChange))
    }

    private func discard(planChange: Void) {
        guard plans.planChange != nil else { return }
        plans.planChange = nil
        dirty.add(.state(.planChange))
    }

    /// The server's plan, or that it has none.
    func takePlan(_ value: JSONValue) {
        let plan = PlanCodec.plan(value)
        if case .delete(let id)? = plans.planChange?.kind, plan?.planID != id { discard(planChange: ()) }
        plans.plan = plan
        dirty.add(.state(.plan))
        if let start = plan?.startDate { extendDays(to: start) }
    }

    /// Lets a draft replace the plan that came from the draft before it; false if it did not.
    private func follow(_ plan: WorkoutPlan?) -> Bool {
        guard let plan, var change = plans.planChange, change.state.isWaiting, case .create(var draft) = change.kind,
            draft.supersedes == plan.requestID.value, draft.replaces != plan.planID
        else { return false }
        draft.replaces = plan.planID
        change.kind = .create(draft)
        plans.planChange = change
        dirty.add(.state(.planChange))
        return true
    }

    /// The answer to a change of the plan.
    func takePlanChange(_ version: Int64, _ status: Int64, _ body: JSONValue) {
        let change = plans.planChange.flatMap { $0.version == version ? $0 : nil }
        switch status {
        case 200, 201, 204:
            link[.plan].succeed()
            plans.failure = nil
            if change != nil { discard(planChange: ()) }
            // A repeat may tell of a plan that was replaced meanwhile: the changes tell what is.
            if body.flag("current") ?? true { takePlan(body) }
            if change == nil { _ = follow(plans.plan) }
            wantSync()
        case 409:
            link[.plan].succeed()
            takePlan(body[member: "currentPlan"] ?? .null)
            if var change, !follow(plans.plan) {
                change.state = .conflict(plans.plan)
                plans.planChange = change
                dirty.add(.state(.planChange))
            }
        case 400, 413, 422:
            link[.plan].succeed()
            guard var change else { return }
            change.state = .refused(Reason(body))
            plans.planChange = change
            dirty.add(.state(.planChange))
        default: fail(.plan, status, body)
        }
    }
}
