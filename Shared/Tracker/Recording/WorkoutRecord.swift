/// A workout as far as it has come: times, steps and metres, and nothing else; above all no position.
public struct WorkoutRecord: Equatable, Sendable {
    /// The first step, or when the user started, in milliseconds since 1970.
    public var start: Int64
    /// The last step, in milliseconds since 1970; later than the start.
    public var end: Int64
    /// How many steps.
    public var steps: Int64
    /// The way in millimetres.
    public var millimetres: Int64
    /// Whether the user started it.
    public var isManual: Bool

    /// Joins the parts.
    public init(start: Int64, end: Int64, steps: Int64, millimetres: Int64, isManual: Bool) {
        self.start = start
        self.end = end
        self.steps = steps
        self.millimetres = millimetres
        self.isManual = isManual
    }
}

/// What a recorder is told.
///
/// All times are milliseconds since 1970.
public enum RecorderEvent: Equatable, Sendable {
    /// The user starts a workout.
    case start(at: Int64)
    /// The user pauses it.
    case pause(at: Int64)
    /// The user goes on.
    case resume(at: Int64)
    /// The user ends it.
    case stop(at: Int64)
    /// Steps became certain; when the first and the last of them were made.
    case steps(count: Int64, first: Int64, last: Int64)
    /// The way grew by so much.
    case moved(millimetres: Int64)
    /// Time has passed; at the latest when a `wake` asked for it.
    case tick(at: Int64)
}

/// What a recorder wants done.
public enum RecorderEffect: Equatable, Sendable {
    /// A workout begins.
    case began(at: Int64)
    /// It is to be stored, and sent as one that may still grow.
    case progress(WorkoutRecord)
    /// It is over: to be stored and sent as complete.
    case ended(WorkoutRecord)
    /// It had no step and is forgotten.
    case discarded
    /// A `tick` is wanted at this time; replaces an earlier wish.
    case wake(at: Int64)
}

/// The times of a recorder in milliseconds.
public enum RecorderLimits {
    /// So long without a step ends a workout.
    public static let rest: Int64 = 60_000
    /// How late a step may become certain after it was made.
    public static let certainty: Int64 = 10_000
    /// How long a workout that the user started waits for its first step.
    public static let patience: Int64 = 300_000
    /// How often a running workout is sent.
    public static let progress: Int64 = 300_000
    /// The longest pause by the user.
    public static let pause: Int64 = 4 * 3_600_000
    /// The longest workout; the next step begins another.
    ///
    /// Servers take 48 hours.
    public static let length: Int64 = 24 * 3_600_000
    /// Clocks outside the years 2000 to 2200 are not believed.
    public static let clock: ClosedRange<Int64> = 946_684_800_000...7_258_118_400_000
}
