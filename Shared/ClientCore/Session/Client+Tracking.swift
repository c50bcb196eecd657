import Models
import Tracker

extension Client {
    /// How often a running workout is stored, in milliseconds; screens show it as it is.
    private static let storeEvery: Int64 = 10_000

    /// What the user wants of the tracker.
    func track(_ event: JSONValue) -> Bool {
        guard let command = event.text("command") else { return false }
        let stride = device.strideMillimetres
        if same(command, "listen") {
            session.listen(stride: stride)
        } else if same(command, "start") {
            carryOut(session.start(at: now, stride: stride))
        } else if same(command, "pause") {
            carryOut(session.pause(at: now))
        } else if same(command, "resume") {
            carryOut(session.resume(at: now))
        } else if same(command, "end") {
            carryOut(session.end(at: now))
            session.close()
            keepStride()
        } else {
            return false
        }
        return true
    }

    /// Goes on with the workout that was running when the device stopped; the first look ends it if that is too long ago.
    func resumeTracking() {
        guard let workout = workouts.items.last(where: { $0.isLive }) else { return }
        for other in workouts.items where other.isLive && other.id != workout.id { finish(other.id) }
        session.resume(
            WorkoutRecord(
                start: workout.start, end: workout.version.end, steps: Int64(workout.version.steps),
                millimetres: workout.version.millimetres, isManual: false),
            id: workout.id, stride: device.strideMillimetres)
        carryOut(session.tick(at: now))
    }

    /// Carries out what the recorder wants.
    func carryOut(_ effects: [RecorderEffect]) {
        for effect in effects {
            switch effect {
            case .began, .wake: break
            case .progress(let record):
                session.wantsUpload = true
                keep(record, isOver: false, mustStore: true)
            case .ended(let record):
                keep(record, isOver: true, mustStore: true)
                session.close()
                keepStride()
            case .discarded:
                if let id = session.current { finish(id) }
                session.close()
            }
        }
        if let record = session.record { keep(record, isOver: false, mustStore: false) }
    }

    /// The running workout becomes what its record says; its name, zone and device are those that it began with.
    private func keep(_ record: WorkoutRecord, isOver: Bool, mustStore: Bool) {
        let version = Workout.Version(
            end: record.end, steps: Int32(truncatingIfNeeded: min(record.steps, Int64(WorkoutLimits.steps))),
            millimetres: min(record.millimetres, Int64(WorkoutLimits.metres) * 1000), isOpen: !isOver)
        guard
            Workout.isPossible(
                start: record.start, end: version.end, steps: Int64(version.steps), millimetres: version.millimetres)
        else { return }
        var workout: Workout
        if let known = session.current.flatMap({ workouts[$0] }), known.start == record.start {
            guard known.version != version || known.isLive == isOver else { return }
            workout = known
            workout.version = version
        } else {
            workout = Workout(
                id: random.requestID(at: now), start: record.start, version: version, zone: zones.name,
                // Whoever pressed a button: it was counted, not typed in.
                source: .auto, device: device.id)
            session.wantsUpload = true
        }
        let isNew = workout.id != session.current
        workout.isLive = !isOver
        workouts.put(workout)
        session.current = isOver ? nil : workout.id
        guard mustStore || isNew || now - session.storedAt >= Self.storeEvery || now < session.storedAt else { return }
        session.storedAt = now
        dirty.add(.workout(workout.id))
    }

    /// A running workout grows no more.
    private func finish(_ id: UUIDValue) {
        guard var workout = workouts[id] else { return }
        workout.isLive = false
        workout.version.isOpen = false
        put(workout)
    }

    private func keepStride() {
        let stride = session.strideMillimetres
        guard stride != device.strideMillimetres else { return }
        device.strideMillimetres = stride
        dirty.add(.state(.device))
    }
}
