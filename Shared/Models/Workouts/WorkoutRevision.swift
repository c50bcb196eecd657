/// What a second call with a known requestId does to the workout that is stored under it.
///
/// The end state does not depend on the order of arrival: among IN_PROGRESS calls the greatest stays, and a COMPLETE one, once there, stays
/// whatever else comes. Two different COMPLETE calls are a client's fault; the first one holds.
public enum WorkoutRevision: Hashable, Sendable {
    /// Nothing changes: a repeat, or an older state that arrives late. 200, `duplicate: true`.
    case duplicate
    /// The incoming content replaces the stored. 200, `updated: true`.
    case update
    /// The requestId means something else. 422.
    case conflict

    /// Decides by the two contents alone.
    ///
    /// A COMPLETE call with *smaller* numbers than the stored IN_PROGRESS ones closes the workout too, with the smaller numbers: had it come first,
    /// the greater IN_PROGRESS call would have been refused after it, so any other answer would let the order decide.
    public static func decide(stored: WorkoutContent, incoming: WorkoutContent) -> WorkoutRevision {
        if stored == incoming { return .duplicate }
        guard
            stored.start == incoming.start, stored.timeZone == incoming.timeZone, stored.source == incoming.source,
            stored.deviceID == incoming.deviceID
        else { return .conflict }
        switch (stored.status, incoming.status) {
        case (.inProgress, .inProgress): return isGreater(incoming, than: stored) ? .update : .duplicate
        case (.inProgress, .complete): return .update
        case (.complete, .inProgress): return isGreater(incoming, than: stored) ? .conflict : .duplicate
        case (.complete, .complete): return .conflict
        }
    }

    /// Compares (end, steps, distance), the first difference decides.
    private static func isGreater(_ left: WorkoutContent, than right: WorkoutContent) -> Bool {
        (left.end, left.steps, left.distance) > (right.end, right.steps, right.distance)
    }
}
