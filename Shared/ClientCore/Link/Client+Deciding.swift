import Models

extension Client {
    /// Sends the next request, if there is one to send and nothing is under way.
    func decide() {
        guard link.flight == nil, link.isOnline else { return }
        guard let (errand, draft) = nextRequest() else { return }
        var request = draft
        request.id = link.begin(errand, at: now)
        effects.append(.send(request))
    }

    /// What is most urgent: what only this device knows, then what screens lack.
    private func nextRequest() -> (Errand, ClientRequest)? {
        if link.isSignedIn {
            if link[.upload].isOpen(at: now) {
                if isErasing { return (.erase, request("DELETE", "/v1/me", nil)) }
                if let upload = nextUpload() { return upload }
                if let deletion = nextDeletion() { return deletion }
            }
            if link[.plan].isOpen(at: now), let change = nextChange() { return change }
            if link[.board].isOpen(at: now), let change = nextBoardChange() { return change }
            if link[.read].isOpen(at: now), let reading = nextReading() { return reading }
        }
        if link[.plan].isOpen(at: now), plans.wantsTemplates {
            return (.templates, request("GET", "/v1/plan_templates", nil, isAuthenticated: false))
        }
        if link[.board].isOpen(at: now) { return nextBoardReading() }
        return nil
    }

    /// An answer, or that there was none.
    func takeAnswer(_ event: JSONValue) -> Bool {
        guard let id = event.integer("id"), let status = event.integer("status"), (0...999).contains(status) else {
            return false
        }
        // Late: it was given up, and what it said will be asked again.
        guard let flight = link.flight, flight.id == id else { return true }
        link.flight = nil
        if status != 0, let date = event.integer("date"), Clock.contains(date) { clockError = now - date }
        guard status != 0 else {
            unanswered(flight.errand)
            return true
        }
        take(flight.errand, status, event[member: "body"] ?? .null)
        return true
    }

    private func take(_ errand: Errand, _ status: Int64, _ body: JSONValue) {
        switch errand {
        case .upload(let sent): takeUpload(sent, status, body)
        case .deleteWorkout(let id): takeDeletion(id, status, body)
        case .changes(let cursor): takeChanges(since: cursor, status, body)
        case .days(let span): takeDays(span, status, body)
        case .templates: takeTemplates(status, body)
        case .planChange(let version): takePlanChange(version, status, body)
        case .goalChange(let version): takeGoalChange(version, status, body)
        case .profileChange(let version): takeProfileChange(version, status, body)
        case .challenge(let name): takeChallenge(name, status, body)
        case .boardRows(let name, let isMore): takeRows(name, isMore: isMore, status, body)
        case .boardSummary(let name): takeSummary(name, status, body)
        case .ownEntry(let name): takeOwnEntry(name, status, body)
        case .boardChange(let name, let version): takeBoardChange(name, version, status, body)
        case .erase: takeErasure(status, body)
        }
    }

    /// No answer: while the device is offline that says nothing about the services.
    func unanswered(_ errand: Errand) {
        if case .upload = errand, workouts.items.contains(where: { $0.isLive }) { session.wantsUpload = true }
        guard link.isOnline else { return }
        link[errand.lane].fail(at: now, &random, cause: .silence)
        noteFailure(errand.lane, "No answer from the server")
    }

    /// An answer that is none of those hoped for: everything is kept, and the next attempt waits.
    func fail(_ lane: Link.Lane, _ status: Int64, _ body: JSONValue) {
        if lane == .upload, workouts.items.contains(where: { $0.isLive }) { session.wantsUpload = true }
        noteFailure(lane, body.text("detail") ?? "The server could not answer")
        switch status {
        case 401, 403: askToSignIn()
        case 429, 503:
            if let wait = body.integer("retry_after_ms") {
                link[lane].wait(wait, at: now, &random)
            } else {
                link[lane].fail(at: now, &random, cause: .busy)
            }
        default: link[lane].fail(at: now, &random)
        }
    }

    /// Asks for a new token, once; nothing that needs one goes out until it is there.
    func askToSignIn() {
        link.isSignedIn = false
        guard !told.wantsSignIn else { return }
        told.wantsSignIn = true
        effects.append(.signIn)
    }

    private func noteFailure(_ lane: Link.Lane, _ detail: String) {
        switch lane {
        case .read: sync.failure = detail
        case .board: for index in boards.indices { boards[index].failure = detail }
        case .plan: plans.failure = detail
        case .upload: break
        }
    }

    private func takeErasure(_ status: Int64, _ body: JSONValue) {
        guard status == 200 || status == 204 else { return fail(.upload, status, body) }
        for workout in workouts.items { dirty.add(.workout(workout.id)) }
        for day in days.known { dirty.add(.day(day)) }
        for key in StateKey.allCases where key != .device && key != .templates { dirty.add(.state(key)) }
        for board in boards {
            dirty.add(.board(board.name))
            dirty.add(.boardChange(board.name))
        }
        let templates = plans.templates
        session = TrackerSession()
        workouts.removeAll()
        days = Days()
        sync = SyncState()
        plans = PlanRoom()
        plans.templates = templates
        boards.removeAll()
        isErasing = false
        link.isSignedIn = false
        effects.append(.erased)
    }
}
