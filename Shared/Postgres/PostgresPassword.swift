/// A password that prints stars, in text, in a dump and in a debugger's description.
package struct PostgresPassword: Sendable, Equatable {
    /// The password itself, for libpq only.
    let value: String

    /// Wraps a password.
    package init(_ value: String) { self.value = value }
}

extension PostgresPassword: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Stars, as many for every password.
    package var description: String { "********" }
    /// Stars too.
    package var debugDescription: String { description }
    /// No children, so that `dump` shows nothing.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
