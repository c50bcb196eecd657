import Models
import ServiceKit
import Storage

/// The problems that ask a client to wait, or to give up.
extension WorkoutAnswers {
    static func reused(_ instance: String) -> Problem {
        Problem(
            .idempotencyKeyReused, detail: "This requestId already names a workout with other content.",
            instance: instance)
    }

    static func refused(_ refusal: CommitRefusal, _ instance: String) -> Problem {
        switch refusal {
        case .overload(let comeBack):
            Problem(
                .tryAgainLater, detail: "More waits to be written than can be.", instance: instance,
                reason: .overload, retryAfterMilliseconds: Jitter.spread(comeBack))
        case .storeUnavailable: .storeUnavailable(instance: instance)
        case .draining:
            Problem(
                .tryAgainLater, detail: "This instance is stopping.", instance: instance,
                reason: .draining, retryAfterMilliseconds: Jitter.spread(.milliseconds(200)))
        case .erased(let standing): .erased(standing, instance: instance)
        case .internalFault:
            Problem(.internal, detail: "The workout could not be written.", instance: instance)
        }
    }
}
