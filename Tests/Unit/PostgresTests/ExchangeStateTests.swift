import Testing

@testable import Postgres

/// BEGIN, a write that is prepared on the way, COMMIT.
private let transaction: [PostgresExchangeState.Step] = [
    .execute(0, .begin), .prepare(1), .execute(1, .write), .execute(2, .commit), .sync,
]

@Suite struct ExchangeStateTests {
    private func running(
        _ steps: [PostgresExchangeState.Step], inside: Bool = false
    ) -> PostgresExchangeState {
        var state = PostgresExchangeState()
        #expect(state.begin(insideTransaction: inside) == true)
        for step in steps { state.sent(step) }
        return state
    }

    /// Answers so many steps well.
    private func answer(_ state: inout PostgresExchangeState, _ count: Int) {
        for _ in 0..<count {
            _ = state.received(.completed)
            #expect(state.receivedEndOfStep() == nil)
        }
    }

    @Test("Results are kept in order, a Parse is remembered, and the sync ends the exchange")
    func success() {
        var state = running(transaction)
        #expect(state.received(.completed) == .keep(statement: 0))
        #expect(state.receivedEndOfStep() == nil)
        #expect(state.received(.completed) == .rememberPrepared(statement: 1))
        #expect(state.receivedEndOfStep() == nil)
        #expect(state.received(.completed) == .keep(statement: 1))
        #expect(state.receivedEndOfStep() == nil)
        #expect(state.received(.completed) == .keep(statement: 2))
        #expect(state.receivedEndOfStep() == nil)
        #expect(state.received(.synced) == .finish)
        #expect(!state.isRunning && !state.isClosed)
        #expect(state.begin(insideTransaction: false) == true)
    }

    @Test("The first error is kept, what follows is skipped, and the sync ends the exchange")
    func failure() {
        var state = running(transaction)
        answer(&state, 1)
        #expect(state.received(.failed(endsSession: false)) == .keepError)
        #expect(state.receivedEndOfStep() == nil)
        for _ in 0..<2 {
            #expect(state.received(.skipped) == .discard)
            #expect(state.receivedEndOfStep() == nil)
        }
        #expect(state.received(.synced) == .finish)
        #expect(!state.isClosed)
    }

    @Test("A second exchange is refused while one runs, and any after the end")
    func refusesTwo() {
        var state = running(transaction)
        #expect(state.begin(insideTransaction: false) == false)
        _ = state.lost()
        #expect(state.begin(insideTransaction: false) == false)
    }

    @Test(
        "Lost after so many answers: the outcome is unknown exactly while COMMIT is sent and not answered",
        arguments: [(0, true), (1, true), (2, true), (3, true), (4, false)])
    func lostAt(answered: Int, isUnknown: Bool) {
        var lost = running(transaction)
        answer(&lost, answered)
        #expect(lost.lost() == .close(cancelOnServer: false, outcomeUnknown: isUnknown))
        #expect(lost.isClosed)
        var late = running(transaction)
        answer(&late, answered)
        #expect(late.abandoned() == .close(cancelOnServer: true, outcomeUnknown: isUnknown))
        #expect(late.received(.completed) == .closeOutOfStep(outcomeUnknown: false))
    }

    @Test("Once COMMIT itself is answered, its outcome is known even before the end of its results")
    func commitAnswered() {
        var state = running(transaction)
        answer(&state, 3)
        #expect(state.received(.completed) == .keep(statement: 2))
        #expect(state.lost() == .close(cancelOnServer: false, outcomeUnknown: false))
    }

    @Test("Lost after an error: nothing was committed, and that is known")
    func lostAfterError() {
        var state = running(transaction)
        answer(&state, 2)
        #expect(state.received(.failed(endsSession: false)) == .keepError)
        #expect(state.lost() == .close(cancelOnServer: false, outcomeUnknown: false))
    }

    @Test(
        "A session ended by the server leaves the outcome open only when COMMIT was being run",
        arguments: [(0, false), (1, false), (2, false), (3, true), (4, false)])
    func fatalAt(answered: Int, isUnknown: Bool) {
        var state = running(transaction)
        answer(&state, answered)
        #expect(state.received(.failed(endsSession: true)) == .close(outcomeUnknown: isUnknown))
        #expect(state.isClosed)
    }

    @Test(
        "Without COMMIT the outcome is open only for writes that commit by themselves",
        arguments: [
            ([PostgresExchangeState.Step.execute(0, .write), .sync], false, true),
            ([.execute(0, .read), .sync], false, false),
            ([.execute(0, .write), .sync], true, false),
            ([.execute(0, .begin), .execute(1, .write), .sync], false, false),
            ([.execute(0, .rollback), .execute(1, .write), .sync], true, true),
            ([.execute(0, .commit), .sync], true, true),
            ([.prepare(0), .execute(0, .read), .sync], false, false),
        ])
    func implicitCommit(steps: [PostgresExchangeState.Step], inside: Bool, isUnknown: Bool) {
        var state = running(steps, inside: inside)
        #expect(state.lost() == .close(cancelOnServer: false, outcomeUnknown: isUnknown))
    }

    @Test("A write that commits by itself is open until the sync, also when it was answered")
    func implicitCommitAnswered() {
        var state = running([.execute(0, .write), .sync])
        answer(&state, 1)
        #expect(state.lost() == .close(cancelOnServer: false, outcomeUnknown: true))
    }

    @Test("A commit refused at the sync is an error, with or without an end of results before the sync")
    func failedAtSync() {
        for hasEnd in [true, false] {
            var state = running([.execute(0, .write), .sync])
            answer(&state, 1)
            #expect(state.received(.failed(endsSession: false)) == .keepError)
            if hasEnd { #expect(state.receivedEndOfStep() == nil) }
            #expect(state.received(.synced) == .finish)
        }
    }

    @Test("COMMIT answered with ROLLBACK is reported, and ROLLBACK answered so is not")
    func rolledBack() {
        var state = running([.execute(0, .commit), .sync], inside: true)
        #expect(state.received(.completedAsRollback) == .reportRollback)
        #expect(state.receivedEndOfStep() == nil)
        #expect(state.received(.synced) == .finish)
        var rollback = running([.execute(0, .rollback), .sync], inside: true)
        #expect(rollback.received(.completedAsRollback) == .keep(statement: 0))
    }

    @Test("Replies out of step close the session")
    func outOfStep() {
        func closes(_ replies: [PostgresExchangeState.Reply], _ comment: Comment) {
            var state = running([.execute(0, .read), .sync])
            var last: PostgresExchangeState.ReplyAction?
            for reply in replies { last = state.received(reply) }
            #expect(last == .closeOutOfStep(outcomeUnknown: false), comment)
            #expect(state.isClosed, comment)
        }
        closes([.synced], "a sync before the result")
        closes([.completed, .completed], "two results for one statement")
        closes([.skipped], "skipped without an error")
        closes([.unexpected], "a COPY")
        var early = running([.execute(0, .read), .sync])
        #expect(early.receivedEndOfStep() == .closeOutOfStep(outcomeUnknown: false))
        var late = running([.execute(0, .read), .sync])
        answer(&late, 1)
        #expect(late.received(.completed) == .closeOutOfStep(outcomeUnknown: false))
        var idle = PostgresExchangeState()
        #expect(idle.received(.completed) == .closeOutOfStep(outcomeUnknown: false))
    }

    @Test("Events of an idle or closed session")
    func idleEvents() {
        var idle = PostgresExchangeState()
        #expect(idle.abandoned() == .ignore)
        #expect(!idle.isClosed)
        #expect(idle.lost() == .closeIdle)
        #expect(idle.lost() == .ignore)
        #expect(idle.abandoned() == .ignore)
        #expect(idle.close() == .ignore)
        var closing = PostgresExchangeState()
        #expect(closing.close() == .closeIdle)
    }

    @Test("A hundred thousand seeded events never leave an exchange both over and waiting")
    func fuzz() {
        var random = SplitMix(state: 2026)
        let replies: [PostgresExchangeState.Reply] = [
            .completed, .completed, .completed, .completedAsRollback, .failed(endsSession: false),
            .failed(endsSession: true), .skipped, .synced, .unexpected,
        ]
        for _ in 0..<10_000 {
            var state = running(transaction)
            var ends = 0
            for _ in 0..<10 {
                let wasRunning = state.isRunning
                switch random.next() % 12 {
                case 0: _ = state.lost()
                case 1: _ = state.abandoned()
                case 2, 3, 4, 5: _ = state.receivedEndOfStep()
                default: _ = state.received(replies[Int(random.next() % UInt64(replies.count))])
                }
                if wasRunning && !state.isRunning { ends += 1 }
            }
            #expect(ends <= 1)
            #expect(ends == (state.isRunning ? 0 : 1))
        }
    }
}
