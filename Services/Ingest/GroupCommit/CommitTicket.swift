import EventLoops
import Postgres
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

/// What becomes of one workout.
typealias CommitAnswer = Result<WriteOutcome, CommitRefusal>

/// Why a workout was not written; the caller keeps it and sends it again.
enum CommitRefusal: Error, Hashable {
    /// More waits than can be written in time; it should come again after a while.
    case overload(comeBack: Duration)
    /// PostgreSQL is away, slow or busy; after a lost connection nobody knows whether it was written.
    case storeUnavailable
    /// The service is stopping.
    case draining
    /// The user was erased, and the token does not count, or not yet.
    case erased(ErasureStanding)
    /// This one row is refused by the database: a fault of ours.
    case internalFault

    /// What an error of the database means for the caller.
    init(_ error: PostgresError) {
        switch error.code {
        case .poolExhausted: self = .overload(comeBack: .seconds(1))
        case .closed: self = .draining
        default: self = error.isFault ? .internalFault : .storeUnavailable
        }
    }

    /// What it is called in metrics.
    var name: String {
        switch self {
        case .overload: "overload"
        case .storeUnavailable: "store_unavailable"
        case .draining: "draining"
        case .erased: "erased"
        case .internalFault: "internal"
        }
    }

    /// All names.
    static let names = ["overload", "store_unavailable", "draining", "erased", "internal"]
}
