/// The workouts of one batch call, each decoded for itself, in the order sent.
public struct BatchSubmission: Equatable, Sendable {
    /// What became of each; pointers of faults are relative to the item: `/steps`.
    public var items: [WorkoutSubmission.Decoded]

    /// Wraps the items.
    public init(items: [WorkoutSubmission.Decoded]) { self.items = items }

    /// What became of a batch that was sent.
    public enum Decoded: Equatable, Sendable {
        /// It is a batch, though any of its items may be faulty.
        case batch(BatchSubmission)
        /// It is no batch.
        case rejected([Fault])
    }

    /// Decodes a batch of 1 … 500 workouts; a faulty item never harms its neighbours.
    public static func decode(
        _ value: JSONValue, now: Timestamp, isKnownZone: (String) -> Bool
    ) -> Decoded {
        guard case .object = value else {
            let detail = "must be an object with the member workouts, not \(value.kindName)"
            return .rejected([Fault(pointer: "", detail: detail)])
        }
        guard let workouts = value[member: "workouts"] else { return rejected("is required: an array of workouts") }
        guard case .array(let items) = workouts else {
            return rejected("must be an array of workouts, not \(workouts.kindName)")
        }
        guard !items.isEmpty, items.count <= WorkoutLimits.batch else {
            return rejected("must have 1 to 500 workouts, not \(items.count)")
        }
        return .batch(
            BatchSubmission(
                items: items.map { WorkoutSubmission.decode($0, now: now, isKnownZone: isKnownZone) }))
    }

    private static func rejected(_ detail: String) -> Decoded {
        .rejected([Fault(pointer: "/workouts", detail: detail)])
    }
}
