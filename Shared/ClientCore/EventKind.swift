import Models

/// The events that a host can send.
enum EventKind: Int, CaseIterable {
    case restore, start, tick, online, signedIn, signedOut, zone, answer, open, close, refresh, more
    case addWorkout, deleteWorkout, retryWorkout, adopt
    case createPlan, deletePlan, resolveConflict, setGoal, setProfile, discardChange
    case recordScore, removeScore, track, eraseAccount

    var name: String {
        switch self {
        case .restore: "restore"
        case .start: "start"
        case .tick: "tick"
        case .online: "online"
        case .signedIn: "signed_in"
        case .signedOut: "signed_out"
        case .zone: "zone"
        case .answer: "answer"
        case .open: "open"
        case .close: "close"
        case .refresh: "refresh"
        case .more: "more"
        case .addWorkout: "add_workout"
        case .deleteWorkout: "delete_workout"
        case .retryWorkout: "retry_workout"
        case .adopt: "adopt"
        case .createPlan: "create_plan"
        case .deletePlan: "delete_plan"
        case .resolveConflict: "resolve_conflict"
        case .setGoal: "set_goal"
        case .setProfile: "set_profile"
        case .discardChange: "discard_change"
        case .recordScore: "record_score"
        case .removeScore: "remove_score"
        case .track: "track"
        case .eraseAccount: "erase_account"
        }
    }

    init?(_ name: String) {
        guard let kind = Self.allCases.first(where: { same($0.name, name) }) else { return nil }
        self = kind
    }
}
