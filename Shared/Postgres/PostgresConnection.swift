internal import CPostgres
package import EventLoops

/// One session with PostgreSQL on one loop, used by one caller at a time.
///
/// Everything travels in libpq's pipeline mode: statements and one sync in one go, results when they come. There is
/// no lock and no hop: the loop polls the socket, and the waiting task goes on in the same turn as its reply.
///
/// A session that was left in the middle of an exchange (deadline, cancellation, loss, replies out of step) is closed
/// and never used again, so a reply cannot reach another caller. An open connection keeps itself alive: close it.
/// - Note: `@unchecked Sendable`: confined to `loop`; every entry checks `preconditionInLoop`, and `onCancel`, which
///   runs elsewhere, only passes a number to `loop.execute`.
package final class PostgresConnection: @unchecked Sendable {
    /// The loop that the connection belongs to.
    package let loop: EventLoop
    let usesNamedStatements: Bool
    var session: SessionHandle?
    var watcher: DescriptorWatcher?
    var deadline: LoopTimer?
    var state = PostgresExchangeState()
    var exchangeNumber: UInt64 = 0
    var waiting: CheckedContinuation<Result<[PostgresResult], PostgresError>, Never>?
    var results: [PostgresResult] = []
    var firstError: PostgresError?
    /// What the session has prepared, and what the running exchange prepares, by name.
    var prepared: [String: PreparedStatement] = [:]
    var preparing: [Int: (name: String, statement: PreparedStatement)] = [:]
    /// Parameters as they travel; kept so that an exchange allocates nothing for them.
    var parameterBytes: [UInt8] = []
    /// Whether an error said that the session should not be used again.
    var isWornOut = false
    /// Which of its pool's connections it is.
    var poolID: PostgresPoolState.ConnectionID?
    /// Since when its pool has lent it out.
    var lentAt: MonotonicInstant?
    /// Called once in the loop when the session has ended, by whomever.
    var onEnd: (() -> Void)?

    init(loop: EventLoop, session: SessionHandle, usesNamedStatements: Bool) throws(PostgresError) {
        self.loop = loop
        self.session = session
        self.usesNamedStatements = usesNamedStatements
        do throws(EventLoopError) {
            watcher = try DescriptorWatcher(loop: loop, descriptor: session.descriptor)
        } catch {
            throw PostgresError(.connectFailed, "the socket cannot be watched", detail: error.description)
        }
        watcher?.watch(.readable) { self.socketIsReady($0) }
        deadline = LoopTimer(loop: loop) { self.abandonExchange(.lateExchange) }
    }
}

extension PostgresConnection {
    /// Where the session stands in its transaction; `unknown` during an exchange and after the end.
    package var transactionStatus: PostgresTransactionStatus {
        guard let session, !state.isRunning else { return .unknown }
        return session.transactionStatus
    }

    /// Whether the session is over.
    package var isClosed: Bool { session == nil }

    /// Whether every reply has been read, nothing is open and no error has spoken against the session: the only state
    /// in which it may go to another caller.
    package var isProvablyIdle: Bool {
        guard let session, !state.isRunning, !state.isClosed, !isWornOut else { return false }
        return unsafe session.transactionStatus == .idle && PQstatus(session.raw) == CONNECTION_OK
            && PQpipelineStatus(session.raw) == PQ_PIPELINE_ON && PQisBusy(session.raw) == 0
    }

    /// The server's process id, as in `pg_stat_activity`; 0 after the end.
    package var serverProcess: Int32 {
        guard let session else { return 0 }
        return unsafe PQbackendPID(session.raw)
    }

    /// Ends the session; idempotent.
    ///
    /// A running exchange ends with `closed`, and the server is asked to stop it.
    package func close() {
        loop.preconditionInLoop()
        apply(state.close(), error: PostgresError(.closed, "the connection was closed"))
    }

    /// Ends the running exchange, if any, and with it the session.
    func abandonExchange(_ error: PostgresError) { apply(state.abandoned(), error: error) }

    /// Carries out what the machine decided about something other than a reply.
    ///
    /// - Returns: the error with what is known of the outcome.
    @discardableResult
    func apply(_ action: PostgresExchangeState.InterruptAction, error: PostgresError) -> PostgresError {
        switch action {
        case .ignore: return error
        case .closeIdle:
            end(nil, cancelOnServer: false)
            return error
        case .close(let cancelOnServer, let outcomeUnknown):
            var error = error
            error.isOutcomeUnknown = outcomeUnknown
            end(error, cancelOnServer: cancelOnServer)
            return error
        }
    }

    /// Takes everything down: the watcher before the socket, then the caller, then the owner.
    func end(_ error: PostgresError?, cancelOnServer: Bool) {
        watcher?.close()
        deadline?.close()
        watcher = nil
        deadline = nil
        let cancel = cancelOnServer ? session.flatMap { ServerCancel($0) } : nil
        session = nil
        cancel?.send(on: loop)
        prepared = [:]
        results = []
        firstError = nil
        let (waiting, onEnd) = (waiting, onEnd)
        self.waiting = nil
        self.onEnd = nil
        onEnd?()
        if let error { waiting?.resume(returning: .failure(error)) }
    }
}

extension PostgresError {
    static let lateExchange = PostgresError(.timedOut, "PostgreSQL did not answer in time")
    static let lostConnection = PostgresError(.connectionLost, "the connection to PostgreSQL was lost")
}
