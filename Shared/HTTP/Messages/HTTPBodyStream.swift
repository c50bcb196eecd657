/// A body that is made while it is sent: the connection asks for a piece when the one before has left.
///
/// So one piece is in memory at a time, and a client that reads slowly holds nothing but that. The body is sent in chunks
/// (RFC 9112 §7.1); to a client of HTTP/1.0, which knows none, it ends with the connection. A client has
/// `HTTPLimits.responseTimeout` to read each piece.
package struct HTTPBodyStream: Sendable {
    /// What comes next.
    package enum Piece: Sendable {
        /// Some bytes; none at all are left out.
        case bytes([UInt8])
        /// Everything was sent.
        case end
        /// The rest cannot be had: the connection is reset, so that nobody takes a part for the whole.
        case failure
    }

    let next: @Sendable () async -> Piece

    /// A stream.
    ///
    /// - Parameter next: makes the next piece, on the loop of the connection; called again only when the last one has left, and
    ///   not any more once the client is gone.
    package init(next: @escaping @Sendable () async -> Piece) { self.next = next }
}
