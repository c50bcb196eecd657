import Models

extension Client {
    /// A page of changes.
    func takeChanges(since cursor: String?, _ status: Int64, _ body: JSONValue) {
        if status == 410 || (status == 400 && cursor != nil) { return beginAnew() }
        guard status == 200, let changed = body.list("workouts"), let next = body.text("nextCursor"),
            next.isToken, let more = body.flag("more")
        else { return fail(.read, status, body) }
        link[.read].succeed()
        sync.failure = nil
        for item in changed { takeChange(item) }
        takeSettings(body)
        sync.cursor = next
        if !more {
            sync.wantsChanges = false
            if !sync.isComplete { sweep() }
            sync.isComplete = true
        }
        dirty.add(.state(.sync))
    }

    /// The server can no longer say what changed: everything is read again, and what does not come has been deleted.
    private func beginAnew() {
        sync.cursor = nil
        sync.run += 1
        sync.isComplete = false
        sync.wantsChanges = true
        dirty.add(.state(.sync))
    }

    private func sweep() {
        guard sync.run > 1 else { return }
        for workout in workouts.items where workout.sent != nil && workout.run < sync.run {
            markDirty(start: workout.start, end: workout.version.end)
            removeWorkout(workout.id)
        }
    }

    private func takeChange(_ value: JSONValue) {
        guard let id = value.uuid("requestId") else { return }
        if value.flag("deleted") == true {
            guard let workout = workouts[id] else { return }
            if workout.isLive { session.forget() }
            markDirty(start: workout.start, end: max(workout.version.end, workout.counted?.end ?? 0))
            removeWorkout(id)
            return
        }
        guard let start = value.integer("start_time"), let end = value.integer("end_time"),
            let steps = value.integer("steps"), let millimetres = value.metres("distance"),
            Workout.isPossible(start: start, end: end, steps: steps, millimetres: millimetres)
        else { return report("unreadable_workout", id.description) }
        let version = Workout.Version(
            end: end, steps: Int32(truncatingIfNeeded: steps), millimetres: millimetres,
            isOpen: value.text("status").map { same($0, "IN_PROGRESS") } ?? false)
        if var known = workouts[id] {
            takeKnown(&known, version, value)
        } else {
            takeNew(id, start, version, value)
        }
    }

    /// The server told of a workout that is here.
    private func takeKnown(_ known: inout Workout, _ version: Workout.Version, _ value: JSONValue) {
        let isNews = known.sent != version
        guard isNews || known.run != sync.run || known.serverID == nil else { return }
        known.run = sync.run
        known.serverID = value.integer("workout_id") ?? known.serverID
        if isNews {
            // What was nobody's but the server's stays so; what this device adds to is compared with what it has.
            let wasWaiting = known.isWaiting || known.state != .kept
            let isSettled = !known.isUnsettled
            known.sent = version
            if known.state == .refused && known.version == version { known.state = .kept }
            if !wasWaiting {
                known.version = version
                if isSettled { known.counted = version }
            }
            markDirty(start: known.start, end: max(known.version.end, version.end))
        }
        put(known)
    }

    private func takeNew(_ id: UUIDValue, _ start: Int64, _ version: Workout.Version, _ value: JSONValue) {
        markDirty(start: start, end: version.end)
        guard version.end >= now - Int64(SyncState.keptDays) * Day.milliseconds else { return }
        let zone = value.text("time_zone").flatMap { ZoneTable.isName($0) ? $0 : nil } ?? "UTC"
        askForZone(zone)
        var workout = Workout(
            id: id, start: start, version: version, zone: zone,
            source: value.text("source").map { same($0, "manual") } == true ? .manual : .auto,
            device: value.text("device_id"))
        workout.serverID = value.integer("workout_id")
        workout.sent = version
        workout.counted = version
        workout.wasTried = true
        workout.run = sync.run
        put(workout)
    }

    /// Plan, goal and profile as far as they changed.
    private func takeSettings(_ body: JSONValue) {
        if let value = body[member: "plan"] { takePlan(value) }
        if let value = body[member: "weekly_goal"] {
            plans.goal = PlanCodec.goal(value)
            dirty.add(.state(.goal))
        }
        if let value = body[member: "profile"] {
            plans.profile = PlanCodec.profile(value)
            dirty.add(.state(.profile))
        }
    }
}
