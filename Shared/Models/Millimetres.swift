/// A distance in whole millimetres, so that sums are exact: 1000 × 0.1 m is 100 m.
public struct Millimetres: Comparable, Hashable, Sendable {
    /// The count; a total may be as large as the integer allows.
    public var count: Int64

    /// Wraps a count of millimetres.
    public init(_ count: Int64) { self.count = count }

    /// No distance.
    public static let zero = Millimetres(0)

    /// Orders by length.
    public static func < (left: Millimetres, right: Millimetres) -> Bool { left.count < right.count }
    /// The sum; wraps round at the integer's end, which 18 million maximal workouts would be needed to reach.
    public static func + (left: Millimetres, right: Millimetres) -> Millimetres {
        Millimetres(left.count &+ right.count)
    }
    /// The difference.
    public static func - (left: Millimetres, right: Millimetres) -> Millimetres {
        Millimetres(left.count &- right.count)
    }
    /// Adds in place.
    public static func += (left: inout Millimetres, right: Millimetres) { left = left + right }
    /// Subtracts in place.
    public static func -= (left: inout Millimetres, right: Millimetres) { left = left - right }
}
