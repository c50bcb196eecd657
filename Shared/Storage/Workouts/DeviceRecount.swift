internal import Models

/// Counts days anew whose workouts come from several devices.
///
/// A pure value.
///
/// A changed workout takes or gives time in every stretch in which it overlaps another device's workout, and that
/// workout then changes on all of its own days (its exact cut becomes rounded shares, or the other way round). So the
/// days to count are those of the changed workouts and of everything that overlaps them.
enum DeviceRecount {
    /// No workout is longer.
    static let longestSpan: Int64 = 48 * 3_600_000

    /// What has to be read for a set of changes: touching stretches are joined, so that no row is read twice.
    ///
    /// A day to count lies within 48 h and a day of a change; what counts in it within another 48 h; what overlaps
    /// that within another; and starts, by which rows are found, lie up to 48 h before the time in question.
    static func stretches(of changes: [CommitPlan.Change], user: UserID) -> [UserStretch] {
        let before = 4 * longestSpan + 2 * Day.milliseconds
        let after = 3 * longestSpan + 2 * Day.milliseconds
        let wide = changes.flatMap(\.spans)
            .map { (from: $0.from.milliseconds - before, to: $0.to.milliseconds + after) }
            .sorted { $0.from < $1.from }
        var joined: [(from: Int64, to: Int64)] = []
        for stretch in wide {
            if let last = joined.last, stretch.from <= last.to {
                joined[joined.count - 1].to = max(last.to, stretch.to)
            } else {
                joined.append(stretch)
            }
        }
        return joined.map {
            UserStretch(user: user, from: Timestamp(milliseconds: $0.from), to: Timestamp(milliseconds: $0.to))
        }
    }

    /// The totals of every day that the changes touch; a day on which nothing is left is zero.
    ///
    /// - Parameter rows: the user's workouts in `stretches(of:user:)`, as they stand after the changes.
    static func totals(of changes: [CommitPlan.Change], rows: [WorkoutRow]) -> [Day: DayTotals] {
        var days = Set(changes.flatMap(\.days))
        let spans = changes.flatMap(\.spans)
        for row in rows
        where spans.contains(where: { $0.from < row.content.end && row.content.start < $0.to }) {
            days.formUnion(row.segments.map(\.day))
        }
        let counted = DeviceOverlap.totals(of: rows.map(\.stored))
        return Dictionary(uniqueKeysWithValues: days.map { ($0, counted[$0] ?? .zero) })
    }
}
