import Models

/// How far this device has read what the server holds.
struct SyncState {
    /// So many days of workouts are kept on the device; of older ones only the totals of days.
    static let keptDays = 400
    /// How often screens that are open are kept fresh, in milliseconds.
    static let pollEvery: Int64 = 60_000
    /// After so long a service's cache has caught up with what it missed, in milliseconds: five seconds, and one for the way.
    static let cacheHeals: Int64 = 6_000

    /// Where the last page of changes ended; nil: at the beginning.
    var cursor: String?
    /// The pass over all changes: the first is 1, and each beginning anew is another.
    var run: Int64 = 1
    /// Whether the pass over all changes has not come to its end yet.
    var isComplete = false
    /// From this day on the totals of days are known.
    var coveredFrom: Day?
    /// Whether the oldest totals that were read had a workout, so that there may be older ones.
    var hasEarlier = false
    /// Days whose totals are to be read again.
    var dirty: (from: Day, to: Day)?
    /// When the server was last read completely.
    var asOf: Int64?

    // Not stored.
    var wantsChanges = false
    var nextPoll: Int64?
    var failure: String?
    var batchLimit = WorkoutLimits.batch

    init() {}

    /// Adds days to those that are to be read.
    mutating func mark(from: Day, to: Day) {
        guard from <= to else { return }
        dirty = (min(dirty?.from ?? from, from), max(dirty?.to ?? to, to))
    }

    /// The next days to read, the latest first; at most as many as the server gives at once.
    var nextDays: DaySpan? {
        guard let dirty else { return nil }
        let from = max(dirty.from, dirty.to.advanced(by: 1 - DaysQuery.longest))
        return DaySpan(from: from, through: dirty.to)
    }
}

extension SyncState {
    /// The stored form.
    var record: [UInt8] {
        jsonObject { writer in
            writer.optional("cursor", cursor)
            writer.member("run", run)
            writer.member("complete", isComplete)
            writer.optional("covered_from", coveredFrom?.description)
            writer.member("has_earlier", hasEarlier)
            writer.optional("dirty_from", dirty?.from.description)
            writer.optional("dirty_to", dirty?.to.description)
            writer.optional("as_of", asOf)
        }
    }

    /// Reads a stored form; what cannot be read is as at the beginning.
    init(_ value: JSONValue) {
        cursor = value.text("cursor")
        run = max(1, min(1 << 40, value.integer("run") ?? 1))
        isComplete = value.flag("complete") ?? false
        coveredFrom = value.day("covered_from")
        hasEarlier = value.flag("has_earlier") ?? false
        if let from = value.day("dirty_from"), let to = value.day("dirty_to"), from <= to { dirty = (from, to) }
        asOf = value.integer("as_of")
    }
}
