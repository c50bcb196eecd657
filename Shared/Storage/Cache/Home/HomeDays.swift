package import Models

/// The days of one user, in order of their dates.
///
/// An array, because a home has at most some forty of them and a summary looks at nine: one allocation, and a search that
/// hashes nothing.
package struct HomeDays: Sendable, Hashable {
    /// The rows, each of another day, rising.
    package private(set) var rows: [DayTotalsRow]

    /// Takes rows in any order, each of another day.
    package init(_ rows: some Sequence<DayTotalsRow> = []) {
        self.rows = Array(rows)
        let isSorted = zip(self.rows, self.rows.dropFirst()).allSatisfy { $0.day < $1.day }
        if !isSorted { self.rows.sort { $0.day < $1.day } }
    }

    /// The row of a day; nil if nothing was ever done on it.
    package subscript(day: Day) -> DayTotalsRow? {
        var (low, high) = (0, rows.count)
        while low < high {
            let middle = (low + high) / 2
            if rows[middle].day < day { low = middle + 1 } else { high = middle }
        }
        return low < rows.count && rows[low].day == day ? rows[low] : nil
    }
}
