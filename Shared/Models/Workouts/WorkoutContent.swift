/// What a workout says, without its name: two calls with the same requestId are repeats when this is equal.
///
/// As sent: a repeat that leaves out the time zone is equal whatever the profile says now.
public struct WorkoutContent: Hashable, Sendable {
    /// The first instant.
    public var start: Timestamp
    /// The instant after the last.
    public var end: Timestamp
    /// Steps.
    public var steps: Int32
    /// The way.
    public var distance: Millimetres
    /// The IANA name as sent; nil if left out.
    public var timeZone: String?
    /// Whether it may still grow.
    public var status: WorkoutStatus
    /// How it came about.
    public var source: WorkoutSource
    /// The device that counted; nil if left out.
    public var deviceID: String?

    /// Joins the parts.
    public init(
        start: Timestamp, end: Timestamp, steps: Int32, distance: Millimetres, timeZone: String?,
        status: WorkoutStatus, source: WorkoutSource, deviceID: String?
    ) {
        self.start = start
        self.end = end
        self.steps = steps
        self.distance = distance
        self.timeZone = timeZone
        self.status = status
        self.source = source
        self.deviceID = deviceID
    }
}
