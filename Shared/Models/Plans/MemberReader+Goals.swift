extension JSONValue {
    /// Whether an object has a member that is not `null`: null counts as left out.
    func has(_ name: String) -> Bool {
        switch self[member: name] {
        case nil, .null: false
        default: true
        }
    }
}

/// The rules of members that plans, goals and profiles share.
extension MemberReader {
    /// A required UUID, and the same as it was spelt.
    mutating func uuid(_ name: String) -> (value: UUIDValue, text: String)? {
        guard let text = string(name, isRequired: true, expected: "a UUID in a string") else { return nil }
        guard let value = UUIDValue(parsing: text) else {
            return fault(name, "must be a UUID of the form 8-4-4-4-12 hexadecimal digits")
        }
        return (value, text)
    }

    /// The goals of one week: `steps`, `distance` or both, at least one above 0.
    mutating func goal(of object: JSONValue) -> WeeklyGoal? {
        let found = faults.faults.count
        let steps = object.has("steps") ? goalSteps("steps") : nil
        let distance = object.has("distance") ? goalDistance("distance") : nil
        guard faults.faults.count == found else { return nil }
        guard (steps ?? 0) > 0 || (distance ?? .zero) > .zero else {
            faults.add("", "must have steps or distance, at least one of them above 0")
            return nil
        }
        return WeeklyGoal(steps: steps, distance: distance)
    }

    /// Steps of one week, 0 … 10 000 000.
    mutating func goalSteps(_ name: String) -> Int64? {
        guard let number = number(name, expected: "an integer") else { return nil }
        guard let value = number.exactInteger, (0...PlanLimits.steps).contains(value) else {
            let isOutside = number.isNegative || number.exceeds(10_000_000)
            return fault(name, isOutside ? "must be from 0 to 10000000" : "must be an integer, without a fraction")
        }
        return value
    }

    /// Metres of one week, 0 … 10 000 000, to the nearest millimetre.
    mutating func goalDistance(_ name: String) -> Millimetres? {
        guard let number = number(name, expected: "a number of metres") else { return nil }
        guard !number.isNegative, !number.exceeds(PlanLimits.metres), let count = number.thousandths() else {
            return fault(name, "must be from 0 to 10000000 metres")
        }
        return Millimetres(count)
    }
}
