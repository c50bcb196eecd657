package import StrideTestSupport

/// What a phone says of a workout at one moment: while it goes on, or at its end.
package struct WorkoutVersion: Hashable, Sendable {
    /// Times, steps, metres, device.
    package var span: NaiveRecount.Span
    /// Whether it has ended.
    package var isComplete: Bool

    /// Puts a version together.
    package init(_ span: NaiveRecount.Span, isComplete: Bool = true) {
        self.span = span
        self.isComplete = isComplete
    }

    /// What is sent.
    package func body(_ request: String) -> JSON {
        span.body(request).with([
            "status": .string(isComplete ? "COMPLETE" : "IN_PROGRESS"), "time_zone": "UTC",
        ])
    }
}

/// A row of a workout as the database has it.
package struct StoredWorkout: Hashable, Sendable {
    /// The request that made it.
    package var request: String
    /// The id that was told.
    package var id: Int
    /// What it says.
    package var version: WorkoutVersion
    /// Whether it is a tombstone.
    package var isDeleted: Bool

    /// Puts a row together.
    package init(_ request: String, id: Int, _ version: WorkoutVersion, isDeleted: Bool = false) {
        self.request = request
        self.id = id
        self.version = version
        self.isDeleted = isDeleted
    }
}

/// Everything of one user in one snapshot.
package struct StoredUser: Sendable {
    /// All rows, tombstones too.
    package var workouts: [StoredWorkout]
    /// The totals of the days on which there is something.
    package var days: [String: DayFigures]

    /// Puts a snapshot together.
    package init(workouts: [StoredWorkout], days: [String: DayFigures]) {
        self.workouts = workouts
        self.days = days
    }

    /// What the totals should be: the fold of the rows.
    package var foldedDays: [String: DayFigures] {
        NaiveRecount.days(of: workouts.filter { !$0.isDeleted }.map(\.version.span))
            .filter { $0.value != DayFigures(0, 0, 0) }
    }
}
