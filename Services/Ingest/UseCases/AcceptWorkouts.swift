import Models
import ServiceKit
import Storage

/// Takes workouts that a user sends: within the budget, without faults, written once.
///
/// One workout is a batch of one. Confined to its loop, hence `@unchecked Sendable`.
final class AcceptWorkouts: @unchecked Sendable {
    private let budgets: UserBudgets
    private let committer: GroupCommitter
    private let zones: ZoneCatalogue
    private let clock: WallClock
    private let metrics: IngestMetrics

    /// The zone of a workout that names none, for a user who has set none.
    static let defaultZone = "UTC"

    init(
        budgets: UserBudgets, committer: GroupCommitter, zones: ZoneCatalogue, clock: WallClock,
        metrics: IngestMetrics
    ) {
        self.budgets = budgets
        self.committer = committer
        self.zones = zones
        self.clock = clock
        self.metrics = metrics
    }

    /// What became of one workout.
    enum Outcome {
        /// It is durable, or was before, or its request id means something else.
        case written(WriteOutcome)
        /// It has faults and will never be accepted as it is.
        case faulty(WorkoutSubmission.Rejection)
        /// The user has sent too much; it fits after the wait.
        case overBudget(wait: Duration)
        /// It was not written and should be sent again.
        case refused(CommitRefusal)
    }

    /// The outcomes in the order sent, and what is left of the budget.
    struct Acceptance {
        let outcomes: [Outcome]
        let decision: RateBudget.Decision

        /// Why nothing at all could be written, when every workout met the same refusal: then nothing is decided.
        var commonRefusal: CommitRefusal? {
            guard case .refused(let first) = outcomes.first, first != .internalFault else { return nil }
            let isCommon = outcomes.allSatisfy { outcome in
                if case .refused(let refusal) = outcome { refusal == first } else { false }
            }
            return isCommon ? first : nil
        }
    }

    /// Reads a workout of a body.
    func decode(_ value: JSONValue) -> WorkoutSubmission.Decoded {
        WorkoutSubmission.decode(value, now: clock.now, isKnownZone: isKnownZone)
    }

    /// Reads a batch of a body.
    func decodeBatch(_ value: JSONValue) -> BatchSubmission.Decoded {
        BatchSubmission.decode(value, now: clock.now, isKnownZone: isKnownZone)
    }

    /// Looks at the budget without using it, for answers to bodies that are no workouts.
    func look(_ user: UserID) async -> RateBudget.Decision { await budgets.admit(0, of: user) }

    /// Accepts; each workout costs one, faulty ones too, and those that the budget does not cover are left alone.
    func accept(_ workouts: [WorkoutSubmission.Decoded], of user: UserID) async -> Acceptance {
        let decision = await budgets.admit(workouts.count, of: user)
        var writes: [WorkoutWrite] = []
        for case .submission(let submission) in workouts.prefix(decision.admitted) {
            if let write = write(submission, of: user) { writes.append(write) }
        }
        var answers = await committer.commit(writes)[...]
        let outcomes = workouts.enumerated().map { place, workout -> Outcome in
            guard place < decision.admitted else {
                return .overBudget(wait: decision.wait + budgets.budget.time(of: place - decision.admitted))
            }
            switch workout {
            case .rejected(let rejection): return .faulty(rejection)
            case .submission: return Self.outcome(answers.popFirst())
            }
        }
        for outcome in outcomes { metrics.decided(outcome) }
        return Acceptance(outcomes: outcomes, decision: decision)
    }

    /// The workout with its days; a workout in a zone that is not known never comes this far.
    private func write(_ submission: WorkoutSubmission, of user: UserID) -> WorkoutWrite? {
        let zone = submission.timeZone ?? Self.defaultZone
        guard let clock = zones.clock(of: zone) else { return nil }
        let (start, end) = (submission.start, submission.end)
        let segments =
            DayCut.singleDay(from: start, to: end, clock: clock).map { [DaySegment(day: $0, from: start, to: end)] }
            ?? DayCut.segments(from: start, to: end, clock: clock)
        return WorkoutWrite(user: user, submission: submission, zone: zone, segments: segments)
    }

    private func isKnownZone(_ name: String) -> Bool { zones.clock(of: name) != nil }

    private static func outcome(_ answer: CommitAnswer?) -> Outcome {
        switch answer {
        case .success(let outcome): .written(outcome)
        case .failure(let refusal): .refused(refusal)
        case nil: .refused(.internalFault)
        }
    }
}

extension RateBudget {
    /// How long so many cells take to be earned.
    func time(of cells: Int) -> Duration { .microseconds(Int64(cells) * interval) }
}
