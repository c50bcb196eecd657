/// Why bytes from the server are not a reply; the stream cannot be read on after any of them.
package enum RESPError: Error, Equatable, Sendable {
    /// The bytes break the grammar, or belong to a newer protocol than the one spoken here.
    case malformed
    /// Arrays stand deeper in each other than `RESPLimits.nesting`.
    case tooDeep
    /// An array announces more elements than `RESPLimits.elements`.
    case arrayTooLong
    /// One reply takes more bytes than `RESPLimits.replyBytes`.
    case replyTooLarge
    /// A status, error, number or length runs on for more than `RESPLimits.lineBytes`.
    case lineTooLong
    /// A reply arrived that no command asked for.
    case unexpectedReply
    /// The parser could not get memory.
    case outOfMemory
}

/// How much one reply may take of this process, whatever the server says.
package struct RESPLimits: Equatable, Sendable {
    /// Bytes of one whole reply, strings and frames together; default 64 MiB.
    package var replyBytes = 64 << 20
    /// Elements of one array; default 1 048 576.
    package var elements = 1 << 20
    /// Bytes of one line that is not a string's content; default 64 KiB.
    package var lineBytes = 64 << 10
    /// Arrays within each other, at most 7, which is as deep as hiredis 0.14 reads.
    package let nesting = 7

    /// The defaults.
    package init() {}
}
