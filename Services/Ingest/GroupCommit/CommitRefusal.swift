import Postgres
import Storage

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
