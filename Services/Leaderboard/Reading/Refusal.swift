import Models
import Postgres
import ServiceKit

/// Why something could not be read or recorded.
enum Refusal: Error {
    /// As much waits as may wait, or it has waited too long.
    case overload
    /// PostgreSQL is away, slow or busy, or the fault is ours.
    case store(PostgresError)

    /// What a client is told.
    func problem(instance: String) -> Problem {
        switch self {
        case .store(let error) where error.code == .closed:
            Problem(
                .tryAgainLater, detail: "This instance is stopping.", instance: instance, reason: .draining,
                retryAfterMilliseconds: Jitter.spread(.milliseconds(200)))
        case .store(let error) where error.code != .poolExhausted: .store(error, instance: instance)
        case .overload, .store:
            Problem(
                .tryAgainLater, detail: "More waits for the database than can be served in time.", instance: instance,
                reason: .overload, retryAfterMilliseconds: Jitter.spread(.seconds(1)))
        }
    }
}
