internal import EventLoops

/// One connection of a server: feeds the parser, asks the machine, does what it says.
///
/// Confined to `server.loop`: the stream and the timer call it there, and a handler's answer comes back on the task that
/// the loop itself runs; hence `@unchecked Sendable`.
///
/// Allocations of a request on a kept connection, counted with a `malloc` that counts: buffer, fields and object of the
/// head (3), the body (0–1), the task with its closures (4), the answer's buffer (1); the rest is the handler's. An idle
/// connection keeps this object, the parser and its `llhttp_t`, the stream and the timer, and no buffer: below 4 KiB.
final class HTTPConnection: ByteStreamDelegate, @unchecked Sendable {
    let server: HTTPServer
    let stream: any ByteStream
    let peer: SocketAddress?
    let parser: HTTPParser
    var state = HTTPConnectionState()

    /// Input behind the current request; bounded by what one read delivers, because reading pauses when it fills.
    var held: [UInt8] = []
    /// The request that is being read or answered.
    var current = Current()
    /// Whether input is being parsed, so that an answer given meanwhile does not begin to parse again.
    var isParsing = false
    private(set) var isReadingPaused = false
    /// Who streams a body and waits until a piece has left.
    var sender: CheckedContinuation<Void, Never>?

    private var timer: LoopTimer?
    private var timerFires: MonotonicInstant?
    private var deadline: MonotonicInstant?
    private var deadlineSerial = -1

    /// What is known of a request between its head and its answer.
    struct Current {
        var head: HTTPRequestHead?
        var resolution: HTTPResolution?
        var origin = HTTPParser.Origin()
        var id = ""
        /// In nanoseconds of the loop's precise clock.
        var started: UInt64?
    }

    init(server: HTTPServer, stream: any ByteStream, peer: SocketAddress?) {
        self.server = server
        self.stream = stream
        self.peer = peer
        parser = HTTPParser(limits: server.limits)
    }

    /// Begins to read.
    func start() {
        stream.delegate = self
        updateDeadline()
        stream.resumeReading()
    }

    /// The server drains.
    func drain() {
        state.drainBegan()
        updateDeadline()
    }

    func streamReceived(_ bytes: Span<UInt8>) {
        switch state.inputArrived() {
        case .parse:
            isParsing = true
            read(bytes)
            isParsing = false
        case .hold: hold(bytes)
        case .discard: break
        }
        updateDeadline()
    }

    func pauseReading() {
        isReadingPaused = true
        stream.pauseReading()
    }

    func resumeReading() {
        guard isReadingPaused else { return }
        isReadingPaused = false
        stream.resumeReading()
    }

    func streamReceivedEnd() {
        perform(state.peerEnded(isInsideRequest: parser.isInsideRequest, hasHeldInput: !held.isEmpty))
        updateDeadline()
    }

    func streamDrained() {
        if state.phase == .streaming {
            resumeSender()
            return
        }
        perform(state.answerWritten(hasUnsent: stream.unsentBytes > 0))
        updateDeadline()
    }

    func streamClosed(_ error: StreamError?) {
        state.streamClosed()
        resumeSender()
        held = []
        timer?.close()
        timer = nil
        server.closed(self)
    }

    func perform(_ action: HTTPConnectionState.EndAction) {
        switch action {
        case .wait: break
        case .refuse(let refusal): refuse(refusal)
        case .close: stream.close()
        case .reset: stream.reset()
        }
    }

    // MARK: Deadlines

    /// Notes when the current wait ends.
    ///
    /// The timer itself is only touched when it would fire too late, so a busy connection
    /// schedules nothing per request; a timer that fires early looks at the note and goes to sleep again.
    func updateDeadline() {
        guard state.deadlineSerial != deadlineSerial else { return }
        deadlineSerial = state.deadlineSerial
        guard let duration = server.limits.duration(of: state.deadline) else {
            deadline = nil
            return
        }
        let due = server.loop.now.advanced(by: duration)
        deadline = due
        if let timerFires, timerFires <= due { return }
        schedule(after: duration, until: due)
    }

    private func schedule(after duration: Duration, until due: MonotonicInstant) {
        let timer = timer ?? LoopTimer(loop: server.loop) { [weak self] in self?.timerFired() }
        self.timer = timer
        timerFires = due
        timer.schedule(after: duration)
    }

    private func timerFired() {
        timerFires = nil
        guard let deadline else { return }
        let now = server.loop.now
        guard now >= deadline else { return schedule(after: now.duration(to: deadline), until: deadline) }
        self.deadline = nil
        perform(state.deadlinePassed())
        updateDeadline()
    }
}

extension HTTPLimits {
    /// How long a connection may wait for something; nil: as long as it takes.
    fileprivate func duration(of deadline: HTTPConnectionState.Deadline) -> Duration? {
        switch deadline {
        case .none: nil
        case .head: headTimeout
        case .body: bodyTimeout
        case .idle: idleTimeout
        case .response: responseTimeout
        case .linger: lingerTimeout
        case .drain: drainGrace
        }
    }
}
