/// Which plan a client believes to be current: the member `replaces` of a new plan.
public enum ExpectedPlan: Hashable, Sendable {
    /// The client does not say: its plan replaces whatever there is.
    case unstated
    /// The client believes that there is no plan.
    case noPlan
    /// The client believes that this one is current.
    case plan(UUIDValue)

    /// Whether the belief holds; if not, the new plan is a conflict.
    ///
    /// A repeat has to be recognised by its requestId before this is asked: its own plan is then the current one.
    public func agrees(with current: UUIDValue?) -> Bool {
        switch self {
        case .unstated: true
        case .noPlan: current == nil
        case .plan(let id): current == id
        }
    }
}

extension Problem {
    /// The answer to a plan that was to replace another than the current one; `currentPlan` is null if there is none.
    public static func planConflict(current: WorkoutPlan?, instance: String? = nil) -> Problem {
        Problem(
            .planConflict, detail: "The server holds another current plan than the client believes, see currentPlan",
            instance: instance, currentPlan: current?.encode() ?? Array("null".utf8))
    }
}
