import Postgres

/// Why something could not be read.
enum ReadRefusal: Error, Hashable {
    /// As much waits as may wait, or it has waited too long.
    case overload
    /// PostgreSQL is away, slow or busy, and the cache does not have it.
    case storeUnavailable
    /// The service is stopping.
    case draining
    /// A row that no build has written, or a statement that the database refuses: a fault of ours.
    case internalFault

    /// What an error of the database means for a reader, to whom an unknown outcome makes no difference.
    init(_ error: PostgresError) {
        switch error.code {
        case .poolExhausted: self = .overload
        case .closed: self = .draining
        default: self = error.disposition == .fail && error.code != .cancelled ? .internalFault : .storeUnavailable
        }
    }
}
