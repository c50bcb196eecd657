import EventLoops
import Models
import ServiceKit
import Storage

/// Takes workouts that a user sends: within the budget, without faults, written once.
///
/// One workout is a batch of one. Confined to its loop, hence `@unchecked Sendable`.
final class AcceptWorkouts: @unchecked Sendable {
    private let budgets: UserBudgets
    private let fleet: FleetBudget?
    private let committer: GroupCommitter
    private let zones: ZoneCatalogue
    private let profiles: ProfileZones
    private let clock: WallClock
    private let metrics: IngestMetrics

    init(
        budgets: UserBudgets, fleet: FleetBudget?, committer: GroupCommitter, zones: ZoneCatalogue,
        profiles: ProfileZones,
        clock: WallClock, metrics: IngestMetrics
    ) {
        self.budgets = budgets
        self.fleet = fleet
        self.committer = committer
        self.zones = zones
        self.profiles = profiles
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

    /// Why nothing of a user would be taken now; nil if it would.
    ///
    /// Asked before a body is parsed: such a refusal asks no store and costs nothing of the budget.
    ///
    /// - Parameter bytes: how long the body is.
    func refusal(
        of urgency: QueueAdmission.Urgency, bytes: Int, from user: UserID
    ) -> (refusal: CommitRefusal, decision: RateBudget.Decision)? {
        guard let refusal = committer.refusal(of: urgency, bytes / Self.usualSize, from: user) else { return nil }
        metrics.decided(.refused(refusal))
        return (refusal, budgets.recall(user))
    }

    /// Bytes of a workout as phones write it.
    private static let usualSize = 250

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
    ///
    /// - Parameter call: the id of the request, for the log.
    func accept(
        _ workouts: [WorkoutSubmission.Decoded], _ urgency: QueueAdmission.Urgency, of writer: Writer, call: String
    ) async -> Acceptance {
        let user = writer.user
        let decision = await budgets.admit(workouts.count, of: user)
        let admitted = workouts.prefix(decision.admitted)
        var answers: ArraySlice<CommitAnswer>
        if let wait = await fleet?.take(admitted.count) {
            answers = admitted.map { _ in .failure(.overload(comeBack: wait)) }[...]
        } else {
            switch await profileZone(of: user, for: admitted) {
            case .success(let zone):
                answers = await committer.commit(writes(admitted, of: writer, zone), urgency, of: call)[...]
            case .failure(let refusal): answers = admitted.map { _ in .failure(refusal) }[...]
            }
        }
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

    /// The zone of workouts that name none; asked for only when there is one.
    private func profileZone(
        of user: UserID, for workouts: ArraySlice<WorkoutSubmission.Decoded>
    ) async -> Result<String, CommitRefusal> {
        guard workouts.contains(where: \.isWithoutZone) else { return .success(ProfileZones.defaultZone) }
        return await profiles.zone(of: user).mapError(CommitRefusal.init)
    }

    private func writes(
        _ workouts: ArraySlice<WorkoutSubmission.Decoded>, of writer: Writer, _ profileZone: String
    ) -> [WorkoutWrite] {
        var writes: [WorkoutWrite] = []
        writes.reserveCapacity(workouts.count)
        for case .submission(let submission) in workouts {
            writes.append(write(submission, in: submission.timeZone ?? profileZone, of: writer))
        }
        return writes
    }

    /// The workout with its days; its zone was looked up before.
    private func write(_ submission: WorkoutSubmission, in zone: String, of writer: Writer) -> WorkoutWrite {
        let clock = zones.clock(of: zone) ?? ZoneOffsets(fixed: 0)
        let (start, end) = (submission.start, submission.end)
        let segments =
            DayCut.singleDay(from: start, to: end, clock: clock).map { [DaySegment(day: $0, from: start, to: end)] }
            ?? DayCut.segments(from: start, to: end, clock: clock)
        return WorkoutWrite(
            user: writer.user, issuedAt: writer.issuedAt, submission: submission, zone: zone, segments: segments)
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

extension WorkoutSubmission.Decoded {
    /// A workout without faults that names no zone.
    fileprivate var isWithoutZone: Bool {
        switch self {
        case .submission(let submission): submission.timeZone == nil
        case .rejected: false
        }
    }
}
