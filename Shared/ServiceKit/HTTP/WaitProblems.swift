internal import EventLoops
package import Models
package import Postgres
internal import Storage

/// The problems that every service has in common, and the waits that they ask for.
extension Problem {
    /// 429: the user's own budget is used up for so long.
    package static func userRate(_ wait: Duration, instance: String) -> Problem {
        Problem(
            .tryAgainLater, detail: "This user has sent more than the budget allows for now.",
            instance: instance, reason: .userRate, retryAfterMilliseconds: Jitter.spread(wait))
    }

    /// 503: PostgreSQL is away, slow or busy; after a lost connection nobody knows whether a write has happened.
    package static func storeUnavailable(instance: String) -> Problem {
        Problem(
            .tryAgainLater, detail: "The database does not answer.", instance: instance,
            reason: .storeUnavailable, retryAfterMilliseconds: Jitter.spread(.seconds(2)))
    }

    /// What a caller is told of an error of the database: 503, or 500 when the fault is ours and a repeat cannot help.
    package static func store(_ error: PostgresError, instance: String) -> Problem {
        error.isFault
            ? Problem(.internal, detail: "The database refused what was asked of it.", instance: instance)
            : storeUnavailable(instance: instance)
    }
}
