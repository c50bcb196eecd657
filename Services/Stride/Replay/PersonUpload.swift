/// The workouts of one person on their way: what is sent next, and when.
///
/// A workout leaves only with a verdict on it. Whatever else happens (a refused connection, an answer that got lost, a
/// limit), it is sent again under the same request id. A pure value.
struct PersonUpload: Sendable {
    let subject: String
    private let batch: Int
    private var pending: ArraySlice<ReplayedWorkout>
    /// How many are sent at once: fewer while the user's budget is used up, so that little is sent in vain.
    private var width: Int
    private var failures = 0

    /// What is left to be sent.
    var pendingCount: Int { pending.count }
    /// The workouts to send now; empty when all have their verdict.
    var next: ArraySlice<ReplayedWorkout> { pending.prefix(width) }

    init(subject: String, workouts: [ReplayedWorkout], batch: Int) {
        self.subject = subject
        self.batch = max(1, batch)
        pending = workouts[...]
        width = self.batch
    }

    /// What an answer to `next` has brought.
    struct Step: Equatable, Sendable {
        var created = 0
        var duplicates = 0
        var refused: [Refusal] = []
        /// How long to wait before the next batch.
        var pause = Duration.zero
        /// How many workouts got their verdict.
        var settled: Int { created + duplicates + refused.count }
    }

    /// A workout that ingest will never take.
    struct Refusal: Equatable, Sendable {
        let line: Int
        let reason: String
    }

    /// Nobody was reached, or the answer was lost: the same again after a pause that grows to two seconds.
    mutating func unreachable() -> Step {
        failures = min(failures + 1, 4)
        return Step(pause: .milliseconds(125 << failures))
    }

    /// Nothing was taken for now.
    mutating func deferred(_ pause: BatchAnswer.Pause) -> Step {
        failures = 0
        if pause.isUserRate { width = 1 }
        return Step(pause: Self.duration(pause.milliseconds))
    }

    /// Each workout of `next` has a verdict, which may be to come again.
    mutating func answered(_ verdicts: [BatchAnswer.Verdict]) -> Step {
        failures = 0
        var step = Step()
        var again: [ReplayedWorkout] = []
        var wait: Int64?
        var isUserRate = false
        for (workout, verdict) in zip(next, verdicts) {
            switch verdict {
            case .created: step.created += 1
            case .duplicate: step.duplicates += 1
            case .refused(let reason): step.refused.append(Refusal(line: workout.line, reason: reason))
            case .again(let pause):
                again.append(workout)
                wait = max(wait ?? 0, pause.milliseconds)
                isUserRate = isUserRate || pause.isUserRate
            }
        }
        width = isUserRate ? max(1, min(width, step.settled)) : min(batch, width * 2)
        pending = again + pending.dropFirst(verdicts.count)
        step.pause = wait.map { Self.duration($0) } ?? .zero
        return step
    }

    /// A wait that the server has named, but not so long that one wrong number stops everything.
    private static func duration(_ milliseconds: Int64) -> Duration {
        .milliseconds(min(max(milliseconds, 10), 60_000))
    }
}
