internal import EventLoops
package import Models
package import Postgres
package import Storage

/// The problems that every service has in common, and the waits that they ask for.
extension Problem {
    /// 401: the one answer to every token that is missing, bad, or from before the erasure of its user.
    static func unauthenticated(instance: String) -> Problem {
        Problem(.unauthenticated, detail: "A valid bearer token is needed.", instance: instance)
    }

    /// What an erasure means for a caller: 401 for a token from before, 503 for a newer one until it is over.
    package static func erased(_ standing: ErasureStanding, instance: String) -> Problem {
        switch standing {
        case .tokenIsOlder: unauthenticated(instance: instance)
        case .isUnderWay, .clear:
            Problem(
                .tryAgainLater, detail: "What this user had before is still being erased.", instance: instance,
                reason: .overload, retryAfterMilliseconds: Jitter.spread(.seconds(1)))
        }
    }

    /// 429: the user's own budget is used up for so long.
    package static func userRate(_ wait: Duration, instance: String) -> Problem {
        Problem(
            .tryAgainLater, detail: "This user has sent more than the budget allows for now.",
            instance: instance, reason: .userRate, retryAfterMilliseconds: Jitter.spread(wait))
    }

    /// 503: more waits than can be served in time.
    ///
    /// - Parameter wait: the least that is told; jitter comes on top.
    package static func overload(_ wait: Duration = .seconds(1), instance: String) -> Problem {
        Problem(
            .tryAgainLater, detail: "More waits for the database than can be served in time.", instance: instance,
            reason: .overload, retryAfterMilliseconds: Jitter.spread(wait))
    }

    /// 503: this instance is stopping; the next try meets another one.
    package static func draining(instance: String) -> Problem {
        Problem(
            .tryAgainLater, detail: "This instance is stopping.", instance: instance, reason: .draining,
            retryAfterMilliseconds: Jitter.spread(.milliseconds(200)))
    }

    /// 503: PostgreSQL is away, slow or busy; after a lost connection nobody knows whether a write has happened.
    package static func storeUnavailable(instance: String) -> Problem {
        Problem(
            .tryAgainLater, detail: "The database does not answer.", instance: instance,
            reason: .storeUnavailable, retryAfterMilliseconds: Jitter.spread(.seconds(2)))
    }

    /// What a caller is told of an error of the database: 503, or 500 when the fault is ours and a repeat cannot help.
    package static func store(_ error: PostgresError, instance: String) -> Problem {
        switch error.code {
        case .poolExhausted: overload(instance: instance)
        case .closed: draining(instance: instance)
        default:
            error.isFault
                ? Problem(.internal, detail: "The database refused what was asked of it.", instance: instance)
                : storeUnavailable(instance: instance)
        }
    }
}
