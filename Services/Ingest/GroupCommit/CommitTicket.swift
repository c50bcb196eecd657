import EventLoops
import Storage

/// Some workouts of one user that wait to be written, and the caller who waits with them.
///
/// Confined to its lane's loop, hence `@unchecked Sendable`. It lets go of the caller with the first answer, so nobody is
/// resumed twice; the lane answers every ticket that it has taken, or the caller would wait for ever.
final class CommitTicket: @unchecked Sendable {
    let writes: [WorkoutWrite]
    /// The id of the call that they came with, for the log.
    let call: String
    /// When it came.
    let arrival: MonotonicInstant
    private var continuation: UnsafeContinuation<[CommitAnswer], Never>?

    init(
        _ writes: [WorkoutWrite], of call: String, at arrival: MonotonicInstant,
        continuation: UnsafeContinuation<[CommitAnswer], Never>
    ) {
        self.writes = writes
        self.call = call
        self.arrival = arrival
        self.continuation = continuation
    }

    func answer(_ answers: [CommitAnswer]) {
        let waiting = continuation
        continuation = nil
        waiting?.resume(returning: answers)
    }

    func refuse(_ refusal: CommitRefusal) { answer(writes.map { _ in .failure(refusal) }) }
}
