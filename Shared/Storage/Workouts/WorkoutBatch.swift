internal import Models

/// Workouts that are written in one transaction, arranged so that each row is named once.
///
/// A pure value.
///
/// A request id may come twice in one batch (a phone that retries while its first call is under way, or sends a
/// workout in progress and its end together). The first of them is inserted; the others are judged against it exactly
/// as if they had come later.
struct WorkoutBatch: Sendable {
    /// Everything, in the order in which it came.
    let writes: [WorkoutWrite]
    /// The places of each key's writes in `writes`, oldest first; keys in order.
    let placesByKey: [(key: WorkoutKey, places: ArraySlice<Int>)]

    init(_ writes: [WorkoutWrite]) {
        self.writes = writes
        let order = writes.indices.sorted { (writes[$0].key, $0) < (writes[$1].key, $1) }
        var groups: [(key: WorkoutKey, places: ArraySlice<Int>)] = []
        groups.reserveCapacity(writes.count)
        var start = 0
        for end in 1..<(order.count + 1) {
            let key = writes[order[start]].key
            if end < order.count, writes[order[end]].key == key { continue }
            groups.append((key, order[start..<end]))
            start = end
        }
        placesByKey = groups
    }

    /// What is inserted: the first write of each key, in key order.
    var firsts: [WorkoutWrite] { placesByKey.compactMap { $0.places.first.map { writes[$0] } } }

    /// The users in order, with what the batch knows of their devices.
    var users: [BatchUser] {
        var users: [BatchUser] = []
        for (key, places) in placesByKey {
            if users.last?.user != key.user { users.append(BatchUser(user: key.user)) }
            guard let last = users.indices.last else { continue }
            for place in places { users[last].meet(writes[place].submission.deviceID) }
        }
        return users
    }
}

/// A user of a batch.
///
/// Devices: the first one met, and whether another was met too.
struct BatchUser: Hashable, Sendable {
    let user: UserID
    var deviceID: String?
    var hasSeveralDevices = false

    init(user: UserID) { self.user = user }

    mutating func meet(_ device: String?) {
        guard let device else { return }
        if let known = deviceID { hasSeveralDevices = hasSeveralDevices || known != device } else { deviceID = device }
    }
}

/// New numbers for a workout in progress.
struct WorkoutUpdate: Sendable {
    let key: WorkoutKey
    let content: WorkoutContent
    let segments: [DaySegment]
}

/// A stretch of one user's time, by the start of the workouts in it.
struct UserStretch: Hashable, Sendable {
    let user: UserID
    let from: Timestamp
    let to: Timestamp
}

/// What the lock of a user has brought.
struct LockedUser: Hashable, Sendable {
    let revision: Int64
    let hasSeveralDevices: Bool
    /// When the user's data was last erased; 0 for never.
    let erasedAt: Int64
    /// Whether that is still under way.
    let isErasing: Bool

    /// How a token stands to it.
    func standing(of issuedAt: Timestamp?) -> ErasureStanding {
        ErasureStanding(issuedAt: issuedAt, erasedAt: erasedAt, isUnderWay: isErasing)
    }
}
