/// A stretch of a workout that lies in one local day.
///
/// Stored with the workout, because the cut is made once: a later change of the profile's time zone, or a new release of
/// the time-zone database, does not move history.
public struct DaySegment: Hashable, Sendable {
    /// The local day that the whole stretch lies in.
    public var day: Day
    /// The first instant.
    public var from: Timestamp
    /// The first instant that no longer belongs to the stretch.
    public var to: Timestamp

    /// A stretch from an instant up to, but not including, another.
    public init(day: Day, from: Timestamp, to: Timestamp) {
        self.day = day
        self.from = from
        self.to = to
    }

    /// The length in milliseconds.
    public var milliseconds: Int64 { to.milliseconds &- from.milliseconds }
}
