/// One workout as a client sent it, checked against every rule of its form.
///
/// What was left out stays left out: content is compared as sent, and defaults are the store's business.
public struct WorkoutSubmission: Hashable, Sendable {
    /// The client's name for the workout.
    public var requestID: RequestID
    /// The same as it was spelt, for the answer.
    public var requestIDText: String
    /// The first instant.
    public var start: Timestamp
    /// The instant after the last.
    public var end: Timestamp
    /// Steps, 0 … 500 000.
    public var steps: Int32
    /// The way, 0 … 500 km.
    public var distance: Millimetres
    /// The IANA name as sent; nil if left out, then the profile's holds.
    public var timeZone: String?
    /// Whether it may still grow; complete unless said otherwise.
    public var status: WorkoutStatus
    /// How it came about; automatic unless said otherwise.
    public var source: WorkoutSource
    /// The device that counted, 1 … 64 printable ASCII characters; nil if left out.
    public var deviceID: String?

    /// Joins the parts; the rules are not checked, `decode` does that.
    public init(
        requestID: RequestID, requestIDText: String, start: Timestamp, end: Timestamp, steps: Int32,
        distance: Millimetres, timeZone: String? = nil, status: WorkoutStatus = .complete,
        source: WorkoutSource = .auto, deviceID: String? = nil
    ) {
        self.requestID = requestID
        self.requestIDText = requestIDText
        self.start = start
        self.end = end
        self.steps = steps
        self.distance = distance
        self.timeZone = timeZone
        self.status = status
        self.source = source
        self.deviceID = deviceID
    }

    /// What a repeat is compared with.
    public var content: WorkoutContent {
        WorkoutContent(
            start: start, end: end, steps: steps, distance: distance, timeZone: timeZone, status: status,
            source: source, deviceID: deviceID)
    }
}

/// The bounds of one workout.
public enum WorkoutLimits {
    /// The most steps.
    public static let steps: Int32 = 500_000
    /// The longest way in metres.
    public static let metres: UInt32 = 500_000
    /// The longest span: 48 hours, in milliseconds.
    public static let spanMilliseconds: Int64 = 48 * 3_600_000
    /// How far an end may lie after the server's clock: 24 hours, in milliseconds.
    public static let aheadMilliseconds: Int64 = 24 * 3_600_000
    /// The earliest instant: 2000-01-01T00:00:00Z.
    public static let earliest = Timestamp(milliseconds: 946_684_800_000)
    /// Instants from 1 to this look like seconds; as milliseconds they would lie before 1973-03-04.
    public static let largestSeconds: Int64 = 100_000_000_000
    /// The longest device name in characters.
    public static let deviceIDLength = 64
    /// The most workouts in one batch.
    public static let batch = 500
}
