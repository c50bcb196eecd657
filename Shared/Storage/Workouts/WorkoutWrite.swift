package import Models

/// A workout that has passed every check and waits to be written.
package struct WorkoutWrite: Sendable {
    /// Whose it is.
    package let user: UserID
    /// When the token was issued with which it was sent; nil counts as older than any erasure.
    package let issuedAt: Timestamp?
    /// What the phone sent.
    package let submission: WorkoutSubmission
    /// The time zone it counts in: the one sent, else the user's own.
    package let zone: String
    /// Its pieces by local day; most workouts have one.
    package let segments: [DaySegment]

    /// Puts together what is written.
    package init(
        user: UserID, issuedAt: Timestamp? = nil, submission: WorkoutSubmission, zone: String, segments: [DaySegment]
    ) {
        self.user = user
        self.issuedAt = issuedAt
        self.submission = submission
        self.zone = zone
        self.segments = segments
    }

    var key: WorkoutKey { WorkoutKey(user: user, request: submission.requestID) }
}

/// What names a workout: the unit of truth.
package struct WorkoutKey: Hashable, Comparable, Sendable {
    /// Whose it is.
    package let user: UserID
    /// The phone's own name for it.
    package let request: RequestID

    /// By user, then by request: the order in which rows are written, so that two writers never wait for each other.
    package static func < (left: WorkoutKey, right: WorkoutKey) -> Bool {
        left.user.value == right.user.value
            ? left.request.value < right.request.value : left.user.value < right.user.value
    }
}

/// What became of a write.
package enum WriteOutcome: Hashable, Sendable {
    /// A new row.
    case created(workoutID: Int64)
    /// It was there already, or is older news than what is stored, or was deleted: nothing changed.
    case duplicate(workoutID: Int64)
    /// A workout in progress has grown or was closed.
    case updated(workoutID: Int64)
    /// The request id already means something else: never send it again.
    case conflict
    /// The user was erased, and the token does not count, or not yet.
    case refused(ErasureStanding)
}

/// One day of one user.
package struct UserDay: Hashable, Comparable, Sendable {
    /// Whose day it is.
    package let user: UserID
    /// The local day.
    package let day: Day

    /// By user, then by day.
    package static func < (left: UserDay, right: UserDay) -> Bool {
        left.user == right.user ? left.day < right.day : left.user.value < right.user.value
    }
}

/// The totals of one day of one user as they stand after a commit.
package struct DayTotalsRow: Hashable, Sendable {
    /// Whose day it is.
    package let user: UserID
    /// The local day.
    package let day: Day
    /// The sums.
    package let totals: DayTotals
    /// Grows with every change of the row; a reader keeps the greater one.
    package let revision: Int64
}

/// What one transaction has brought about.
package struct CommitResult: Sendable {
    /// One outcome for each write, in the order given.
    package var outcomes: [WriteOutcome]
    /// Every day whose totals a caller's next read must show: the changed ones and those of repeats.
    package var days: [DayTotalsRow]
    /// To be forgotten once the cache shows the days; nil when no day changed.
    package var mark: CacheMark?
}
