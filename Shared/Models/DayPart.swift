/// What one workout adds to one day.
public struct DayPart: Hashable, Sendable {
    /// The local day.
    public var day: Day
    /// How much of the workout's time lies in the day.
    public var milliseconds: Int64
    /// The day's share of the steps.
    public var steps: Int32
    /// The day's share of the distance.
    public var distance: Millimetres

    /// The share of one day; without steps and distance, only its time.
    public init(day: Day, milliseconds: Int64, steps: Int32 = 0, distance: Millimetres = .zero) {
        self.day = day
        self.milliseconds = milliseconds
        self.steps = steps
        self.distance = distance
    }
}
