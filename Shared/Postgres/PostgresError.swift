/// What went wrong in this layer: one closed, typed error.
///
/// It carries the facts that decide what happens next (`disposition`, `isOutcomeUnknown`) and two texts:
/// `description`, which is safe to show anybody, and `debugDescription`, for logs. Neither ever holds a parameter,
/// a statement's text or a password.
package struct PostgresError: Error, Sendable, Equatable {
    /// The kinds of failure.
    package enum Code: Hashable, Sendable {
        /// No host that was tried gave a session.
        case connectFailed
        /// The connection string demands TLS, and the server does not offer it or its certificate is not accepted.
        case insecure
        /// The session ended under an exchange, or was found ended.
        case connectionLost
        /// The deadline passed first; the session was dropped.
        case timedOut
        /// The caller's task was cancelled; the session was dropped if anything had been sent.
        case cancelled
        /// The server refused a statement or the session.
        case server(SQLState)
        /// COMMIT was answered with ROLLBACK: the transaction had failed before, and nothing was written.
        case rolledBack
        /// Replies did not follow the protocol; the session was dropped.
        case protocolViolation
        /// Too many callers wait for a connection already; nothing was sent.
        case poolExhausted
        /// The database is known to be down; nothing was tried.
        case unavailable
        /// The pool was closed.
        case closed
        /// The connection string or a setting is wrong.
        case configuration
        /// A value in a result has another type, width or shape than was asked for, or is null.
        case unexpectedResult
        /// A fault of the caller: two exchanges at once, or one name for two statements.
        case misuse
    }

    /// What happened.
    package let code: Code
    /// What happened in words; no values, no parameters, nothing of a peer's text.
    package let message: String
    /// True when a COMMIT (or a write that commits by itself) had been sent and its answer did not come:
    /// it may or may not have happened, and only a repeat with the same key finds out.
    package internal(set) var isOutcomeUnknown = false
    /// True when the server said that the session is over, or a new one is needed for the statement to work.
    package internal(set) var needsNewSession = false
    /// The name of the violated constraint, where the server named one; a name of our schema, not a value.
    package internal(set) var constraint: String?
    /// True when the server ended the session with this error.
    var endsSession = false
    /// More for the log: the server's or libpq's own words, without DETAIL, which quotes rows.
    var detail: String?

    init(_ code: Code, _ message: String, detail: String? = nil, isOutcomeUnknown: Bool = false) {
        self.code = code
        self.message = message
        self.detail = detail
        self.isOutcomeUnknown = isOutcomeUnknown
    }

    /// More wants to be served than can be in time, or somebody has waited too long already; nothing was sent.
    ///
    /// For the queues in front of the pool, which refuse as the pool does.
    package static let overload = PostgresError(.poolExhausted, "more waits for the database than can be served")
    /// The service is stopping; nothing was sent.
    package static let draining = PostgresError(.closed, "the service is stopping")

    /// The server's SQLSTATE, where the server spoke.
    package var sqlState: SQLState? {
        if case .server(let state) = code { state } else { nil }
    }
}

extension PostgresError: CustomStringConvertible, CustomDebugStringConvertible {
    /// A text without values, safe in an answer.
    package var description: String {
        isOutcomeUnknown ? "\(message); the outcome is unknown" : message
    }

    /// The text for logs: code, constraint and the server's primary message.
    package var debugDescription: String {
        var text = "PostgresError(\(code)): \(description)"
        if let constraint { text += " [constraint \(constraint)]" }
        if let detail { text += " [\(detail)]" }
        return text
    }
}

extension PostgresError.Code: CustomStringConvertible {
    /// The name of the code, with the SQLSTATE in brackets.
    package var description: String {
        switch self {
        case .connectFailed: "connectFailed"
        case .insecure: "insecure"
        case .connectionLost: "connectionLost"
        case .timedOut: "timedOut"
        case .cancelled: "cancelled"
        case .server(let state): "server(\(state))"
        case .rolledBack: "rolledBack"
        case .protocolViolation: "protocolViolation"
        case .poolExhausted: "poolExhausted"
        case .unavailable: "unavailable"
        case .closed: "closed"
        case .configuration: "configuration"
        case .unexpectedResult: "unexpectedResult"
        case .misuse: "misuse"
        }
    }
}
