import Models

extension Client {
    /// The user wants another recurring goal, or none.
    func setGoal(_ event: JSONValue) -> Bool {
        let isWanted = event.holds("steps") || event.holds("distance")
        let goal = PlanCodec.goal(event)
        guard isWanted == (goal != nil), goal.map({ ($0.steps == nil) != ($0.distance == nil) }) ?? true else {
            return false
        }
        plans.goalChange = GoalChange(goal: goal, version: plans.newVersion())
        dirty.add(.state(.goalChange))
        return true
    }

    /// The user wants another profile; a change that still waits is completed.
    func setProfile(_ event: JSONValue) -> Bool {
        let zone = event.text("time_zone")
        let weekStart = event.text("week_start").flatMap { PlanCodec.weekStart($0) }
        guard zone.map({ ZoneTable.isName($0) }) ?? true, event.holds("week_start") == (weekStart != nil),
            zone != nil || weekStart != nil
        else { return false }
        let waiting = plans.profileChange.flatMap { $0.state.isWaiting ? $0 : nil }
        plans.profileChange = ProfileChange(
            timeZone: zone ?? waiting?.timeZone, weekStart: weekStart ?? waiting?.weekStart,
            version: plans.newVersion())
        dirty.add(.state(.profileChange))
        return true
    }

    /// The next change of plan, goal or profile to be sent.
    func nextChange() -> (Errand, ClientRequest)? {
        if let change = plans.planChange, change.state.isWaiting {
            switch change.kind {
            case .create(let draft):
                return (.planChange(change.version), request("POST", "/v1/create_workout_plan", draft.body))
            case .delete:
                // Only when it is known that no other plan has taken its place.
                if !sync.wantsChanges { return (.planChange(change.version), request("DELETE", "/v1/plan", nil)) }
            }
        }
        if let change = plans.goalChange, change.state.isWaiting {
            let method = change.goal == nil ? "DELETE" : "PUT"
            return (.goalChange(change.version), request(method, "/v1/weekly_goal", change.goal?.encode()))
        }
        if let change = plans.profileChange, change.state.isWaiting {
            return (.profileChange(change.version), request("PUT", "/v1/profile", change.body))
        }
        return nil
    }

    /// The answer to a change of the goal.
    func takeGoalChange(_ version: Int64, _ status: Int64, _ body: JSONValue) {
        var change = plans.goalChange.flatMap { $0.version == version ? $0 : nil }
        switch status {
        case 200, 204, 404:
            plans.goal = PlanCodec.goal(body)
            dirty.add(.state(.goal))
            if change != nil { plans.goalChange = nil }
        case 400, 413, 422:
            change?.state = .refused(Reason(body))
            if let change { plans.goalChange = change }
        default: return fail(.plan, status, body)
        }
        link[.plan].succeed()
        plans.failure = nil
        dirty.add(.state(.goalChange))
    }

    /// The answer to a change of the profile.
    func takeProfileChange(_ version: Int64, _ status: Int64, _ body: JSONValue) {
        var change = plans.profileChange.flatMap { $0.version == version ? $0 : nil }
        switch status {
        case 200:
            plans.profile = PlanCodec.profile(body) ?? plans.profile
            dirty.add(.state(.profile))
            if change != nil { plans.profileChange = nil }
        case 400, 413, 422:
            change?.state = .refused(Reason(body))
            if let change { plans.profileChange = change }
        default: return fail(.plan, status, body)
        }
        link[.plan].succeed()
        plans.failure = nil
        dirty.add(.state(.profileChange))
    }

    /// The templates of plans.
    func takeTemplates(_ status: Int64, _ body: JSONValue) {
        guard status == 200, let list = body.list("templates"), list.count <= 1000 else {
            return fail(.plan, status, body)
        }
        link[.plan].succeed()
        plans.wantsTemplates = false
        plans.templates = list
        dirty.add(.state(.templates))
    }
}
