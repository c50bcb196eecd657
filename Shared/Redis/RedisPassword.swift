/// A password that never shows itself: every way of printing it gives stars.
package struct RedisPassword: Equatable, Sendable {
    /// The bytes that `AUTH` sends; read by the handshake alone.
    let value: String

    /// Wraps a password as it came from a file, the environment or an address.
    package init(_ value: String) { self.value = value }
}

extension RedisPassword: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Stars.
    package var description: String { "***" }
    /// Stars.
    package var debugDescription: String { "***" }
    /// No children, so that `dump` shows nothing either.
    package var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
