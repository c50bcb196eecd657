/// What one user did in one day.
public struct DayTotals: Hashable, Sendable {
    /// The steps that count.
    public var steps: Int64
    /// The distance that counts.
    public var distance: Millimetres
    /// The workouts that have time in the day, those that count for nothing there included.
    public var workouts: Int32

    /// The totals of a day; without arguments, those of a day without workouts.
    public init(steps: Int64 = 0, distance: Millimetres = .zero, workouts: Int32 = 0) {
        self.steps = steps
        self.distance = distance
        self.workouts = workouts
    }

    /// Adds one workout's share of the day.
    public mutating func add(_ part: DayPart) {
        steps &+= Int64(part.steps)
        distance += part.distance
        workouts &+= 1
    }
}
