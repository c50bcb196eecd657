import Models

extension Client {
    /// The next thing to read: changes first, then the days that they touch.
    ///
    /// In this order no day is read that contains a workout which the device still takes for unsent, although the server has
    /// it: the changes tell of it before.
    func nextReading() -> (Errand, ClientRequest)? {
        if sync.wantsChanges {
            let query = sync.cursor.map { "&cursor=" + $0 } ?? ""
            return (.changes(cursor: sync.cursor), request("GET", "/v1/changes?limit=200" + query, nil))
        }
        guard let span = sync.nextDays else { return nil }
        let path =
            "/v1/days?from=" + span.start.description + "&to=" + span.start.advanced(by: span.count - 1).description
        return (.days(span), request("GET", path, nil))
    }

    /// Wants everything read that may be new, soon.
    func wantSync() { sync.wantsChanges = true }

    /// The user, or the start, wants everything fresh.
    func refresh() {
        wantSync()
        let today = zones.day(at: now)
        if sync.coveredFrom == nil {
            markDirty(from: today.advanced(by: 2 - DaysQuery.longest), to: today.advanced(by: 1))
        } else {
            markDirty(from: today.advanced(by: -6), to: today.advanced(by: 1))
        }
        schedulePoll()
        for index in boards.indices where views.isOpen(.leaderboard, key: boards[index].name) {
            boards[index].wantAll()
        }
        if plans.templates == nil && views.isOpen(.plan) { plans.wantsTemplates = true }
    }

    /// Refreshes what is open when it is time.
    func pollIfDue() {
        guard let due = sync.nextPoll, now >= due || due > now + 2 * SyncState.pollEvery else { return }
        guard !views.open.isEmpty, link.isOnline, link.isSignedIn else { return schedulePoll() }
        refresh()
    }

    private func schedulePoll() { sync.nextPoll = now + SyncState.pollEvery + random.upTo(10_000) }

    /// A workout came, changed or went: its days are read again, and those of what it may share time with.
    func markDirty(start: Int64, end: Int64) {
        markDirty(from: zones.day(at: start).advanced(by: -3), to: zones.day(at: end).advanced(by: 3))
    }

    private func markDirty(from: Day, to: Day) {
        // Before what is known there is nothing to be put right.
        let today = zones.day(at: now)
        let first = max(from, sync.coveredFrom ?? today.advanced(by: 2 - DaysQuery.longest))
        let last = min(to, today.advanced(by: 1))
        guard first <= last else { return }
        sync.mark(from: first, to: last)
        dirty.add(.state(.sync))
    }

    /// Wants older days as well, as far back as this one.
    func extendDays(to day: Day) {
        guard let covered = sync.coveredFrom, day < covered else { return }
        sync.mark(from: max(day, PlanLimits.earliestStart), to: covered.advanced(by: -1))
        dirty.add(.state(.sync))
    }

    /// The answer to a question for days.
    func takeDays(_ span: DaySpan, _ status: Int64, _ body: JSONValue) {
        guard status == 200, let list = body.list("days"), list.count == span.count else {
            return fail(.read, status, body)
        }
        link[.read].succeed()
        sync.failure = nil
        var isEmpty = true
        for (place, entry) in list.enumerated() {
            guard entry.day("day") == span[place], let totals = Days.totals(entry) else { continue }
            if totals.workouts > 0 { isEmpty = false }
            if days.set(totals, on: span[place]) { dirty.add(.day(span[place])) }
        }
        settle(within: span)
        if let marked = sync.dirty {
            let rest = span.start.advanced(by: -1)
            sync.dirty = rest < marked.from ? nil : (marked.from, rest)
        }
        if sync.coveredFrom.map({ span.start < $0 }) ?? true {
            sync.coveredFrom = span.start
            sync.hasEarlier = !isEmpty
        }
        if sync.dirty == nil { sync.asOf = now }
        dirty.add(.state(.sync))
    }

    /// The confirmed numbers contain what the server had acknowledged when they were asked for.
    private func settle(within span: DaySpan) {
        let (first, last) = (span.start, span.start.advanced(by: span.count - 1))
        for workout in workouts.items {
            guard workout.counted != workout.sent || workout.state == .gone else { continue }
            let end = max(workout.version.end, workout.sent?.end ?? 0, workout.counted?.end ?? 0)
            let segments = zones.segments(from: workout.start, to: end, zone: workout.zone)
            guard let from = segments.first?.day, let to = segments.last?.day else { continue }
            // Of days before those that are read nothing is shown that it could be missing from.
            guard from >= first && to <= last || to < sync.coveredFrom ?? first else { continue }
            if workout.state == .gone {
                removeWorkout(workout.id)
            } else {
                var settled = workout
                settled.counted = workout.sent
                put(settled)
            }
        }
    }
}
