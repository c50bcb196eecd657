/// Whose data it is: a UUID derived from the issuer and subject of the user's token, never from a body or path.
public struct UserID: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The UUID.
    public var value: UUIDValue

    /// Wraps a UUID.
    public init(_ value: UUIDValue) { self.value = value }

    /// Orders by the bytes.
    public static func < (left: UserID, right: UserID) -> Bool { left.value < right.value }

    /// The UUID in lowercase.
    public var description: String { value.description }
}
