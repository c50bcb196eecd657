/// The name that a client gave to one workout or plan, which makes its call safe to repeat.
///
/// Unique within a user only. Never mixed up with a `UserID`, hence a type of its own.
public struct RequestID: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The UUID; the case in which it was sent does not matter.
    public var value: UUIDValue

    /// Wraps a UUID.
    public init(_ value: UUIDValue) { self.value = value }

    /// Orders by the bytes.
    public static func < (left: RequestID, right: RequestID) -> Bool { left.value < right.value }

    /// The UUID in lowercase.
    public var description: String { value.description }
}
