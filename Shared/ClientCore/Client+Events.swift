import Models

extension Client {
    /// Lets an event change the state; false if it makes no sense.
    func apply(_ kind: EventKind, _ event: JSONValue) -> Bool {
        switch kind {
        case .restore: return restore(event)
        case .start: return start(event)
        case .tick: tick()
        case .online:
            guard let isOnline = event.flag("online") else { return false }
            goOnline(isOnline)
        case .signedIn: signIn()
        case .signedOut: link.isSignedIn = false
        case .zone: return takeZone(event)
        case .answer: return takeAnswer(event)
        case .open, .close, .more: return turn(kind, event)
        case .refresh: refresh()
        case .addWorkout: return addWorkout(event)
        case .deleteWorkout: return event.uuid("id").map { deleteWorkout($0) } ?? false
        case .retryWorkout: return event.uuid("id").map { retryWorkout($0, event) } ?? false
        case .adopt: return adopt(event)
        case .createPlan: return createPlan(event)
        case .deletePlan: deletePlan()
        case .resolveConflict: return resolveConflict(event)
        case .setGoal: return setGoal(event)
        case .setProfile: return setProfile(event)
        case .discardChange: return discardChange(event)
        case .recordScore: return recordScore(event)
        case .removeScore: return removeScore(event)
        case .track: return track(event)
        case .eraseAccount: isErasing = true
        }
        return true
    }

    private func start(_ event: JSONValue) -> Bool {
        guard !isStarted, let seed = event.text("seed").flatMap({ Self.seed($0) }), let online = event.flag("online"),
            let signedIn = event.flag("signed_in"), let zone = event[member: "zone"].flatMap({ ZoneTable($0) }),
            let id = event.text("device_id"), Self.isDeviceID(id)
        else { return false }
        random = SeededRandom(seed)
        zones.take(zone, isDevice: true)
        if device.id.utf8.isEmpty {
            device.id = id
            dirty.add(.state(.device))
        }
        link.isOnline = online
        link.isSignedIn = signedIn
        link.nextID = now
        isStarted = true
        workouts.touch()
        askForZones()
        resumeTracking()
        forgetOldWorkouts()
        refresh()
        return true
    }

    private func tick() {
        if let flight = link.flight, now - flight.since >= Link.patience || now < flight.since - 60_000 {
            link.flight = nil
            unanswered(flight.errand)
        }
        carryOut(session.tick(at: now))
        pollIfDue()
    }

    private func goOnline(_ isOnline: Bool) {
        if isOnline && !link.isOnline {
            link.reopen()
            refresh()
        }
        link.isOnline = isOnline
    }

    private func signIn() {
        link.isSignedIn = true
        told.wantsSignIn = false
        link.reopen()
        refresh()
    }

    private func takeZone(_ event: JSONValue) -> Bool {
        guard let table = event[member: "zone"].flatMap({ ZoneTable($0) }) else { return false }
        zones.take(table, isDevice: event.flag("is_device") ?? false)
        workouts.touch()
        return true
    }

    /// Asks for the zones of workouts whose clock is not known.
    func askForZones() {
        for workout in workouts.items { askForZone(workout.zone) }
    }

    /// Asks for a zone that is not known.
    func askForZone(_ name: String) {
        if zones.wants(name) { effects.append(.zone(name)) }
    }

    private static func seed(_ text: String) -> UUIDValue? {
        guard text.utf8.count == 32 else { return nil }
        var dashed: [UInt8] = []
        for (index, byte) in text.utf8.enumerated() {
            if index == 8 || index == 12 || index == 16 || index == 20 { dashed.append(UInt8(ascii: "-")) }
            dashed.append(byte)
        }
        return UUIDValue(parsing: dashed.span)
    }

    static func isDeviceID(_ text: String) -> Bool {
        let bytes = text.utf8
        return (1...WorkoutLimits.deviceIDLength).contains(bytes.count)
            && bytes.allSatisfy { (0x20...0x7E).contains($0) }
    }
}
