/// A byte stream that lives on one loop: TCP, and TLS over it.
///
/// All calls in the loop.
package protocol ByteStream: AnyObject {
    /// The loop on which the stream lives.
    var loop: EventLoop { get }
    /// Who is told; kept alive until the stream is closed.
    var delegate: (any ByteStreamDelegate)? { get set }
    /// Bytes accepted by `write` that the socket has not taken yet.
    var unsentBytes: Int { get }

    /// Sends bytes: what the socket takes goes at once, the rest is queued in order.
    ///
    /// The queue is unbounded; a caller that writes more than it was asked for looks at `unsentBytes`.
    func write(_ bytes: [UInt8])
    /// Stops reading, so that the peer is held back by its window.
    func pauseReading()
    /// Reads; a new stream reads only after this.
    func resumeReading()
    /// Lets the system take only little ahead of the peer, so that `unsentBytes` tells within seconds how fast it reads.
    ///
    /// Otherwise megabytes lie in the system's own buffer, and a slow reader looks like one who does not read.
    func followReader()
    /// Half-closes after everything queued has been sent.
    func shutdownWriting()
    /// Closes; unsent bytes are dropped. `streamClosed` follows later, never inside this call.
    func close()
    /// Closes with a reset, so that the peer sees an error in place of an end.
    func reset()
}

/// Who is told what happens to a stream.
///
/// Called in the loop.
package protocol ByteStreamDelegate: AnyObject {
    /// Bytes have come; they lie in the loop's own buffer and are gone after the call.
    func streamReceived(_ bytes: Span<UInt8>)
    /// The peer will send no more.
    func streamReceivedEnd()
    /// Everything that had to be queued has been sent.
    func streamDrained()
    /// The stream is gone: called exactly once, last. Nil when it was closed on this side or ended in order.
    func streamClosed(_ error: StreamError?)
}

/// Why a stream could not be opened or has ended.
package struct StreamError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds on which a caller decides.
    package enum Code: String, Sendable {
        /// The address could not be reached.
        case connectFailed
        /// Nobody listens there.
        case refused
        /// The peer reset the connection.
        case reset
        /// The time was up.
        case timedOut
        /// The stream was closed on this side.
        case closed
        /// The name has no address.
        case resolveFailed
        /// The protection of the stream failed: the peer is not trusted, broke the protocol, or ended without notice.
        case insecure
        /// Any other failure of reading or writing.
        case io
    }

    /// The kind.
    package let code: Code
    /// The system's error number, positive; 0 when there is none.
    package let systemCode: Int32

    /// A failure of the given kind.
    package init(_ code: Code, systemCode: Int32 = 0) {
        self.code = code
        self.systemCode = systemCode
    }

    /// The kind and the system's words; no address, no content.
    package var description: String {
        systemCode == 0 ? code.rawValue : "\(code.rawValue): \(SystemError.text(systemCode))"
    }
}
