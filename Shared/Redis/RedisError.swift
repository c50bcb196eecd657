package import TLS

/// Why an exchange with Redis has no replies, or none that may be used.
///
/// Closed and typed; a server's refusal of one command is a value in its place (`RESPValue.error`), not this.
/// Descriptions contain no key, no argument and no password.
package enum RedisError: Error, Equatable, Sendable {
    /// There is no connection now; nothing was sent.
    case notConnected
    /// The connection ended before all replies were here.
    ///
    /// `outcomeUnknown`: the commands had left, and the server may or may not have run them.
    case connectionLost(outcomeUnknown: Bool)
    /// The deadline passed first; the server may still run the commands, the replies are dropped.
    case timedOut
    /// The caller's task was cancelled; the server may still run the commands, the replies are dropped.
    case cancelled
    /// Too many bytes wait for their replies; nothing was sent.
    case overloaded
    /// The server sent something that is not a reply; the connection was given up.
    case protocolViolation(RESPError)
    /// There is no protected connection, and no other is made; nothing was sent.
    case insecure(TLSError)
    /// The server refused a command without which no reply is of use, such as signing in.
    case server(RedisServerError.Kind)
}

extension RedisError: CustomStringConvertible {
    /// A text that is safe to show.
    package var description: String {
        switch self {
        case .notConnected: "not connected to Redis"
        case .connectionLost(let outcomeUnknown):
            outcomeUnknown ? "connection to Redis lost, outcome unknown" : "connection to Redis lost, nothing was run"
        case .timedOut: "Redis did not answer in time"
        case .cancelled: "waiting for Redis was cancelled"
        case .overloaded: "too much is waiting for Redis"
        case .protocolViolation(let error): "Redis broke its protocol: \(error)"
        case .insecure(let error): "no TLS with Redis: \(error)"
        case .server(let kind): "Redis refused the command: \(kind)"
        }
    }
}
