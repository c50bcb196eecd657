import Models

/// A workout on this device: its own, or one that the server told of.
struct Workout {
    /// What becomes of it.
    enum State: Int, CaseIterable {
        /// Waits to be sent, or is delivered.
        case kept
        /// The server will never take it as it is.
        case refused
        /// To be deleted on the server.
        case deleting
        /// Deleted there, but still in the confirmed numbers.
        case gone

        var name: String {
            switch self {
            case .kept: "kept"
            case .refused: "refused"
            case .deleting: "deleting"
            case .gone: "gone"
            }
        }
    }

    /// How far a workout had come when somebody looked.
    struct Version: Equatable {
        var end: Int64
        var steps: Int32
        var millimetres: Int64
        var isOpen: Bool

        /// Whether a workout that grows comes after another version of it.
        func isGreater(than other: Version) -> Bool {
            (end, steps, millimetres) > (other.end, other.steps, other.millimetres)
        }
    }

    let id: UUIDValue
    var start: Int64
    var version: Version
    var zone: String
    var source: WorkoutSource
    var device: String?
    var state = State.kept
    /// The server's name for it.
    var serverID: Int64?
    /// The version that the server has acknowledged.
    var sent: Version?
    /// The version that the confirmed numbers contain.
    var counted: Version?
    /// Whether it was ever sent: then the server may have it, whatever was answered.
    var wasTried = false
    /// Whether the tracker still adds to it.
    var isLive = false
    /// The pass over all changes in which the server last told of it.
    var run: Int64 = 0
    var reason: Reason?

    /// Whether the server lacks something of it.
    var isWaiting: Bool { state == .kept && version != sent }

    /// The version that should count now; nil for none.
    var wanted: Version? {
        switch state {
        case .kept: version
        case .refused: counted
        case .deleting, .gone: nil
        }
    }

    /// Whether the confirmed numbers lack something of it, or have something too much.
    var isUnsettled: Bool {
        guard let wanted, let counted else { return wanted != nil || counted != nil }
        return wanted.end != counted.end || wanted.steps != counted.steps || wanted.millimetres != counted.millimetres
    }
}

/// Why the server refused something.
struct Reason {
    var code: String
    var detail: String
    /// Pointers and what is wrong there.
    var faults: [(pointer: String, detail: String)] = []
    /// How far the device's clock was ahead of the server's, if that was the reason.
    var clockError: Int64?
}

extension Workout {
    /// A version as the rules of days want it; nil if it keeps none of them.
    func stored(_ version: Version, zones: Zones) -> StoredWorkout? {
        StoredWorkout(
            id: 0, start: Timestamp(milliseconds: start), end: Timestamp(milliseconds: version.end),
            steps: version.steps, distance: Millimetres(version.millimetres), deviceID: device,
            segments: zones.segments(from: start, to: version.end, zone: zone))
    }

    /// Whether a workout can be one that the server takes, the device's clock being right.
    static func isPossible(start: Int64, end: Int64, steps: Int64, millimetres: Int64) -> Bool {
        start >= WorkoutLimits.earliest.milliseconds && end > start && end < 7_258_118_400_000
            && end - start <= WorkoutLimits.spanMilliseconds && (0...Int64(WorkoutLimits.steps)).contains(steps)
            && (0...Int64(WorkoutLimits.metres) * 1000).contains(millimetres)
    }
}
