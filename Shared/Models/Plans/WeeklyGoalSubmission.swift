/// A recurring weekly goal as a client puts it: steps or distance, exactly one of them.
public struct WeeklyGoalSubmission: Hashable, Sendable {
    /// The goal; exactly one of its parts is there, above 0.
    public var goal: WeeklyGoal

    /// Wraps a goal; the rules are not checked, `decode` does that.
    public init(goal: WeeklyGoal) { self.goal = goal }

    /// Checks a goal against every rule of the contract and lists all that it breaks; `null` counts as left out.
    public static func decode(_ value: JSONValue) -> Checked<WeeklyGoalSubmission> {
        guard case .object = value else {
            return .invalid([
                Fault(pointer: "", detail: "must be an object with steps or distance, not \(value.kindName)")
            ])
        }
        var reader = MemberReader(value)
        let (hasSteps, hasDistance) = (value.has("steps"), value.has("distance"))
        if hasSteps == hasDistance { reader.faults.add("", "must have exactly one of steps and distance") }
        let steps = hasSteps ? reader.goalSteps("steps") : nil
        let distance = hasDistance ? reader.goalDistance("distance") : nil
        if steps == 0 { reader.faults.add("/steps", "must be above 0") }
        if distance == .zero { reader.faults.add("/distance", "must be above 0, at least a millimetre") }
        guard reader.faults.isEmpty else { return .invalid(reader.faults.faults) }
        return .valid(WeeklyGoalSubmission(goal: WeeklyGoal(steps: steps, distance: distance)))
    }
}
