internal import Models

/// What a transaction does after its rows were inserted: who gets which answer, which rows are updated, and how the
/// days change.
///
/// A pure value: everything it needs was read before.
struct CommitPlan: Sendable {
    /// One for each write, in the order in which it came.
    private(set) var outcomes: [WriteOutcome]
    /// Rows in progress whose numbers change.
    private(set) var updates: [WorkoutUpdate] = []
    /// What is added to days of users for whom adding is right.
    private(set) var additions: [UserDay: DayTotals] = [:]
    /// What changed of users whose devices may overlap: their days are counted anew.
    private(set) var recounts: [UserID: [Change]] = [:]
    /// Days of repeats, whose totals are shown again in case the cache missed them the first time.
    private(set) var repeatedDays: Set<UserDay> = []

    /// A row before and after; nil where there is none.
    struct Change: Sendable {
        let before: Version?
        let after: Version?
        var spans: [(from: Timestamp, to: Timestamp)] { [before, after].compactMap { $0?.span } }
        var days: [Day] { [before, after].flatMap { $0?.segments.map(\.day) ?? [] } }
    }

    /// What of a row bears on its days.
    struct Version: Sendable {
        let content: WorkoutContent
        let segments: [DaySegment]
        var parts: [DayPart] { DayCut.parts(of: segments, steps: content.steps, distance: content.distance) }
        var span: (from: Timestamp, to: Timestamp) { (content.start, content.end) }
    }

    /// Whether the totals of any day change; repeats alone change nothing.
    var changesDays: Bool { !additions.isEmpty || !recounts.isEmpty }

    /// A plan that changes nothing.
    init() { outcomes = [] }

    /// Decides.
    ///
    /// - Parameters:
    ///   - inserted: the ids of the rows that are new.
    ///   - existing: the rows that were there before.
    ///   - users: what the locks brought.
    ///   - clock: the clock of a stored zone, for a workout in progress whose end moves.
    init(
        _ batch: WorkoutBatch, inserted: [WorkoutKey: Int64], existing: [WorkoutKey: WorkoutRow],
        users: [UserID: LockedUser], clock: (String) -> ZoneOffsets?
    ) {
        outcomes = Array(repeating: .conflict, count: batch.writes.count)
        for (key, places) in batch.placesByKey {
            let hasSeveral = users[key.user]?.hasSeveralDevices ?? false
            if let id = inserted[key], let first = places.first {
                let write = batch.writes[first]
                outcomes[first] = .created(workoutID: id)
                let new = Version(content: write.submission.content, segments: write.segments)
                let others = places.dropFirst()
                let final =
                    others.isEmpty ? new : revise(new, id: id, zone: write.zone, by: others, of: batch, clock: clock)
                if !others.isEmpty, final.content != new.content { record(update: final, of: key) }
                note(Change(before: nil, after: final), of: key, recounted: hasSeveral)
            } else if let row = existing[key] {
                let stored = Version(content: row.content, segments: row.segments)
                showAgain(stored, of: key)
                guard !row.isDeleted else {
                    for place in places { outcomes[place] = .duplicate(workoutID: row.workoutID) }
                    continue
                }
                let final = revise(stored, id: row.workoutID, zone: row.zone, by: places[...], of: batch, clock: clock)
                guard final.content != stored.content else { continue }
                record(update: final, of: key)
                note(Change(before: stored, after: final), of: key, recounted: hasSeveral)
            }
        }
    }

    /// Judges the writes of one key in turn and returns what the row is in the end.
    private mutating func revise(
        _ stored: Version, id: Int64, zone: String, by places: ArraySlice<Int>, of batch: WorkoutBatch,
        clock: (String) -> ZoneOffsets?
    ) -> Version {
        var current = stored
        for place in places {
            let write = batch.writes[place]
            let content = write.submission.content
            switch WorkoutRevision.decide(stored: current.content, incoming: content) {
            case .duplicate: outcomes[place] = .duplicate(workoutID: id)
            case .conflict: outcomes[place] = .conflict
            case .update:
                outcomes[place] = .updated(workoutID: id)
                // The row keeps the zone in which it was first stored.
                let segments =
                    write.zone == zone
                    ? write.segments
                    : clock(zone).map { DayCut.segments(from: content.start, to: content.end, clock: $0) }
                current = Version(content: content, segments: segments ?? write.segments)
            }
        }
        return current
    }

    private mutating func record(update version: Version, of key: WorkoutKey) {
        updates.append(WorkoutUpdate(key: key, content: version.content, segments: version.segments))
    }

    mutating func showAgain(_ version: Version, of key: WorkoutKey) {
        for segment in version.segments { repeatedDays.insert(UserDay(user: key.user, day: segment.day)) }
    }

    /// A workout without a device never overlaps, and neither does a user with one device: adding is right for them.
    mutating func note(_ change: Change, of key: WorkoutKey, recounted: Bool) {
        let device = change.after?.content.deviceID ?? change.before?.content.deviceID
        guard !(recounted && device != nil) else {
            recounts[key.user, default: []].append(change)
            return
        }
        for part in change.after?.parts ?? [] {
            additions[UserDay(user: key.user, day: part.day), default: .zero] += part.asTotals
        }
        for part in change.before?.parts ?? [] {
            additions[UserDay(user: key.user, day: part.day), default: .zero] -= part.asTotals
        }
    }
}

extension DayPart {
    /// What one workout adds to a day.
    var asTotals: DayTotals { DayTotals(steps: Int64(steps), distance: distance, workouts: 1) }
}

extension DayTotals {
    static let zero = DayTotals(steps: 0, distance: .zero, workouts: 0)

    static func += (left: inout DayTotals, right: DayTotals) {
        left = DayTotals(
            steps: left.steps + right.steps, distance: left.distance + right.distance,
            workouts: left.workouts + right.workouts)
    }

    static func -= (left: inout DayTotals, right: DayTotals) {
        left = DayTotals(
            steps: left.steps - right.steps, distance: left.distance - right.distance,
            workouts: left.workouts - right.workouts)
    }
}
