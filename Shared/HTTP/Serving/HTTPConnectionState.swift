/// The protocol of one server connection as a pure machine: events in, actions out, no I/O, no clock.
///
/// One request at a time: while one is answered, or its answer has not left, input is held, so answers keep the order of the
/// requests (RFC 9112 §9.3.2). After a last answer the write side is closed and input is discarded for a while, because closing
/// with unread input resets the connection and may destroy the answer (RFC 9112 §9.6).
struct HTTPConnectionState: Sendable {
    /// `idle` → `head` → `body` → `answering` → (`streaming` →) `idle` or `closing`; every phase → `closed`.
    enum Phase: Sendable { case idle, head, body, answering, streaming, closing, closed }

    /// What the connection is waiting for, and hence how long it may wait.
    enum Deadline: Sendable { case none, head, body, idle, response, linger, drain }

    private(set) var phase = Phase.idle
    /// A new connection has to bring its first head as fast as any other.
    private(set) var deadline = Deadline.head
    /// Grows whenever the deadline begins anew, also when it is of the same kind.
    private(set) var deadlineSerial = 0
    private(set) var isDraining = false
    private var hasUnsent = false
    private var peerHasEnded = false
    private var keepsAlive = false
    private(set) var isHTTP10 = false

    private mutating func wait(for next: Deadline) {
        deadline = next
        deadlineSerial += 1
    }

    // MARK: Input

    enum InputAction { case parse, hold, discard }

    /// Bytes have come.
    func inputArrived() -> InputAction {
        switch phase {
        case .idle, .head, .body: hasUnsent ? .hold : .parse
        case .answering, .streaming: .hold
        case .closing, .closed: .discard
        }
    }

    enum ExhaustedAction { case wait, refuse(HTTPRefusal), close }

    /// The parser has looked at everything that has come and wants more.
    mutating func inputExhausted(isInsideRequest: Bool) -> ExhaustedAction {
        guard phase == .idle || phase == .head || phase == .body, !hasUnsent else { return .wait }
        if peerHasEnded {
            guard isInsideRequest else { return .close }
            beginRefusal()
            return .refuse(.malformed(detail: "The connection ended in the middle of a request."))
        }
        if phase == .idle && isInsideRequest {
            phase = .head
            if deadline != .head { wait(for: .head) }
        }
        return .wait
    }

    // MARK: Requests

    enum HeadAction {
        /// Go on parsing: the body, or the end of a request without one.
        case read
        /// Send 100, then go on parsing.
        case sendContinue
        /// Answer now, in place of the body.
        case refuse(HTTPRefusal)
        /// Answer now with what the route says, in place of the body.
        case answerEarly
    }

    /// A head was read.
    ///
    /// `refusal` and `hasEarlyAnswer` are what routing says already.
    ///
    /// A client that waits for 100 gets its refusal at once (RFC 9110 §10.1.1), and then the connection ends, because nobody
    /// knows whether the body will come. Without that wish the body is on its way: it is read and dropped, and the
    /// connection stays in step for the next request.
    mutating func headRead(
        _ head: HTTPRequestHead, refusal: HTTPRefusal?, hasEarlyAnswer: Bool
    ) -> HeadAction {
        keepsAlive = head.keepsAlive
        isHTTP10 = head.isHTTP10
        phase = .body
        wait(for: .body)
        switch head.expectation {
        case .none: return .read
        case .unknown:
            beginRefusal()
            return .refuse(.expectationFailed)
        case .continue100:
            guard head.hasBody else { return .read }
            if let refusal {
                beginRefusal()
                return .refuse(refusal)
            }
            if hasEarlyAnswer {
                beginRefusal()
                return .answerEarly
            }
            return .sendContinue
        }
    }

    /// The request is complete; now it is answered, and nothing else read.
    mutating func requestRead() {
        phase = .answering
        wait(for: .none)
    }

    /// The input is no request; the answer to that is the last one.
    mutating func inputRefused() {
        beginRefusal()
    }

    private mutating func beginRefusal() {
        phase = .answering
        keepsAlive = false
        wait(for: .none)
    }

    // MARK: Answers

    enum AnswerAction { case write(HTTPResponse.ConnectionNote), drop }

    /// The answer to the current request is there.
    mutating func answerReady() -> AnswerAction {
        guard phase == .answering else { return .drop }
        guard keepsAlive && !isDraining else {
            phase = .closing
            return .write(.close)
        }
        phase = .idle
        return .write(isHTTP10 ? .keepAlive : .none)
    }

    enum AfterAnswer {
        /// Look at held input, then read on.
        case readOn
        /// Wait until the answer has left.
        case wait
        /// Close the write side, discard input until the peer ends.
        case shutDown
        case close
    }

    /// The answer was written, or what was left of it has gone.
    mutating func answerWritten(hasUnsent: Bool) -> AfterAnswer {
        self.hasUnsent = hasUnsent
        switch phase {
        case .closed: return .wait
        case .idle:
            wait(for: hasUnsent ? .response : isDraining ? .drain : .idle)
            return hasUnsent ? .wait : .readOn
        case .closing:
            wait(for: hasUnsent ? .response : .linger)
            if hasUnsent { return .wait }
            return peerHasEnded ? .close : .shutDown
        // Something else than an answer was sent: 100.
        case .head, .body, .answering: return hasUnsent ? .wait : .readOn
        case .streaming: return .wait
        }
    }

    // MARK: Streams

    /// The answer to the current request is there, and its body comes in pieces.
    ///
    /// HTTP/1.0 knows no chunks, so there the end of the connection is that of the body.
    mutating func streamReady() -> AnswerAction {
        guard phase == .answering else { return .drop }
        keepsAlive = keepsAlive && !isDraining && !isHTTP10
        phase = .streaming
        wait(for: .none)
        return .write(keepsAlive ? .none : .close)
    }

    enum PieceAction {
        /// Make the next piece.
        case next
        /// Wait until this one has left.
        case wait
        /// Nobody is there any more.
        case stop
    }

    /// The head or a piece was written, or what was left of it has gone.
    mutating func pieceWritten(hasUnsent: Bool) -> PieceAction {
        guard phase == .streaming else { return .stop }
        wait(for: hasUnsent ? .response : .none)
        return hasUnsent ? .wait : .next
    }

    /// The last piece was written; `answerWritten` follows.
    mutating func streamEnded() {
        guard phase == .streaming else { return }
        phase = keepsAlive ? .idle : .closing
    }

    // MARK: Ends

    enum EndAction { case wait, refuse(HTTPRefusal), close, reset }

    /// The peer has half-closed: what it asked before is still answered.
    mutating func peerEnded(isInsideRequest: Bool, hasHeldInput: Bool) -> EndAction {
        peerHasEnded = true
        switch phase {
        case .answering, .streaming, .closed: return .wait
        case .closing: return hasUnsent ? .wait : .close
        case .idle, .head, .body:
            guard !hasUnsent && !hasHeldInput else { return .wait }
            switch inputExhausted(isInsideRequest: isInsideRequest) {
            case .wait: return .wait
            case .refuse(let refusal): return .refuse(refusal)
            case .close: return .close
            }
        }
    }

    /// The time for what ``deadline`` names is up.
    mutating func deadlinePassed() -> EndAction {
        switch deadline {
        case .none: return .wait
        case .head where phase == .idle, .idle, .drain, .linger: return .close
        case .head, .body:
            beginRefusal()
            return .refuse(.requestTimeout)
        case .response: return .reset
        }
    }

    /// The server drains: answers from now on are last ones; an idle connection gets a moment for a request under way.
    mutating func drainBegan() {
        isDraining = true
        if phase == .idle && !hasUnsent { wait(for: .drain) }
    }

    /// The connection is gone.
    mutating func streamClosed() {
        phase = .closed
        wait(for: .none)
    }
}
