/// What became of something that a client sent: a value that keeps every rule, or all the faults that it has.
public enum Checked<Value: Sendable>: Sendable {
    /// It keeps every rule.
    case valid(Value)
    /// It breaks rules: all of them are listed, at least one.
    case invalid([Fault])
}

extension Checked: Equatable where Value: Equatable {}
