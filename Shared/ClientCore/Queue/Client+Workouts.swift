import Models

extension Client {
    /// So far after the present a workout may end: clocks of parts of one device differ a little.
    private static let ahead: Int64 = 60_000

    /// A workout that the user typed in, or that another device or the system counted.
    ///
    /// One with an id that is known already changes nothing: a host may hand in again what it does not know to be stored.
    func addWorkout(_ event: JSONValue) -> Bool {
        let (owner, source, id) = (event.text("device_id"), event.text("source"), event.uuid("id"))
        guard let start = event.integer("start_time"), let end = event.integer("end_time"),
            let steps = event.integer("steps"), let millimetres = event.metres("distance"), end <= now + Self.ahead,
            Workout.isPossible(start: start, end: end, steps: steps, millimetres: millimetres),
            event.holds("device_id") == (owner.map { Self.isDeviceID($0) } ?? false),
            event.holds("source") == (source.map { same($0, "auto") || same($0, "manual") } ?? false),
            event.holds("id") == (id != nil)
        else { return false }
        if let id, workouts[id] != nil { return true }
        let version = Workout.Version(
            end: end, steps: Int32(truncatingIfNeeded: steps), millimetres: millimetres, isOpen: false)
        put(
            Workout(
                id: id ?? random.requestID(at: now), start: start, version: version, zone: zones.name,
                source: source.map { same($0, "auto") } == true ? .auto : .manual, device: owner ?? device.id))
        return true
    }

    /// Deletes a workout: at once if the server cannot have it, else when it was told.
    func deleteWorkout(_ id: UUIDValue) -> Bool {
        guard var workout = workouts[id], workout.state != .deleting, workout.state != .gone else { return false }
        if workout.isLive { session.forget() }
        workout.isLive = false
        guard workout.wasTried || workout.serverID != nil else {
            removeWorkout(id)
            return true
        }
        // Refused without ever having been taken: there is nothing to delete on the server.
        if workout.state == .refused && workout.sent == nil && workout.serverID == nil {
            removeWorkout(id)
            return true
        }
        workout.state = .deleting
        workout.reason = nil
        put(workout)
        return true
    }

    /// Sends what was refused once more, under a new name and, if the clock was wrong, at the time that it really was.
    ///
    /// By how much it was wrong the server's word tells; where the clock had been put back before, only the user can, with
    /// the end. As the refused one was never taken, it and the new one cannot both count.
    func retryWorkout(_ id: UUIDValue, _ event: JSONValue) -> Bool {
        guard let old = workouts[id], old.state == .refused, old.sent == nil else { return false }
        var shift = old.reason?.clockError ?? 0
        if event.holds("end_time") {
            guard let end = event.integer("end_time"), Clock.contains(end) else { return false }
            shift = old.version.end - end
        }
        let (start, end) = (old.start - shift, old.version.end - shift)
        guard
            Workout.isPossible(
                start: start, end: end, steps: Int64(old.version.steps), millimetres: old.version.millimetres)
        else { return false }
        removeWorkout(id)
        var version = old.version
        version.end = end
        version.isOpen = false
        put(
            Workout(
                id: random.requestID(at: now), start: start, version: version, zone: old.zone, source: old.source,
                device: old.device))
        return true
    }

    /// Keeps a workout and has it stored.
    func put(_ workout: Workout) {
        workouts.put(workout)
        dirty.add(.workout(workout.id))
    }

    /// Forgets a workout and has its record removed.
    func removeWorkout(_ id: UUIDValue) {
        workouts.remove(id)
        dirty.add(.workout(id))
    }

    /// Forgets delivered workouts that are older than what this device keeps; their days stay.
    func forgetOldWorkouts() {
        let oldest = now - Int64(SyncState.keptDays + 100) * Day.milliseconds
        var old: [UUIDValue] = []
        for workout in workouts.items where workout.start < oldest {
            if workout.state == .kept && !workout.isWaiting && !workout.isUnsettled { old.append(workout.id) }
        }
        for id in old { removeWorkout(id) }
    }
}
