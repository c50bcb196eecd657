extension WorkoutRecorder {
    /// Lets time pass and does what became due; false if the time cannot be.
    mutating func pass(to time: Int64, _ effects: inout [RecorderEffect]) -> Bool {
        guard RecorderLimits.clock.contains(time) else { return false }
        if time < now - RecorderLimits.rest {
            end(&effects)
            now = time
            return true
        }
        now = max(now, time)
        switch state {
        case .idle: break
        case .waiting(let since):
            if now - since >= RecorderLimits.patience { end(&effects) }
        case .running(let record):
            if now - record.end >= RecorderLimits.rest + RecorderLimits.certainty {
                end(&effects)
            } else if now - lastProgress >= RecorderLimits.progress {
                lastProgress = now
                effects.append(.progress(record))
                effects.append(wake(record))
            }
        case .paused(_, let since):
            if now - since >= RecorderLimits.pause { end(&effects) }
        }
        return true
    }

    /// Adds steps; begins a workout if there is none, or if the last one ended before them.
    mutating func take(steps count: Int64, first: Int64, last: Int64, _ effects: inout [RecorderEffect]) {
        guard count > 0, count <= 1_000_000, first <= last, RecorderLimits.clock.contains(first),
            RecorderLimits.clock.contains(last), last - first <= RecorderLimits.length
        else { return }
        if last < now - RecorderLimits.rest {
            // A clock that was put back.
            guard pass(to: last, &effects) else { return }
        }
        if case .running(let record) = state {
            let isRested = first - record.end >= RecorderLimits.rest
            if isRested || last - record.start > RecorderLimits.length { end(&effects) }
        }
        now = max(now, last)
        switch state {
        case .idle:
            begin(at: first, isManual: false)
            effects.append(.began(at: first))
            grow(count, to: last, &effects)
        case .waiting(let since):
            // Steps from before the user started are not part of it, as far as can be told.
            guard last > since else { return }
            begin(at: since, isManual: true)
            grow(count, to: last, &effects)
        case .running: grow(count, to: last, &effects)
        case .paused: break
        }
    }

    /// Adds to the way.
    mutating func move(_ millimetres: Int64) {
        guard millimetres > 0, millimetres <= 1_000_000_000 else { return }
        switch state {
        case .waiting: wayBefore = min(wayBefore + millimetres, 1_000_000_000)
        case .running(var record):
            record.millimetres = record.millimetres.addingReportingOverflow(millimetres).partialValue
            become(.running(record))
        case .idle, .paused: break
        }
    }

    private mutating func begin(at start: Int64, isManual: Bool) {
        become(
            .running(WorkoutRecord(start: start, end: start, steps: 0, millimetres: wayBefore, isManual: isManual)))
        wayBefore = 0
        lastProgress = start
    }

    private mutating func grow(_ count: Int64, to last: Int64, _ effects: inout [RecorderEffect]) {
        guard case .running(var record) = state else { return }
        record.steps = record.steps.addingReportingOverflow(count).partialValue
        // One step alone still took a moment: a workout's end is after its start.
        record.end = max(record.end, last, record.start + 1)
        become(.running(record))
        if last - lastProgress >= RecorderLimits.progress {
            lastProgress = last
            effects.append(.progress(record))
        }
        effects.append(wake(record))
    }
}
