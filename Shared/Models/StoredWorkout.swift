/// A workout as the rules of days see it: its span, what was counted in it, who counted, and how it was cut.
///
/// Only what passes ``init(id:start:end:steps:distance:deviceID:segments:)`` exists, so the arithmetic on it needs no checks.
public struct StoredWorkout: Sendable {
    /// Names the row; plays no part in any sum.
    public let id: Int64
    /// The first instant.
    public let start: Timestamp
    /// The first instant after the workout.
    public let end: Timestamp
    /// Steps of the whole span, at least 0.
    public let steps: Int32
    /// Distance of the whole span, at least 0.
    public let distance: Millimetres
    /// The device that counted; nil when the workout does not say.
    public let deviceID: String?
    /// The cut made when the workout was stored, in order of time.
    public let segments: [DaySegment]

    /// Takes a workout from the store.
    ///
    /// - Returns: nil when the span is empty, reversed or longer than ``DayCut/longestSpan``, when a count is below zero, or
    ///   when the segments do not tile the span: such a row was not written by the rules.
    public init?(
        id: Int64, start: Timestamp, end: Timestamp, steps: Int32, distance: Millimetres, deviceID: String?,
        segments: [DaySegment]
    ) {
        guard DayCut.length(from: start, to: end) != nil, steps >= 0, distance >= .zero else { return nil }
        var reached = start
        for segment in segments {
            guard segment.from == reached, segment.to > reached else { return nil }
            reached = segment.to
        }
        guard reached == end else { return nil }
        self.id = id
        self.start = start
        self.end = end
        self.steps = steps
        self.distance = distance
        self.deviceID = deviceID
        self.segments = segments
    }

    /// The length of the span in milliseconds: 1 … ``DayCut/longestSpan``.
    public var milliseconds: Int64 { end.milliseconds - start.milliseconds }
}
