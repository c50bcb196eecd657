import EventLoops
import Models
import Postgres
import Storage

/// Reads homes from PostgreSQL and fills the cache with them: one read for all who wait for the same user, and a bounded
/// number of reads at once.
///
/// A read runs in a task of its own, so no caller that gives up takes it away from the others. It ends by its own
/// deadlines (lease, connection, statement, fill), and whoever waits for it is answered whatever becomes of it.
/// Confined to its loop, hence `@unchecked Sendable`.
final class HomeFills: @unchecked Sendable {
    /// What a caller gets.
    enum Answer {
        /// The home, from a snapshot that was taken after the caller asked.
        case home(HomeData)
        /// Another fill has ended in the meantime; the cache should have it now.
        case lookAgain
        /// No home.
        case refused(PostgresError)
    }

    /// Reads a home; calls its second argument right before the snapshot is taken.
    typealias Read = @Sendable (UserID, () -> Void) async throws(PostgresError) -> HomeData

    private let loop: EventLoop
    private let cache: HomeCache
    private let metrics: ProgressMetrics
    private let read: Read
    private var state: FillState
    private var sharing: [UserID: [CheckedContinuation<Answer, Never>]] = [:]
    private var late: [UserID: [CheckedContinuation<Answer, Never>]] = [:]
    private var expiry: LoopTimer?
    private var isExpiryScheduled = false

    init(loop: EventLoop, cache: HomeCache, state: FillState, metrics: ProgressMetrics, read: @escaping Read) {
        self.loop = loop
        self.cache = cache
        self.state = state
        self.metrics = metrics
        self.read = read
        expiry = LoopTimer(loop: loop) { [weak self] in self?.refuseExpired() }
    }

    /// Reads a user's home, or shares the read that is about to begin.
    func home(of user: UserID) async -> Answer {
        await withCheckedContinuation { continuation in
            switch state.join(user, at: loop.now) {
            case .begin:
                sharing[user] = [continuation]
                begin(user)
            case .share(let isNew):
                sharing[user, default: []].append(continuation)
                if isNew { scheduleExpiry() }
            case .lookAgain: late[user, default: []].append(continuation)
            case .refuseFull: continuation.resume(returning: .refused(.overload))
            case .refuseClosed: continuation.resume(returning: .refused(.draining))
            }
            metrics.filling(state.running, waiting: state.waiting)
        }
    }

    /// Takes nobody in any more and sends away who is queued.
    func close() {
        for user in state.close() { answer(user, .refused(.draining)) }
        expiry?.close()
        expiry = nil
    }

    private func begin(_ user: UserID) { loop.submit { await self.fill(user) } }

    /// The lease comes before the snapshot and the fill after it: a repair in between takes the lease away.
    private func fill(_ user: UserID) async {
        let started = loop.now
        let lease = try? await cache.lease(user)
        do throws(PostgresError) {
            let home = try await read(user) { self.state.snapshotBegins(of: user) }
            answer(user, .home(home))
            if await !keep(home, under: lease) { metrics.lostFill() }
        } catch {
            answer(user, .refused(error))
        }
        state.served(in: started.duration(to: loop.now))
        let next = state.ended(user)
        for continuation in late.removeValue(forKey: user) ?? [] { continuation.resume(returning: .lookAgain) }
        if let next { begin(next) }
        metrics.filling(state.running, waiting: state.waiting)
    }

    /// Whether Redis has taken a home; without it the next reader reads PostgreSQL again.
    private func keep(_ home: HomeData, under lease: HomeCache.Lease?) async -> Bool {
        guard let lease else { return false }
        return (try? await cache.fill(home, under: lease)) != nil
    }

    private func answer(_ user: UserID, _ answer: Answer) {
        for continuation in sharing.removeValue(forKey: user) ?? [] { continuation.resume(returning: answer) }
    }

    private func scheduleExpiry() {
        guard !isExpiryScheduled, let due = state.nextExpiry else { return }
        isExpiryScheduled = true
        expiry?.schedule(after: loop.now.duration(to: due))
    }

    private func refuseExpired() {
        isExpiryScheduled = false
        for user in state.expire(at: loop.now) { answer(user, .refused(.overload)) }
        metrics.filling(state.running, waiting: state.waiting)
        scheduleExpiry()
    }
}
