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
        case .overload(let comeBack): .overload(comeBack, instance: instance)
        case .storeUnavailable: .storeUnavailable(instance: instance)
        case .draining: .draining(instance: instance)
        case .erased(let standing): .erased(standing, instance: instance)
        case .internalFault:
            Problem(.internal, detail: "The workout could not be written.", instance: instance)
        }
    }
}
