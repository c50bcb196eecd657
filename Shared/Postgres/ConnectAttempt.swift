internal import CPostgres
internal import EventLoops

/// One attempt at one address: drives `PQconnectPoll` by the loop until it succeeds, fails or is late.
///
/// A host that answers nothing costs its share of the time, not all of it; libpq's own list of hosts does not do that
/// when it is driven from outside. Confined to the loop. Source: libpq documentation, "PQconnectStartParams".
final class ConnectAttempt {
    typealias Outcome = Result<SessionHandle, PostgresError>

    private let loop: EventLoop
    private var session: SessionHandle?
    private var watcher: DescriptorWatcher?
    private var timer: LoopTimer?
    private var onEnd: ((Outcome) -> Void)?

    init(loop: EventLoop) { self.loop = loop }

    /// Begins; `onEnd` is called once, perhaps before this returns.
    func start(
        keywords: [(keyword: String, value: String)], timeout: Duration, onEnd: @escaping (Outcome) -> Void
    ) {
        self.onEnd = onEnd
        guard let session = SessionHandle(keywords: keywords) else {
            return end(.failure(PostgresError(.connectFailed, "no memory for a connection")))
        }
        self.session = session
        guard unsafe PQstatus(session.raw) != CONNECTION_BAD else { return fail() }
        let timer = LoopTimer(loop: loop) { self.end(.failure(.lateConnect)) }
        timer.schedule(after: timeout)
        self.timer = timer
        // As if the last step had asked to write, says the documentation.
        wait(for: .writable)
    }

    /// Gives up with an error; nothing happens when it has ended.
    func abandon(_ error: PostgresError) { end(.failure(error)) }

    private func wait(for interest: DescriptorWatcher.Interest) {
        guard let session, session.descriptor >= 0,
            let watcher = try? DescriptorWatcher(loop: loop, descriptor: session.descriptor)
        else { return fail() }
        self.watcher = watcher
        watcher.watch(interest) { _ in self.step() }
    }

    private func step() {
        // libpq may close the socket and open another with the same number, so each step has its own watcher.
        watcher?.close()
        watcher = nil
        guard let session else { return }
        switch unsafe PQconnectPoll(session.raw) {
        case PGRES_POLLING_OK: finish(session)
        case PGRES_POLLING_READING: wait(for: .readable)
        case PGRES_POLLING_WRITING: wait(for: .writable)
        default: fail()
        }
    }

    private func finish(_ session: SessionHandle) {
        guard unsafe PQsetnonblocking(session.raw, 1) == 0, unsafe PQenterPipelineMode(session.raw) == 1 else {
            return fail()
        }
        end(.success(session))
    }

    private func fail() {
        end(.failure(PostgresError(connecting: session?.errorText ?? "")))
    }

    private func end(_ outcome: Outcome) {
        guard let onEnd else { return }
        self.onEnd = nil
        timer?.close()
        watcher?.close()
        timer = nil
        watcher = nil
        session = nil
        onEnd(outcome)
    }
}

extension PostgresError {
    static let lateConnect = PostgresError(.connectFailed, "PostgreSQL did not accept a session in time")
}
