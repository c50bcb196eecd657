import Models

extension Client {
    /// A workout that the user typed in.
    func addWorkout(_ event: JSONValue) -> Bool {
        guard let start = event.integer("start_time"), let end = event.integer("end_time"),
            let steps = event.integer("steps"), let millimetres = event.metres("distance"),
            Workout.isPossible(start: start, end: end, steps: steps, millimetres: millimetres)
        else { return false }
        let version = Workout.Version(
            end: end, steps: Int32(truncatingIfNeeded: steps), millimetres: millimetres, isOpen: false)
        put(
            Workout(
                id: random.requestID(at: now), start: start, version: version, zone: zones.name, source: .manual,
                device: device.id))
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
