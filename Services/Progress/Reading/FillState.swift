import EventLoops
import Models

/// Whose home is being read from PostgreSQL, who shares that read, and who waits for a place.
///
/// A pure value: events in, actions out.
///
/// A user's fill: (none) → queued → open → reading → (none); without a wait, (none) → open. A caller may share a fill only until its snapshot is taken:
/// what the caller has written before it asks would not be in an older one. Who comes later waits for the end and looks
/// into the cache again, where the fill and every newer write are merged.
struct FillState {
    /// What becomes of a caller.
    enum JoinAction: Hashable {
        /// Begins the fill, and takes part in it.
        case begin
        /// Takes part in the fill of its user, which is queued or has not read yet; `isNew` when it was queued by this call.
        case share(isNew: Bool)
        /// Comes too late for the snapshot: looks again when the fill ends.
        case lookAgain
        /// As many wait as may wait, or for too long.
        case refuseFull
        /// The service is stopping.
        case refuseClosed
    }

    private enum Phase { case queued, open, reading }

    private struct Entry {
        let user: UserID
        let arrival: MonotonicInstant
    }

    private let limit: Int
    private let queueLimit: Int
    private var admission: QueueAdmission
    private var phases: [UserID: Phase] = [:]
    private var queue: [Entry] = []
    private var isClosed = false
    /// Fills under way.
    private(set) var running = 0
    /// Fills that wait.
    var waiting: Int { queue.count }

    init(limit: Int, queueLimit: Int, patience: Duration) {
        self.limit = max(1, limit)
        self.queueLimit = queueLimit
        admission = QueueAdmission(patience: patience, width: self.limit)
    }

    /// Someone asks for a user's home.
    mutating func join(_ user: UserID, at now: MonotonicInstant) -> JoinAction {
        guard !isClosed else { return .refuseClosed }
        switch phases[user] {
        case .queued, .open: return .share(isNew: false)
        case .reading: return .lookAgain
        case nil: break
        }
        if running < limit {
            running += 1
            phases[user] = .open
            return .begin
        }
        guard queue.count < queueLimit,
            admission.admits(.live, waiting: queue.count, oldest: queue.first?.arrival, at: now)
        else { return .refuseFull }
        phases[user] = .queued
        queue.append(Entry(user: user, arrival: now))
        return .share(isNew: true)
    }

    /// The snapshot of a user's fill is about to be taken.
    mutating func snapshotBegins(of user: UserID) {
        if phases[user] == .open { phases[user] = .reading }
    }

    /// A fill has ended, well or badly: the user whose fill begins now, or nil when nobody waits.
    mutating func ended(_ user: UserID) -> UserID? {
        phases[user] = nil
        guard !queue.isEmpty else {
            running -= 1
            return nil
        }
        let next = queue.removeFirst().user
        phases[next] = .open
        return next
    }

    /// A read took so long.
    mutating func served(in duration: Duration) { admission.served(in: duration) }

    /// Takes out who has waited too long.
    mutating func expire(at now: MonotonicInstant) -> [UserID] {
        let late = queue.prefix { admission.expiry(of: $0.arrival) <= now }.map(\.user)
        queue.removeFirst(late.count)
        for user in late { phases[user] = nil }
        return late
    }

    /// When `expire` has something to do next.
    var nextExpiry: MonotonicInstant? { queue.first.map { admission.expiry(of: $0.arrival) } }

    /// Takes nobody in any more; who is queued is sent away.
    mutating func close() -> [UserID] {
        isClosed = true
        let left = queue.map(\.user)
        queue = []
        for user in left { phases[user] = nil }
        return left
    }
}
