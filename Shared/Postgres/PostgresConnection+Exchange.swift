internal import CPostgres
internal import EventLoops

extension PostgresConnection {
    /// Sends statements in one pipeline and waits for all results.
    ///
    /// An error in one statement keeps the server from running the ones after it; the first error is thrown, and the
    /// session is left idle or in a failed transaction (`transactionStatus`). After `timedOut`, `cancelled` (once
    /// something was sent) and `connectionLost` the session is closed, and the error knows whether a commit is open.
    ///
    /// A transaction over several exchanges begins with `.begin` in the first and ends with `.commit` in the last.
    ///
    /// - Parameter timeout: from now until the last reply.
    /// - Returns: one result for each statement.
    /// - Throws: see above; `misuse` when another exchange is under way.
    package func exchange(
        _ statements: [PostgresStatement], timeout: Duration
    ) async throws(PostgresError) -> [PostgresResult] {
        loop.preconditionInLoop()
        guard let session else { throw .lostConnection }
        guard !statements.isEmpty else { return [] }
        // Nothing was sent yet, so the session stays as it is.
        guard !Task.isCancelled else { throw .cancelledWait }
        guard timeout > .zero else { throw .lateExchange }
        guard state.begin(insideTransaction: session.transactionStatus != .idle) else {
            throw PostgresError(.misuse, "two exchanges at once on one connection")
        }
        firstError = nil
        results.reserveCapacity(statements.count)
        do throws(PostgresError) {
            try send(statements, on: session)
        } catch {
            throw apply(state.abandoned(), error: error)
        }
        #if DEBUG
            FaultPoint.postgresSent.reach()
        #endif
        deadline?.schedule(after: timeout)
        exchangeNumber &+= 1
        let number = exchangeNumber
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { waiting = $0 }
        } onCancel: {
            loop.execute { if self.exchangeNumber == number { self.abandonExchange(.cancelledWait) } }
        }
        return try outcome.get()
    }

    /// One statement and its result.
    package func query(
        _ statement: PostgresStatement, timeout: Duration
    ) async throws(PostgresError) -> PostgresResult {
        guard let result = try await exchange([statement], timeout: timeout).first else {
            throw PostgresError(.protocolViolation, "a statement without a result")
        }
        return result
    }

    // MARK: What the loop calls

    /// Reads before writing: a server that cannot get rid of its results reads no more statements.
    func socketIsReady(_ readiness: DescriptorWatcher.Interest) {
        guard let session else { return }
        var isAlive: Bool
        repeat {
            isAlive = unsafe PQconsumeInput(session.raw) == 1
            drain()
            guard self.session != nil else { return }
        } while isAlive && session.hasDecryptedInput
        guard isAlive else { return loseSession() }
        if readiness.contains(.writable) { flush(session) }
    }

    /// Hands libpq's buffer to the socket and waits for room only when there is something left.
    func flush(_ session: SessionHandle) {
        switch unsafe PQflush(session.raw) {
        case 0: watcher?.watch(.readable)
        case 1: watcher?.watch([.readable, .writable])
        default: loseSession()
        }
    }

    private func loseSession() {
        var error = firstError ?? .lostConnection
        if error.detail == nil, let session { error.detail = PostgresError.firstLine(session.errorText) }
        apply(state.lost(), error: error)
    }

    /// Takes every result that is complete.
    private func drain() {
        while let session, unsafe PQisBusy(session.raw) == 0, state.isRunning {
            guard let raw = unsafe PQgetResult(session.raw) else {
                if let action = state.receivedEndOfStep() { apply(action, result: nil, error: nil) }
                continue
            }
            let result = unsafe PostgresResult(adopting: raw)
            switch unsafe PQresultStatus(raw) {
            case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY:
                let isRollback = unsafe String(cString: PQcmdStatus(raw)) == "ROLLBACK"
                apply(state.received(isRollback ? .completedAsRollback : .completed), result: result, error: nil)
            case PGRES_FATAL_ERROR:
                // Without a SQLSTATE it is libpq that speaks, and the session is of no use any more.
                guard let error = PostgresError(refusal: result) else { return loseSession() }
                apply(state.received(.failed(endsSession: error.endsSession)), result: result, error: error)
            case PGRES_PIPELINE_ABORTED: apply(state.received(.skipped), result: nil, error: nil)
            case PGRES_PIPELINE_SYNC: apply(state.received(.synced), result: nil, error: nil)
            default: apply(state.received(.unexpected), result: nil, error: nil)
            }
        }
    }

    private func apply(
        _ action: PostgresExchangeState.ReplyAction, result: PostgresResult?, error: PostgresError?
    ) {
        switch action {
        case .keep: if let result { results.append(result) }
        case .rememberPrepared(let statement):
            if let entry = preparing[statement] { prepared[entry.name] = entry.statement }
        case .keepError:
            firstError = error
            if error?.needsNewSession == true { isWornOut = true }
        case .reportRollback:
            firstError = PostgresError(.rolledBack, "COMMIT found the transaction failed and rolled it back")
        case .discard: break
        case .finish: finish()
        case .close(let outcomeUnknown):
            var error = firstError ?? error ?? .lostConnection
            error.isOutcomeUnknown = outcomeUnknown
            end(error, cancelOnServer: false)
        case .closeOutOfStep(let outcomeUnknown):
            end(
                PostgresError(
                    .protocolViolation, "replies of PostgreSQL out of step", isOutcomeUnknown: outcomeUnknown),
                cancelOnServer: true)
        }
    }

    private func finish() {
        deadline?.cancel()
        let (waiting, results, error) = (waiting, results, firstError)
        self.waiting = nil
        self.results = []
        firstError = nil
        waiting?.resume(returning: error.map { .failure($0) } ?? .success(results))
    }
}
