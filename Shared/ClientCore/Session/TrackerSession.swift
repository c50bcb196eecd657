import Models
import Tracker

/// Joins step detector, distance and recorder on one clock: milliseconds since 1970.
///
/// Sensors come in by plain numbers and stay here as steps and metres. A position is used for the way and forgotten; nothing
/// that could be one is in any record, effect or screen.
struct TrackerSession {
    /// What the user wants of the sensors.
    enum Mode: Equatable {
        case off
        /// Workouts begin by themselves.
        case listening
        /// The user started one; when it ends, so does this.
        case started
    }

    private(set) var mode = Mode.off
    private(set) var wakeAt: Int64?
    /// Whether the server should be told how far the running workout has grown.
    var wantsUpload = false
    /// The running workout's name; nil while there is none.
    var current: UUIDValue?
    /// When the running workout was last stored.
    var storedAt: Int64 = 0

    private var detector = StepDetector()
    private var distance = DistanceEstimator()
    private var recorder = WorkoutRecorder()
    private var startedAt: Int64?
    private var toldMillimetres: Int64 = 0
    private var pending: [RecorderEffect] = []

    /// What screens show of it.
    enum Status: Int {
        case off, listening, waiting, running, paused

        var name: String {
            switch self {
            case .off: "off"
            case .listening: "listening"
            case .waiting: "waiting"
            case .running: "running"
            case .paused: "paused"
            }
        }
    }

    /// How it stands.
    var status: Status {
        if recorder.isPaused { return .paused }
        if recorder.current != nil { return .running }
        switch mode {
        case .off: return .off
        case .listening: return .listening
        case .started: return .waiting
        }
    }

    /// The workout as far as it has come.
    var record: WorkoutRecord? { recorder.current }
    /// When it began: with its first step, or when the user started it.
    var start: Int64? { recorder.current?.start ?? (mode == .started ? startedAt : nil) }
    /// When a rest ends it.
    var endsAt: Int64? {
        guard let record = recorder.current, !recorder.isPaused else { return nil }
        return record.end + RecorderLimits.rest + RecorderLimits.certainty
    }
    /// The length of a step in thousandths of a metre, as it is known now.
    var strideMillimetres: Int64 { Int64(max(0.3, min(1.5, distance.stride)) * 1000 + 0.5) }
}

extension TrackerSession {
    /// Goes on with a workout that was running when the device stopped.
    mutating func resume(_ record: WorkoutRecord, id: UUIDValue, stride: Int64) {
        begin(.listening, stride: stride)
        recorder = WorkoutRecorder(resuming: record)
        current = id
        wantsUpload = true
    }

    /// Turns the sensors on.
    mutating func listen(stride: Int64) { if mode == .off { begin(.listening, stride: stride) } }

    /// The user starts a workout.
    mutating func start(at now: Int64, stride: Int64) -> [RecorderEffect] {
        if mode == .off { begin(.started, stride: stride) }
        mode = .started
        if recorder.current == nil { startedAt = now }
        return take(.start(at: now))
    }

    /// The user pauses.
    mutating func pause(at now: Int64) -> [RecorderEffect] {
        distance.pause()
        return takeWay() + take(.pause(at: now))
    }

    /// The user goes on.
    mutating func resume(at now: Int64) -> [RecorderEffect] { take(.resume(at: now)) }

    /// The user ends the workout, and listening with it.
    mutating func end(at now: Int64) -> [RecorderEffect] {
        _ = detector.finish()
        confirm(detector.confirmed)
        distance.finish()
        let effects = takePending() + takeWay() + take(.stop(at: now))
        mode = .off
        return effects
    }

    /// Time has passed.
    mutating func tick(at now: Int64) -> [RecorderEffect] {
        if let time = wakeAt, time <= now { wakeAt = nil }
        let effects = takePending() + takeWay() + take(.tick(at: now))
        return effects
    }

    /// The running workout was deleted or refused: it is no longer there.
    mutating func forget() {
        recorder = WorkoutRecorder()
        pending.removeAll()
        current = nil
        wakeAt = nil
        wantsUpload = false
        if mode == .started { mode = .off }
    }

    /// The workout is over.
    mutating func close() {
        current = nil
        startedAt = nil
        // Steps after a rest may have begun the next one already.
        guard recorder.current == nil else { return }
        wakeAt = nil
        if mode == .started { mode = .off }
    }

    private mutating func begin(_ mode: Mode, stride: Int64) {
        self = TrackerSession()
        self.mode = mode
        distance = DistanceEstimator(stride: Double(stride) / 1000)
    }

    private mutating func take(_ event: RecorderEvent) -> [RecorderEffect] {
        let effects = recorder.handle(event)
        for effect in effects { if case .wake(let time) = effect { wakeAt = time } }
        return effects
    }

    private mutating func takePending() -> [RecorderEffect] {
        let effects = pending
        pending.removeAll()
        return effects
    }
}

extension TrackerSession {
    /// A sample of the accelerometer in g; true when something became certain.
    mutating func motion(at milliseconds: Double, x: Double, y: Double, z: Double) -> Bool {
        guard mode != .off else { return false }
        guard detector.push(Motion(time: milliseconds / 1000, x: x, y: y, z: z)) > 0 else { return false }
        confirm(detector.confirmed)
        return true
    }

    /// A position; true when the way grew.
    mutating func fix(at milliseconds: Double, latitude: Double, longitude: Double, accuracy: Double) -> Bool {
        guard mode != .off, !recorder.isPaused else { return false }
        distance.push(
            Fix(
                time: milliseconds / 1000, latitude: latitude, longitude: longitude,
                accuracy: accuracy >= 0 ? accuracy : nil))
        return recorder.current != nil && millimetres > toldMillimetres
    }

    /// Steps became certain: each is told by itself, so that a rest between two of them is seen.
    private mutating func confirm(_ times: [Double]) {
        for time in times {
            guard time > 0, time < 1e10 else { continue }
            let at = Int64(time * 1000 + 0.5)
            if !recorder.isPaused { distance.push(stepAt: time) }
            pending.append(contentsOf: take(.steps(count: 1, first: at, last: at)))
        }
        pending.append(contentsOf: takeWay())
    }

    /// The way that has grown since it was last told.
    private mutating func takeWay() -> [RecorderEffect] {
        let way = millimetres
        guard way > toldMillimetres else { return [] }
        let grown = way - toldMillimetres
        toldMillimetres = way
        return take(.moved(millimetres: grown))
    }

    private var millimetres: Int64 { Int64(max(0, min(1e9, distance.metres)) * 1000) }
}
