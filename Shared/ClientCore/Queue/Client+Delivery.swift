import Models

extension Client {
    /// The answer to a batch.
    func takeUpload(
        _ sent: [(id: UUIDValue, version: Workout.Version)], _ status: Int64, _ body: JSONValue
    ) {
        switch status {
        case 200:
            takeResults(sent, body)
        case 400, 413, 422:
            // Something in it is poison: halves find it, alone it is parked.
            if sent.count > 1 {
                sync.batchLimit = max(1, sent.count / 2)
            } else if let only = sent.first {
                refuse(only.id, body)
                sync.batchLimit = min(WorkoutLimits.batch, sync.batchLimit * 2)
            }
        default: fail(.upload, status, body)
        }
    }

    private func takeResults(_ sent: [(id: UUIDValue, version: Workout.Version)], _ body: JSONValue) {
        let results = body.list("results") ?? []
        var (longestWait, isUnclear, isUnauthenticated): (Int64?, Bool, Bool) = (nil, results.count < sent.count, false)
        var delivered = 0
        for (place, (id, version)) in sent.enumerated() where place < results.count {
            let result = results[place]
            guard result.uuid("requestId") == id, let word = result.text("result") else {
                isUnclear = true
                continue
            }
            if same(word, "created") || same(word, "duplicate") || same(word, "updated") {
                deliver(id, version, serverID: result.integer("workout_id"))
                delivered += 1
                continue
            }
            let code = result.text("code") ?? ""
            if same(code, "TRY_AGAIN_LATER") {
                longestWait = max(longestWait ?? 0, result.integer("retry_after_ms") ?? 1000)
            } else if same(code, "INVALID_REQUEST") || same(code, "IDEMPOTENCY_KEY_REUSED")
                || same(code, "PAYLOAD_TOO_LARGE")
            {
                refuse(id, result)
            } else if same(code, "UNAUTHENTICATED") || same(code, "FORBIDDEN") {
                isUnauthenticated = true
            } else {
                isUnclear = true
            }
        }
        if let longestWait {
            // Some were taken: the refusals of others are none in a row.
            if delivered > 0 { link[.upload].succeed() }
            link[.upload].wait(longestWait, at: now, &random)
        } else if isUnclear {
            link[.upload].fail(at: now, &random)
        } else {
            link[.upload].succeed()
            sync.batchLimit = min(WorkoutLimits.batch, sync.batchLimit * 2)
        }
        if isUnauthenticated { askToSignIn() }
        if delivered > 0 {
            wantSync()
            // What is read at once may come from a cache that has not heard of it yet; it has some seconds later.
            sync.nextPoll = now + SyncState.cacheHeals
        }
    }

    /// The server has a workout in this version.
    private func deliver(_ id: UUIDValue, _ version: Workout.Version, serverID: Int64?) {
        guard var workout = workouts[id] else { return }
        workout.serverID = serverID ?? workout.serverID
        workout.sent = version
        workout.run = sync.run
        put(workout)
        markDirty(start: workout.start, end: version.end)
    }

    /// The server will never take it: it is put aside and blocks nobody.
    private func refuse(_ id: UUIDValue, _ answer: JSONValue) {
        guard var workout = workouts[id] else { return }
        if workout.state == .deleting && workout.sent == nil {
            removeWorkout(id)
            return
        }
        if workout.isLive { session.forget() }
        workout.isLive = false
        workout.state = .refused
        workout.reason = Reason(answer)
        if let server = answer.integer("serverTime"), Clock.contains(server) { clockError = now - server }
        workout.reason?.clockError = Reason.clockError(answer, end: workout.version.end, now: now)
        put(workout)
    }

    /// The answer to a deletion.
    func takeDeletion(_ id: UUIDValue, _ status: Int64, _ body: JSONValue) {
        guard status == 204 || status == 200 || status == 404 else { return fail(.upload, status, body) }
        link[.upload].succeed()
        guard var workout = workouts[id] else { return }
        markDirty(start: workout.start, end: max(workout.version.end, workout.sent?.end ?? 0))
        if workout.counted == nil {
            removeWorkout(id)
        } else {
            workout.state = .gone
            put(workout)
        }
        wantSync()
    }
}
