import EventLoops

/// Who waits for the next transaction of a lane, and when it begins.
///
/// A pure value: events in, actions out.
///
/// While a transaction is under way the queue grows; when it has ended, the next one takes what is there. So a lone
/// workout waits for nobody and a flood is written in large batches. In between, a transaction costs far more than one
/// more workout in it, so a lane whose last batch had company gathers for a moment first. A batch holds the users of
/// one bucket only, which on a distributed store means one shard.
///
/// Idle → (offer) → turn open → (turn ended) → busy → (finished, perhaps a pause to gather) → busy or idle.
struct CommitQueueState<Ticket> {
    /// What happens to someone who comes.
    enum OfferAction: Hashable {
        /// Waits; `isFirst` asks for a batch at the end of this turn.
        case wait(isFirst: Bool)
        /// As much waits as may wait.
        case refuseFull
        /// The service is stopping.
        case refuseDraining
    }

    private struct Entry {
        let ticket: Ticket
        let size: Int
        let arrival: MonotonicInstant
    }

    private enum Phase { case idle, turnOpen, busy }

    private let batchSize: Int
    private let limit: Int
    private var admission: QueueAdmission
    private var phase = Phase.idle
    private var isDraining = false
    private var buckets: [[Entry]]
    /// Workouts that wait.
    private(set) var size = 0
    /// Calls of the last batch.
    private var company = 0

    /// With this many waiting, the cost of a transaction is well shared.
    private static var crowd: Int { 32 }

    /// After half a minute at five times the capacity all are served within five minutes; ten are the limit, since phones wait, not people.
    private static var longestReturn: Duration { .seconds(600) }

    init(batchSize: Int, limit: Int, patience: Duration, buckets: Int) {
        self.batchSize = batchSize
        self.limit = limit
        admission = QueueAdmission(
            patience: patience, prospect: patience / 8, width: batchSize, longestReturn: Self.longestReturn)
        self.buckets = Array(repeating: [], count: max(1, buckets))
    }

    /// Nothing waits and nothing is under way.
    var isQuiet: Bool { size == 0 && phase == .idle }

    /// Whether someone who comes now would be let in.
    ///
    /// - Parameter delay: how long calls wait before they come here.
    func admits(_ urgency: QueueAdmission.Urgency, after delay: Duration, at now: MonotonicInstant) -> Bool {
        let read = now.advanced(by: .zero - delay)
        return admission.admits(
            urgency, waiting: size, oldest: oldestArrival.map { min($0, read) } ?? read, at: now)
    }

    /// When someone who was refused should come back.
    mutating func comeBack(_ size: Int, at now: MonotonicInstant) -> Duration {
        admission.comeBack(size, oldest: oldestArrival, at: now)
    }

    /// A batch was written within a time.
    mutating func written(in duration: Duration) { admission.served(in: duration) }

    /// Someone comes with `size` workouts.
    ///
    /// A call larger than the limit is let in when nobody waits.
    mutating func offer(_ ticket: Ticket, size: Int, bucket: Int, at now: MonotonicInstant) -> OfferAction {
        guard !isDraining else { return .refuseDraining }
        guard self.size == 0 || self.size + size <= limit else { return .refuseFull }
        buckets[bucket % buckets.count].append(Entry(ticket: ticket, size: size, arrival: now))
        self.size += size
        guard phase == .idle else { return .wait(isFirst: false) }
        phase = .turnOpen
        return .wait(isFirst: true)
    }

    /// Whether the next batch should gather for a moment before it begins.
    var isWorthGathering: Bool { company > 1 && size < Self.crowd && !isDraining }

    /// The turn that gathered has ended, or a transaction has: the next batch, or nil when nothing waits.
    mutating func next() -> [Ticket]? {
        guard let oldest = oldestBucket else {
            phase = .idle
            return nil
        }
        phase = .busy
        var count = 0
        var taken = 0
        for entry in buckets[oldest] {
            guard taken == 0 || count + entry.size <= batchSize else { break }
            count += entry.size
            taken += 1
        }
        company = taken
        let batch = buckets[oldest].prefix(taken).map(\.ticket)
        buckets[oldest].removeFirst(taken)
        size -= count
        return batch
    }

    private var oldestArrival: MonotonicInstant? {
        size == 0 ? nil : buckets.lazy.compactMap { $0.first?.arrival }.min()
    }

    private var oldestBucket: Int? {
        var oldest: (bucket: Int, arrival: MonotonicInstant)?
        for (bucket, entries) in buckets.enumerated() {
            guard let arrival = entries.first?.arrival else { continue }
            if oldest.map({ arrival < $0.arrival }) ?? true { oldest = (bucket, arrival) }
        }
        return oldest?.bucket
    }

    /// Takes out who has waited too long.
    mutating func expire(at now: MonotonicInstant) -> [Ticket] {
        var expired: [Ticket] = []
        for bucket in buckets.indices {
            let late = buckets[bucket].prefix { admission.expiry(of: $0.arrival) <= now }
            expired += late.map(\.ticket)
            size -= late.reduce(0) { $0 + $1.size }
            buckets[bucket].removeFirst(late.count)
        }
        return expired
    }

    /// When `expire` has something to do next.
    var nextExpiry: MonotonicInstant? {
        oldestArrival.map(admission.expiry)
    }

    /// Takes nobody in any more; what waits is still written.
    mutating func drain() { isDraining = true }
}
