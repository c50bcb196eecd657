/// The clock of a time zone as a table: when its offset changed, and to what.
///
/// A value without I/O and without locks, so that every thread, the phone and the browser can use the same one. A look-up
/// is a binary search over about two entries a year.
public struct ZoneOffsets: LocalClock, Sendable {
    /// When each offset begins, in milliseconds since 1970, rising; the first offset holds before the first change.
    private let changes: [Int64]
    /// Seconds ahead of UTC: one more than there are changes.
    private let offsets: [Int32]

    /// The clock that never changes and is ahead of nothing.
    public static let utc = ZoneOffsets(fixed: 0)

    /// A zone that never changes its clocks.
    public init(fixed seconds: Int) {
        changes = []
        offsets = [Int32(truncatingIfNeeded: seconds)]
    }

    /// Finds the changes of a clock between two instants.
    ///
    /// - Parameters:
    ///   - step: how far apart the clock is looked at, in milliseconds; two changes within one step that cancel each other
    ///     are not seen. The time-zone database has none within three days since 2000.
    ///   - offset: seconds ahead of UTC at an instant in milliseconds.
    public init(from: Int64, to: Int64, step: Int64 = 3 * 86_400_000, offset: (Int64) -> Int) {
        var changes: [Int64] = []
        var offsets = [Int32(truncatingIfNeeded: offset(from))]
        var at = from
        while at < to {
            let next = min(at + max(1, step), to)
            let held = Int(offsets.last ?? 0)
            if offset(next) != held {
                var (low, high) = (at, next)
                while high - low > 1 {
                    let middle = low + (high - low) / 2
                    if offset(middle) == held { low = middle } else { high = middle }
                }
                changes.append(high)
                offsets.append(Int32(truncatingIfNeeded: offset(high)))
                at = high
            } else {
                at = next
            }
        }
        self.changes = changes
        self.offsets = offsets
    }

    /// Seconds ahead of UTC; outside the table's range what holds at its nearer end.
    public func offsetSeconds(at instant: Timestamp) -> Int {
        var (low, high) = (0, changes.count)
        while low < high {
            let middle = (low + high) / 2
            if changes[middle] <= instant.milliseconds { low = middle + 1 } else { high = middle }
        }
        return Int(offsets[low])
    }
}
