import Models

/// The way to the services: whether there is one, what is under way, and when each kind of request may be next.
struct Link {
    /// Kinds of requests that wait for themselves.
    enum Lane: Int, CaseIterable {
        case upload, plan, read, board
    }

    /// A request under way.
    struct Flight {
        var id: Int64
        var errand: Errand
        var since: Int64
    }

    /// So long a host may be silent before a request counts as unanswered.
    static let patience: Int64 = 120_000

    var isOnline = false
    var isSignedIn = false
    var flight: Flight?
    /// Begins with the time of the start: an answer to a request of an earlier life fits none of this one.
    var nextID: Int64 = 1
    private var gates = [Gate](repeating: Gate(), count: Lane.allCases.count)

    /// The gate of a lane.
    subscript(lane: Lane) -> Gate {
        get { gates[lane.rawValue] }
        set { gates[lane.rawValue] = newValue }
    }

    /// Begins a request.
    mutating func begin(_ errand: Errand, at now: Int64) -> Int64 {
        let id = nextID
        nextID += 1
        flight = Flight(id: id, errand: errand, since: now)
        return id
    }

    /// What the server told each lane to wait; others are as new.
    ///
    /// It outlives the process.
    var waits: [Gate] {
        get { gates.map { $0.wasTold ? $0 : Gate() } }
        set { for lane in newValue.indices.prefix(gates.count) { gates[lane] = newValue[lane] } }
    }

    /// The network came back.
    mutating func reopen() {
        for lane in gates.indices { gates[lane].reopen() }
    }
}

/// What a request is for.
enum Errand {
    /// Workouts in the versions sent.
    case upload([(id: UUIDValue, version: Workout.Version)])
    case deleteWorkout(UUIDValue)
    case changes(cursor: String?)
    case days(DaySpan)
    case templates
    case planChange(Int64)
    case goalChange(Int64)
    case profileChange(Int64)
    case challenge([UInt8])
    case boardRows([UInt8], isMore: Bool)
    case boardSummary([UInt8])
    case ownEntry([UInt8])
    case boardChange([UInt8], Int64)
    case erase

    /// The lane that it takes.
    var lane: Link.Lane {
        switch self {
        case .upload, .deleteWorkout, .erase: .upload
        case .changes, .days: .read
        case .templates, .planChange, .goalChange, .profileChange: .plan
        case .challenge, .boardRows, .boardSummary, .ownEntry, .boardChange: .board
        }
    }
}
