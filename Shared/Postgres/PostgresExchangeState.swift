/// Decides what becomes of one exchange: statements out in one pipeline, results in, one sync at the end.
///
/// It knows nothing of sockets or libpq; it is told what happened and answers what to do. Its purpose is that a reply
/// never reaches the wrong caller and that a lost COMMIT is known as such.
///
/// States: `idle` → `running` → `idle` (at the sync) or `closed` (lost, late, cancelled, out of step). `closed` is final.
package struct PostgresExchangeState: Sendable {
    /// One thing that the server answers, in the order sent.
    package enum Step: Hashable, Sendable {
        /// A Parse of the statement with this index.
        case prepare(Int)
        /// A run of the statement with this index.
        case execute(Int, PostgresStatement.Effect)
        /// The end of the pipeline.
        case sync
    }

    /// What came back, reduced to what matters.
    package enum Reply: Hashable, Sendable {
        /// A statement or a Parse ended well.
        case completed
        /// COMMIT was answered with ROLLBACK.
        case completedAsRollback
        /// The server refused; `endsSession` when it also said that the session is over (FATAL, PANIC).
        case failed(endsSession: Bool)
        /// Not run, because an earlier step failed.
        case skipped
        /// The end of the pipeline.
        case synced
        /// Anything else, such as the start of a COPY.
        case unexpected
    }

    /// What to do with a reply.
    package enum ReplyAction: Hashable, Sendable {
        /// It is the result of this statement.
        case keep(statement: Int)
        /// This statement is prepared from now on.
        case rememberPrepared(statement: Int)
        /// It is the error that the caller gets.
        case keepError
        /// The transaction had failed before; the caller gets `rolledBack`.
        case reportRollback
        /// It says nothing new.
        case discard
        /// The exchange is over and the session is idle: give the caller the results, or the kept error.
        case finish
        /// The session is over; close it and give the caller this error.
        case close(outcomeUnknown: Bool)
        /// The replies are out of step; close.
        case closeOutOfStep(outcomeUnknown: Bool)
    }

    /// What to do when something other than a reply happens.
    package enum InterruptAction: Hashable, Sendable {
        /// Nothing; there is no exchange.
        case ignore
        /// Close the idle session; nobody waits.
        case closeIdle
        /// Close the session and give the caller the error. `cancelOnServer`: a statement may still run there.
        case close(cancelOnServer: Bool, outcomeUnknown: Bool)
    }

    private enum Phase: Hashable { case idle, running, closed }

    private var phase = Phase.idle
    private var steps: [Step] = []
    private var position = 0
    /// Whether the step at `position` has had its reply and only the end of its results is to come.
    private var isAnswered = false
    private var hasFailed = false
    /// Whether the commit at the sync was refused, after which an end of results may come before the sync itself.
    private var hasSyncFailed = false
    /// Whether the exchange began outside a transaction, so that plain writes commit at the sync.
    private var beganOutside = true

    /// An idle session.
    package init() {}

    /// Whether an exchange is under way.
    package var isRunning: Bool { phase == .running }
    /// Whether the session is over.
    package var isClosed: Bool { phase == .closed }

    /// Begins an exchange.
    ///
    /// False when there is one already or the session is over.
    package mutating func begin(insideTransaction: Bool) -> Bool {
        guard phase == .idle else { return false }
        phase = .running
        steps.removeAll(keepingCapacity: true)
        position = 0
        isAnswered = false
        hasFailed = false
        hasSyncFailed = false
        beganOutside = !insideTransaction
        return true
    }

    /// Notes that a step was handed to libpq; `.sync` last.
    package mutating func sent(_ step: Step) { steps.append(step) }
}

extension PostgresExchangeState {
    /// A reply came.
    package mutating func received(_ reply: Reply) -> ReplyAction {
        guard phase == .running, position < steps.count, !isAnswered else { return closeOutOfStep() }
        switch (steps[position], reply) {
        case (_, .failed(endsSession: true)):
            // What came before was answered, so only the step that was being run can have committed.
            let isUnknown = !hasFailed && mayCommit(at: position)
            phase = .closed
            return .close(outcomeUnknown: isUnknown)
        case (.sync, .synced):
            phase = .idle
            return .finish
        case (.prepare, .failed), (.execute, .failed):
            isAnswered = true
            defer { hasFailed = true }
            return hasFailed ? .discard : .keepError
        case (.sync, .failed):
            // The implicit transaction could not commit (a deferred constraint). The sync itself follows.
            hasSyncFailed = true
            defer { hasFailed = true }
            return hasFailed ? .discard : .keepError
        case (.prepare(let statement), .completed):
            isAnswered = true
            return .rememberPrepared(statement: statement)
        case (.execute(let statement, _), .completed):
            isAnswered = true
            return .keep(statement: statement)
        case (.execute(let statement, let effect), .completedAsRollback):
            isAnswered = true
            guard effect == .commit else { return .keep(statement: statement) }
            defer { hasFailed = true }
            return hasFailed ? .discard : .reportRollback
        case (.prepare, .skipped), (.execute, .skipped):
            guard hasFailed else { return closeOutOfStep() }
            isAnswered = true
            return .discard
        case (.sync, .completed), (.sync, .completedAsRollback), (.sync, .skipped), (.prepare, .synced),
            (.execute, .synced), (.prepare, .completedAsRollback), (_, .unexpected):
            return closeOutOfStep()
        }
    }

    /// The results of one step have ended; nil when all is well.
    package mutating func receivedEndOfStep() -> ReplyAction? {
        if phase == .running, hasSyncFailed {
            hasSyncFailed = false
            return nil
        }
        guard phase == .running, isAnswered else { return closeOutOfStep() }
        isAnswered = false
        position += 1
        return nil
    }

    /// The connection is gone.
    package mutating func lost() -> InterruptAction {
        switch phase {
        case .closed: return .ignore
        case .idle:
            phase = .closed
            return .closeIdle
        case .running: return interrupt(cancelOnServer: false)
        }
    }

    /// The deadline passed or the caller went away.
    package mutating func abandoned() -> InterruptAction {
        phase == .running ? interrupt(cancelOnServer: true) : .ignore
    }

    /// The owner closes the session.
    package mutating func close() -> InterruptAction {
        switch phase {
        case .closed: return .ignore
        case .idle:
            phase = .closed
            return .closeIdle
        case .running: return interrupt(cancelOnServer: true)
        }
    }

    private mutating func interrupt(cancelOnServer: Bool) -> InterruptAction {
        let isUnknown = outcomeIsOpen
        phase = .closed
        return .close(cancelOnServer: cancelOnServer, outcomeUnknown: isUnknown)
    }

    private mutating func closeOutOfStep() -> ReplyAction {
        let isUnknown = phase == .running && outcomeIsOpen
        phase = .closed
        return .closeOutOfStep(outcomeUnknown: isUnknown)
    }

    /// Whether something without an answer may have been committed.
    ///
    /// After an error everything up to the sync is skipped by the server, so nothing is.
    private var outcomeIsOpen: Bool {
        guard !hasFailed else { return false }
        return steps.indices.contains { $0 >= position && !($0 == position && isAnswered) && mayCommit(at: $0) }
    }

    /// Whether the step at an index commits something if it is run.
    private func mayCommit(at index: Int) -> Bool {
        switch steps[index] {
        case .prepare: return false
        case .execute(_, let effect): return effect == .commit
        case .sync:
            // A write outside a transaction commits when the pipeline ends.
            var isOutside = beganOutside
            for case .execute(_, let effect) in steps {
                switch effect {
                case .begin: isOutside = false
                case .commit, .rollback: isOutside = true
                case .write: if isOutside { return true }
                case .read: continue
                }
            }
            return false
        }
    }
}
