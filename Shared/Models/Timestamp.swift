/// An instant on the wall clock: milliseconds since 1970-01-01T00:00:00Z, without leap seconds.
public struct Timestamp: Comparable, Hashable, Sendable {
    /// Milliseconds since 1970; negative before.
    public var milliseconds: Int64

    /// Wraps a count of milliseconds.
    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// Orders by time.
    public static func < (left: Timestamp, right: Timestamp) -> Bool { left.milliseconds < right.milliseconds }
}
