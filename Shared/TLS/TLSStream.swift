package import EventLoops

/// A TLS connection over another stream of the same loop, with the same face.
///
/// No lock, no hop, no thread: the cryptography runs in the loop's own callbacks. What is kept is bounded: what one read
/// of the socket has brought while the owner does not read, and what the owner itself writes. A handshake begins with
/// `resumeReading` (or `connect`); its time limit is `connect`'s, or on a server the owner's for a first request.
/// Confined to `loop`. One file, because what comes, what leaves and the end of both share state that nobody else may touch.
package final class TLSStream: ByteStream {
    /// What the end of the connection below means when the peer has not said that it is the end.
    package enum SilentEnd: Sendable {
        /// The end: for protocols that know by themselves when something is missing, as HTTP does (RFC 9112 §9.8).
        case isEnd
        /// A failure (`TLSError.truncated`): somebody may have cut the connection.
        case isFailure
    }

    /// The loop on which the stream lives.
    package let loop: EventLoop
    /// Who is told; kept alive until the stream is closed.
    package var delegate: (any ByteStreamDelegate)?
    /// Why the stream has ended, when it is not in order; set before `streamClosed`.
    package private(set) var failure: TLSError?

    let session: TLSSession
    private let below: any ByteStream
    private let scratch: TLSScratch
    private let silentEnd: SilentEnd
    /// Told once how the handshake ended.
    var onHandshake: ((TLSError?) -> Void)?
    /// What was written before the handshake was complete.
    private var early: [UInt8] = []
    /// What has come while the owner does not read; at most what one read of the socket brings.
    private var held: [UInt8] = []
    private var isReading = false
    private var isReadingBelow = false
    private var isHooked = false
    private var owesDrained = false
    private var endsWritingEarly = false
    private var isClosing = false

    /// Takes over a connected stream that does not read yet.
    init(
        over below: any ByteStream, session: TLSSession, scratch: TLSScratch, silentEnd: SilentEnd
    ) {
        loop = below.loop
        self.below = below
        self.session = session
        self.scratch = scratch
        self.silentEnd = silentEnd
        below.delegate = self
    }

    /// Bytes accepted by `write` that the socket has not taken yet; encrypted ones count with their wrapping.
    package var unsentBytes: Int { early.count + below.unsentBytes }

    /// The version spoken, such as `TLSv1.3`.
    package var version: String { session.version }

    /// Whether the handshake went on from an earlier session.
    package var isResumed: Bool { session.isResumed }

    /// Begins the handshake, or continues it, without handing out what may come behind it.
    func beginHandshake() {
        let nothing: [UInt8] = []
        _ = advance(nothing.span)
        readBelow()
    }

    private func readBelow() {
        guard !isReadingBelow, !isClosing else { return }
        isReadingBelow = true
        below.resumeReading()
    }

    private func pauseBelow() {
        isReadingBelow = false
        below.pauseReading()
    }

    private func flush() {
        let bytes = session.takeOutgoing()
        if !bytes.isEmpty { below.write(bytes) }
    }

    private func fail(_ error: TLSError) {
        guard !isClosing else { return }
        failure = error
        isClosing = true
        // The alert, if there is one.
        flush()
        below.close()
        shookHands(error)
    }

    /// The time for the handshake is up.
    func giveUp() { if session.phase == .shaking { fail(.timedOut) } }

    private func shookHands(_ error: TLSError?) {
        let onHandshake = onHandshake
        self.onHandshake = nil
        onHandshake?(error)
    }
}

extension TLSStream {
    /// Sends bytes; before the handshake is complete they wait for it.
    package func write(_ bytes: [UInt8]) {
        loop.preconditionInLoop()
        guard !isClosing, !bytes.isEmpty else { return }
        guard session.phase != .shaking else { return early.append(contentsOf: bytes) }
        if let error = session.write(bytes.span) { return fail(error) }
        flush()
        owesDrained = below.unsentBytes > 0
    }

    /// Stops handing out; the peer is held back by its window once the socket's next read is full.
    package func pauseReading() {
        loop.preconditionInLoop()
        isReading = false
        // The handshake goes on; what comes behind it waits.
        if session.phase != .shaking { pauseBelow() }
    }

    /// Lets the system take only little ahead of the peer.
    package func followReader() { below.followReader() }

    /// Hands out what comes.
    package func resumeReading() {
        loop.preconditionInLoop()
        guard !isReading, !isClosing else { return }
        isReading = true
        guard !held.isEmpty else {
            if session.phase == .shaking { return beginHandshake() }
            if session.phase == .open { readBelow() }
            return
        }
        // Later, so that no delegate is called inside this call.
        guard !isHooked else { return }
        isHooked = true
        loop.atEndOfTurn(self)
    }

    /// Says that this side sends no more, and half-closes the connection below.
    package func shutdownWriting() {
        loop.preconditionInLoop()
        guard !isClosing else { return }
        guard session.phase != .shaking else {
            endsWritingEarly = true
            return
        }
        session.endWriting()
        flush()
        below.shutdownWriting()
    }

    /// Closes; unsent bytes are dropped, and the peer is told when nothing stands in the way of telling.
    package func close() {
        guard !isClosing else { return }
        isClosing = true
        if below.unsentBytes == 0 {
            session.endWriting()
            flush()
        }
        below.close()
    }

    /// Closes with a reset, so that the peer sees an error in place of an end.
    package func reset() {
        guard !isClosing else { return }
        isClosing = true
        below.reset()
    }
}

extension TLSStream: ByteStreamDelegate, EndOfTurn {
    /// Bytes of the wire have come.
    package func streamReceived(_ bytes: Span<UInt8>) {
        let consumed = advance(bytes)
        guard consumed < bytes.count, !isClosing, session.phase == .open else { return }
        unsafe bytes.extracting(consumed...).withUnsafeBufferPointer { unsafe held.append(contentsOf: $0) }
        pauseBelow()
    }

    /// Goes on with what was held.
    package func turnEnded() {
        isHooked = false
        guard isReading, !isClosing else { return }
        let input = held
        held = []
        streamReceived(input.span)
        if isReading, held.isEmpty, session.phase == .open { readBelow() }
    }

    /// Looks at bytes of the wire as long as the owner reads, and says how many were taken.
    private func advance(_ bytes: Span<UInt8>) -> Int {
        var consumed = 0
        while !isClosing && (isReading || session.phase == .shaking) {
            switch unsafe session.next(bytes, consumed: &consumed, into: scratch.buffer) {
            case .needsMore:
                flush()
                return consumed
            case .established: established()
            case .plaintext(let count):
                let plaintext = unsafe UnsafeRawBufferPointer(rebasing: scratch.buffer[..<count])
                delegate?.streamReceived(unsafe Span<UInt8>(_unsafeBytes: plaintext))
                // Asking once more would only find the wire empty: a record is always taken whole.
                guard consumed < bytes.count else {
                    flush()
                    return consumed
                }
            case .ended:
                flush()
                pauseBelow()
                delegate?.streamReceivedEnd()
            case .failed(let error): fail(error)
            }
            if session.phase == .ended || session.phase == .failed { break }
        }
        flush()
        return consumed
    }

    private func established() {
        flush()
        shookHands(nil)
        let bytes = early
        early = []
        write(bytes)
        if endsWritingEarly { shutdownWriting() }
    }

    /// The connection below has ended without a word of the peer.
    package func streamReceivedEnd() {
        isReadingBelow = false
        guard !isClosing, session.phase != .ended else { return }
        if session.phase == .open, silentEnd == .isEnd {
            delegate?.streamReceivedEnd()
        } else {
            fail(.truncated)
        }
    }

    /// The connection below has sent everything.
    package func streamDrained() {
        guard owesDrained, !isClosing else { return }
        owesDrained = false
        delegate?.streamDrained()
    }

    /// The connection below is gone.
    package func streamClosed(_ error: StreamError?) {
        let wasClosing = isClosing
        isClosing = true
        if !wasClosing, failure == nil, let error { failure = .stream(error) }
        shookHands(failure ?? .stream(error ?? StreamError(.closed)))
        held = []
        early = []
        let delegate = delegate
        self.delegate = nil
        let isOwn = wasClosing && failure == nil
        delegate?.streamClosed(isOwn ? nil : error ?? failure.map { _ in StreamError(.insecure) })
    }
}
