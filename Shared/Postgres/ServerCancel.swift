internal import CPostgres
internal import EventLoops
internal import Synchronization

/// A request to the server to stop what a session runs, so that a dropped statement does not keep its locks.
///
/// libpq's cancel opens a connection of its own and blocks; it runs in the blocking pool, and `tcp_user_timeout` bounds
/// it. The session that it names stays open until then, used by nobody: a pooler forwards a cancel only for a client
/// that is still there, and nothing else can be hit.
/// - Note: `@unchecked Sendable`: sole owner of the session and of the `PGcancel` from here on; they are touched by one
///   thread at a time, the one that sends or the one that drops this.
@safe final class ServerCancel: @unchecked Sendable {
    private let raw: OpaquePointer
    private let session: SessionHandle

    /// Takes over a session that nobody watches or uses any more; nil when it has no server process.
    init?(_ session: SessionHandle) {
        guard let raw = unsafe PQgetCancel(session.raw) else { return nil }
        unsafe self.raw = raw
        self.session = session
    }

    deinit { unsafe PQfreeCancel(raw) }

    /// Sends the request when its turn comes and forgets it.
    ///
    /// In the loop only. The thread that sends one goes on with those that wait, so the turn is given back even when
    /// the loop ends meanwhile.
    func send(on loop: EventLoop) {
        loop.submit {
            guard CancelQueue.shared.admit(self) else { return }
            do {
                try await BlockingPool.run(on: loop) {
                    var next: ServerCancel? = self
                    while let cancel = next {
                        cancel.sendBlocking()
                        next = CancelQueue.shared.next()
                    }
                }
            } catch {
                CancelQueue.shared.giveBack()
            }
        }
    }

    private func sendBlocking() {
        var text = [CChar](repeating: 0, count: 256)
        unsafe _ = PQcancel(raw, &text, Int32(text.count))
    }
}

/// Keeps cancels from filling the blocking pool, which files and names need too, when the server is out of reach.
///
/// Two run at once in the whole process, the others wait; what does not fit is not sent, and `statement_timeout` ends
/// the statement. The lock is on no path but this one.
private final class CancelQueue: Sendable {
    static let shared = CancelQueue()
    private static let runningAtOnce = 2
    private static let waitingAtMost = 256

    private let state = Mutex<(running: Int, waiting: [ServerCancel])>((0, []))

    /// Whether this one may run now; otherwise it waits, if there is room.
    func admit(_ cancel: ServerCancel) -> Bool {
        state.withLock { state in
            if state.running < Self.runningAtOnce {
                state.running += 1
                return true
            }
            if state.waiting.count < Self.waitingAtMost { state.waiting.append(cancel) }
            return false
        }
    }

    /// The next in turn, in the place of one that has run; nil gives the place back.
    func next() -> ServerCancel? {
        state.withLock { state in
            if !state.waiting.isEmpty { return state.waiting.removeFirst() }
            state.running -= 1
            return nil
        }
    }

    /// The one that was admitted cannot run after all.
    func giveBack() { state.withLock { $0.running -= 1 } }
}
