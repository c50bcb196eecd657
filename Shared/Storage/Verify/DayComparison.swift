package import Models

/// Decides whether a user's days agree.
///
/// The rows and the totals come from one snapshot: they must agree exactly. The cache is written after a commit and read
/// after the snapshot, so a day on which it differs is only doubtful until it has been looked at a second time.
/// A pure value, so that every case can be tried without a server.
package struct DayComparison: Sendable {
    /// What the database says.
    package let stored: StoredDays
    /// What the cache says.
    package let cached: [Day: DayTotalsRow]

    /// Compares what was read: the database first, the cache after it.
    package init(stored: StoredDays, cached: [Day: DayTotalsRow]) {
        self.stored = stored
        self.cached = cached
    }

    /// Every day that any of the three knows, in order.
    package var days: [Day] {
        Set(stored.recounted.keys).union(stored.totals.keys).union(cached.keys).sorted()
    }

    /// The days on which the cache has something else than the table.
    package var doubtfulDays: Set<Day> {
        Set(cached.filter { stored.totals[$0.key] != $0.value }.keys)
    }

    /// The days that differ, in order, given which of the doubtful ones are settled.
    package func differences(doubtsConfirmed: Set<Day>) -> [DayDifference] {
        days.compactMap { day in
            let (rows, totals) = (stored.recounted[day], stored.totals[day])
            let rowsAgree = (rows ?? .zero) == (totals?.totals ?? .zero)
            guard !rowsAgree || doubtsConfirmed.contains(day) else { return nil }
            return DayDifference(user: stored.user, day: day, rows: rows, totals: totals, cached: cached[day])
        }
    }

    /// Whether a doubtful day is a difference after a second look.
    ///
    /// While writers are at work the cache may lag behind the newest commit, but not behind one that was there at the
    /// first look; and it may never be ahead of a row that was read after it.
    ///
    /// - Parameters:
    ///   - first: the row at the first look.
    ///   - cached: the cache at the second look, at least a second later.
    ///   - last: the row, read after `cached`.
    package static func isConfirmed(first: DayTotalsRow?, cached: DayTotalsRow?, last: DayTotalsRow?) -> Bool {
        guard let cached, cached != last else { return false }
        guard let last, cached.revision < last.revision else { return true }
        // A row that was not there at the first look has come since, and the cache shows a revision in between.
        guard let first else { return false }
        return cached.revision < first.revision || (cached.revision == first.revision && cached != first)
    }
}
