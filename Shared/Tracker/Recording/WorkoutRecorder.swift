/// Decides when a workout begins, pauses and ends, and when it is sent.
///
/// A pure machine: events with their times in, effects out; it reads no clock and does nothing itself. A workout begins with
/// steps or because the user says so. It ends when the user says so, or with its last step once 60 s have passed without
/// another; a walk that goes on after 55 s is the same walk, although its steps become certain only some seconds later. A
/// workout without a step is forgotten.
///
/// Idle → waiting (the user started) or running (steps came); waiting → running or idle; running → paused or idle; paused →
/// running or idle.
public struct WorkoutRecorder: Equatable, Sendable {
    /// What the recorder does.
    enum State: Equatable, Sendable {
        /// No workout.
        case idle
        /// The user started one, and no step has come.
        case waiting(since: Int64)
        /// It grows.
        case running(WorkoutRecord)
        /// The user paused it.
        case paused(WorkoutRecord, since: Int64)
    }

    private(set) var state: State
    /// The latest time that was heard.
    var now: Int64
    /// When the running workout was last sent, and its length counts from there.
    var lastProgress: Int64
    /// Way that came before the first step of a workout.
    var wayBefore: Int64 = 0

    /// A recorder without a workout.
    public init() {
        state = .idle
        now = 0
        lastProgress = 0
    }

    /// Goes on with a workout that was running when the device stopped; the first `tick` ends it if that is too long ago.
    public init(resuming record: WorkoutRecord) {
        state = .running(record)
        now = record.end
        lastProgress = record.end
    }

    /// The workout that is running or paused.
    public var current: WorkoutRecord? {
        switch state {
        case .idle, .waiting: nil
        case .running(let record), .paused(let record, _): record
        }
    }

    /// Whether the user paused it.
    public var isPaused: Bool {
        if case .paused = state { return true }
        return false
    }

    /// Takes an event; the effects are to be carried out in their order.
    ///
    /// Events with impossible times or counts change nothing. Of a clock that goes back a little the later time holds; one
    /// that goes back by more than a minute ends the workout as it is.
    public mutating func handle(_ event: RecorderEvent) -> [RecorderEffect] {
        var effects: [RecorderEffect] = []
        switch event {
        case .start(let time):
            guard pass(to: time, &effects), state == .idle else { return effects }
            wayBefore = 0
            state = .waiting(since: now)
            effects.append(.began(at: now))
            effects.append(.wake(at: now + RecorderLimits.patience))
        case .pause(let time):
            guard pass(to: time, &effects), case .running(let record) = state else { return effects }
            state = .paused(record, since: now)
            effects.append(.progress(record))
            effects.append(.wake(at: now + RecorderLimits.pause))
            lastProgress = now
        case .resume(let time):
            guard pass(to: time, &effects), case .paused(var record, _) = state else { return effects }
            // The rest is counted from here, or the pause itself would end it.
            record.end = max(record.end, now)
            state = .running(record)
            effects.append(wake(record))
        case .stop(let time):
            guard pass(to: time, &effects) else { return effects }
            end(&effects)
        case .steps(let count, let first, let last):
            take(steps: count, first: first, last: last, &effects)
        case .moved(let millimetres):
            move(millimetres)
        case .tick(let time):
            _ = pass(to: time, &effects)
        }
        return effects
    }

    /// Ends what there is.
    mutating func end(_ effects: inout [RecorderEffect]) {
        switch state {
        case .idle: break
        case .waiting: effects.append(.discarded)
        case .running(let record), .paused(let record, _): effects.append(.ended(record))
        }
        state = .idle
        wayBefore = 0
    }

    mutating func become(_ state: State) { self.state = state }

    /// When something may be due next.
    func wake(_ record: WorkoutRecord) -> RecorderEffect {
        .wake(
            at: min(
                record.end + RecorderLimits.rest + RecorderLimits.certainty, lastProgress + RecorderLimits.progress))
    }
}
