import EventLoops
import Storage
import Telemetry

/// One transaction at a time for its share of the work, each transaction with everything that waits.
///
/// Confined to its loop: `GroupCommitter` calls it there; hence `@unchecked Sendable`.
final class CommitLane: EndOfTurn, @unchecked Sendable {
    private let loop: EventLoop
    private let writer: BatchWriter
    private let cacheDays: CacheDays
    private let metrics: IngestMetrics
    private let logger: Logger
    private let gathering: Duration
    private var state: CommitQueueState<CommitTicket>
    private var expiry: LoopTimer?
    private var isExpiryScheduled = false

    init(
        loop: EventLoop, state: CommitQueueState<CommitTicket>, gathering: Duration, writer: BatchWriter,
        cacheDays: CacheDays, metrics: IngestMetrics, logger: Logger
    ) {
        self.loop = loop
        self.state = state
        self.gathering = gathering
        self.writer = writer
        self.cacheDays = cacheDays
        self.metrics = metrics
        self.logger = logger
        expiry = LoopTimer(loop: loop) { [weak self] in self?.refuseExpired() }
    }

    var isQuiet: Bool { state.isQuiet }

    /// Why workouts that came now would not be let in; nil if they would.
    func refusal(of urgency: QueueAdmission.Urgency, _ count: Int) -> CommitRefusal? {
        state.admits(urgency, after: loop.lastTurn, at: loop.now) ? nil : overload(count)
    }

    private func overload(_ count: Int) -> CommitRefusal {
        .overload(comeBack: state.comeBack(count, at: loop.now))
    }

    /// Waits until the workouts are durable, or until it is clear that they are not.
    func commit(_ writes: [WorkoutWrite], of call: String, bucket: Int) async -> [CommitAnswer] {
        await withUnsafeContinuation { continuation in
            let ticket = CommitTicket(writes, of: call, at: loop.now, continuation: continuation)
            switch state.offer(ticket, size: writes.count, bucket: bucket, at: loop.now) {
            case .refuseFull: ticket.refuse(overload(writes.count))
            case .refuseDraining: ticket.refuse(.draining)
            case .wait(let isFirst):
                metrics.queued(writes.count)
                if isFirst { loop.atEndOfTurn(self) }
                scheduleExpiry()
            }
        }
    }

    /// The requests of this turn have gathered.
    func turnEnded() {
        guard let batch = state.next() else { return }
        loop.submit { await self.run(batch) }
    }

    /// No more callers; what waits is written.
    func drain() { state.drain() }

    func close() {
        expiry?.close()
        expiry = nil
    }

    private func run(_ first: [CommitTicket]) async {
        var batch = first
        repeat {
            let begin = loop.now
            let writes = batch.flatMap(\.writes)
            metrics.queued(-writes.count)
            for ticket in batch { metrics.waited(ticket.arrival.duration(to: begin)) }
            let outcome = await writer.write(writes)
            #if DEBUG
                FaultPoint.afterCommit.reach()
            #endif
            let duration = begin.duration(to: loop.now)
            // What failed as a whole tells nothing about how long writing takes.
            if outcome.hasWritten { state.written(in: duration) }
            metrics.committed(writes.count, in: duration, outcome)
            if let error = outcome.error {
                var fields = FailedCalls(of: batch, outcome.answers).fields
                fields.append("error", .describing(error))
                logger.warning("batch_failed", fields)
            }
            finish(batch, outcome)
            if gathering > .zero, state.isWorthGathering { try? await loop.sleep(for: gathering) }
            guard let next = state.next() else { return }
            batch = next
        } while true
    }

    /// Shows the days and answers, while the next batch is already under way.
    private func finish(_ batch: [CommitTicket], _ outcome: BatchWriter.Outcome) {
        loop.submit {
            await self.cacheDays.show(outcome.days, marks: outcome.marks)
            #if DEBUG
                FaultPoint.beforeAnswer.reach()
            #endif
            var place = 0
            for ticket in batch {
                ticket.answer(Array(outcome.answers[place..<(place + ticket.writes.count)]))
                place += ticket.writes.count
            }
        }
    }

    private func scheduleExpiry() {
        guard !isExpiryScheduled, let due = state.nextExpiry else { return }
        isExpiryScheduled = true
        expiry?.schedule(after: loop.now.duration(to: due))
    }

    private func refuseExpired() {
        isExpiryScheduled = false
        for ticket in state.expire(at: loop.now) {
            metrics.queued(-ticket.writes.count)
            metrics.waited(ticket.arrival.duration(to: loop.now))
            ticket.refuse(overload(ticket.writes.count))
        }
        scheduleExpiry()
    }
}
