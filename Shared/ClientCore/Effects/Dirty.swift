import Models

/// A record whose stored form may differ from the state.
enum Dirty: Equatable {
    case workout(UUIDValue)
    case day(Day)
    case state(StateKey)
    case board([UInt8])
    case boardChange([UInt8])
}

/// The records of the store `state`.
enum StateKey: Int, CaseIterable {
    case sync, device, plan, goal, profile, templates, planChange, goalChange, profileChange, waits

    var name: String {
        switch self {
        case .sync: "sync"
        case .device: "device"
        case .plan: "plan"
        case .goal: "goal"
        case .profile: "profile"
        case .templates: "templates"
        case .planChange: "change:plan"
        case .goalChange: "change:goal"
        case .profileChange: "change:profile"
        case .waits: "waits"
        }
    }
}

/// The records to be stored at the end of an event, each once, in the order in which they changed.
struct DirtyList {
    private(set) var items: [Dirty] = []

    mutating func add(_ item: Dirty) {
        // What comes in a run comes in order: the latest are looked at first.
        if items.count > 64, case .workout = item {
            items.append(item)
        } else if !items.contains(item) {
            items.append(item)
        }
    }

    mutating func take() -> [Dirty] {
        let taken = items
        items.removeAll()
        return taken
    }
}
