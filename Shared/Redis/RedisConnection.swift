import EventLoops

/// One connection: bytes out once per turn of the loop, replies in, and one timer for all deadlines.
///
/// Every decision is the pipeline's. Confined to `loop`: every entry is called there (the stream's delegate calls,
/// the end of a turn, the timer, and the client, which checks it), so no two threads ever touch it; `Sendable` only
/// to be named in a cancellation handler, which hops to the loop.
final class RedisConnection: @unchecked Sendable {
    typealias Outcome = Result<[RESPValue], RedisError>

    /// Above this the buffer is given back after a write, so that one large exchange does not cost memory for ever.
    private static let keptBufferBytes = 256 << 10

    private let loop: EventLoop
    private let stream: any ByteStream
    private let reader: RESPReader
    private let meter: RedisMeter
    private var pipeline: RedisPipelineState<RedisTicket>
    private var outgoing: [UInt8] = []
    private var isHooked = false
    private(set) var hasEnded = false
    private var timer: LoopTimer?
    private var hasPolledSince = false
    /// Called once when the connection ends for any reason but `close`.
    var onLoss: (() -> Void)?

    /// Takes a connected stream over and begins to read.
    init(stream: any ByteStream, configuration: RedisConfiguration, meter: RedisMeter) throws(RESPError) {
        reader = try RESPReader(limits: configuration.replyLimits)
        loop = stream.loop
        self.stream = stream
        self.meter = meter
        pipeline = RedisPipelineState(
            maximumPendingBytes: configuration.maximumPendingBytes, stallTimeout: configuration.stallTimeout)
        timer = LoopTimer(loop: loop) { [weak self] in self?.timeIsUp() }
        stream.delegate = self
        stream.resumeReading()
    }

    var pendingCommands: Int { pipeline.pendingCommands }
    var pendingBytes: Int { pipeline.pendingBytes }

    /// Sends commands at the end of this turn and waits for all their replies, the deadline, or the end of the
    /// connection.
    ///
    /// The body of a continuation may run in a later job than the call, so admission, encoding and the place in the
    /// queue all happen in there, in one piece.
    func exchange(_ commands: some Collection<RedisWireCommand>, deadline: MonotonicInstant) async -> Outcome {
        let ticket = RedisTicket()
        return await withTaskCancellationHandler {
            await unsafe withUnsafeContinuation { continuation in
                unsafe ticket.wait(continuation)
                begin(ticket, commands, deadline)
            }
        } onCancel: {
            loop.execute { self.cancelled(ticket) }
        }
    }

    /// Ends the connection at once; everybody who waits gets `connectionLost`.
    func close() {
        onLoss = nil
        end(violation: nil)
    }
}

extension RedisConnection {
    private func begin(
        _ ticket: RedisTicket, _ commands: some Collection<RedisWireCommand>, _ deadline: MonotonicInstant
    ) {
        loop.preconditionInLoop()
        // A cancellation from here on finds the ticket in its place.
        guard !Task.isCancelled else { return ticket.resume(.failure(.cancelled)) }
        let byteCount = commands.reduce(0) { $0 + $1.encodedByteCount }
        if case .refuse(let error) = pipeline.admission(byteCount: byteCount) { return refuse(ticket, error) }
        for command in commands { command.encode(into: &outgoing) }
        meter.counters.commands += commands.count
        ticket.id = pipeline.nextID
        let action = pipeline.enqueue(
            ticket, commandCount: commands.count, byteCount: byteCount, deadline: deadline, now: loop.now)
        if case .wake(let instant) = action { timer?.schedule(after: loop.now.duration(to: instant)) }
        if !isHooked {
            isHooked = true
            loop.atEndOfTurn(self)
        }
    }

    private func refuse(_ ticket: RedisTicket, _ error: RedisError) {
        if error == .overloaded { meter.counters.overloads += 1 }
        ticket.resume(.failure(error))
    }

    /// Timers fire before sockets are read: replies that came while this loop was busy are read before anyone is given up.
    private func timeIsUp() {
        guard hasPolledSince else {
            hasPolledSince = true
            timer?.schedule(after: .milliseconds(1))
            return
        }
        hasPolledSince = false
        woke()
    }

    private func woke() {
        switch pipeline.woke(now: loop.now) {
        case .expire(let tickets, let next):
            timeOut(tickets)
            if let next { timer?.schedule(after: max(.milliseconds(1), loop.now.duration(to: next))) }
        case .stalled(let tickets):
            timeOut(tickets)
            end(violation: nil)
        }
    }

    private func timeOut(_ tickets: [RedisTicket]) {
        meter.counters.timeouts += tickets.count
        for ticket in tickets { ticket.resume(.failure(.timedOut)) }
    }

    private func cancelled(_ ticket: RedisTicket) {
        guard let id = ticket.id, let waiter = pipeline.cancelled(id) else { return }
        meter.counters.cancellations += 1
        waiter.resume(.failure(.cancelled))
    }

    private func end(violation: RESPError?) {
        guard !hasEnded else { return }
        hasEnded = true
        timer?.close()
        timer = nil
        outgoing = []
        if violation != nil { meter.counters.protocolViolations += 1 }
        for loss in pipeline.lost() {
            let lost = RedisError.connectionLost(outcomeUnknown: loss.outcomeUnknown)
            loss.waiter.resume(.failure(violation.map { .protocolViolation($0) } ?? lost))
        }
        stream.close()
        let onLoss = onLoss
        self.onLoss = nil
        onLoss?()
    }
}

extension RedisConnection: EndOfTurn {
    func turnEnded() {
        isHooked = false
        guard !hasEnded, !outgoing.isEmpty else { return }
        pipeline.flushed()
        meter.counters.writes += 1
        stream.write(outgoing)
        #if DEBUG
            FaultPoint.redisSent.reach()
        #endif
        outgoing.removeAll(keepingCapacity: outgoing.count <= Self.keptBufferBytes)
    }
}

extension RedisConnection: ByteStreamDelegate {
    func streamReceived(_ bytes: Span<UInt8>) {
        guard !hasEnded else { return }
        var isUnexpected = false
        do throws(RESPError) {
            try reader.read(bytes) { reply in
                guard !isUnexpected else { return }
                switch pipeline.received(reply, now: loop.now) {
                case .wait, .discard: break
                case .complete(let ticket, let replies): ticket.resume(.success(replies))
                case .violation: isUnexpected = true
                }
            }
            if isUnexpected { end(violation: .unexpectedReply) }
        } catch {
            end(violation: error)
        }
    }

    func streamReceivedEnd() { end(violation: nil) }

    func streamDrained() {}

    func streamClosed(_ error: StreamError?) { end(violation: nil) }
}
