/// An error reply: the server understood the bytes and refused the command.
///
/// `description` names the kind only and is safe to show; the server's own words may repeat keys and arguments, so
/// they appear in `debugDescription` alone, cut to 200 bytes.
package struct RedisServerError: Error, Equatable, Sendable {
    /// What the server refused for; decides what the caller does.
    package let kind: Kind
    /// The server's words; may contain values that the client sent.
    package let serverText: String

    /// Reads the text of an error reply, without its leading `-`.
    ///
    /// Bytes that are not UTF-8 are replaced; no text is refused.
    package init(replyText: [UInt8]) {
        serverText = String(decoding: replyText.prefix(200), as: UTF8.self)
        kind = Kind(replyText: String(decoding: replyText.prefix(512), as: UTF8.self))
    }
}

extension RedisServerError {
    /// The errors that a caller tells apart.
    ///
    /// Source: error prefixes of Redis 7.0 (`server.c`, `createSharedObjects`) and the Redis Cluster specification.
    package enum Kind: Equatable, Sendable {
        /// The data set is still being read from disk.
        case loading
        /// The memory limit is reached and nothing may be evicted.
        case oom
        /// A replica refuses writes.
        case readOnly
        /// Writes are stopped because snapshots fail.
        case misconf
        /// A replica without its master refuses stale answers.
        case masterDown
        /// Too few replicas are in touch for a write.
        case noReplicas
        /// The server does not have the script.
        case noScript
        /// Nobody has signed in.
        case noAuth
        /// User or password is wrong.
        case wrongPass
        /// The user may not run this command or touch this key.
        case noPerm
        /// A script runs for too long; nothing else is served.
        case busy
        /// The server has no room for one more connection.
        case tooManyClients
        /// The slot lives elsewhere for good.
        case moved(slot: UInt16, host: String, port: UInt16)
        /// The slot is moving; this one command belongs elsewhere.
        case ask(slot: UInt16, host: String, port: UInt16)
        /// The cluster does not serve this slot.
        case clusterDown
        /// Keys of one command are split while their slot moves.
        case tryAgain
        /// Keys of one command are in different slots.
        case crossSlot
        /// The key holds another type.
        case wrongType
        /// Any other prefix, in capitals; `ERR` where the text has none.
        case other(prefix: String)
    }
}

extension RedisServerError: CustomStringConvertible, CustomDebugStringConvertible {
    /// The kind, without a word of what the client sent.
    package var description: String { "Redis refused the command: \(kind)" }
    /// The kind and the server's words, for logs of operators only.
    package var debugDescription: String { "\(description) (\(serverText))" }
}
