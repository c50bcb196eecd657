extension PostgresError {
    /// A row that holds what no build of ours has written: a fault of ours or of somebody's hand, never the caller's.
    ///
    /// - Parameter message: safe to show; names the kind of damage, not the value.
    package static func unexpectedResult(_ message: String) -> PostgresError {
        PostgresError(.unexpectedResult, message)
    }
}
