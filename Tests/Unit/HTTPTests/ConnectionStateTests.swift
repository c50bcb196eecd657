import Testing

@testable import HTTP

/// The machine alone, by events.
@Suite("Connection state")
struct ConnectionStateTests {
    private func head(_ headers: [(String, String)] = [], body: String = "") throws -> HTTPRequestHead {
        try HTTPRequest.make(.get, "/", headers: headers, body: Array(body.utf8)).head
    }

    @Test("A kept connection goes from idle to idle, each wait with its own deadline")
    func goesRound() throws {
        var state = HTTPConnectionState()
        #expect(state.deadline == .head)
        #expect(state.inputArrived() == .parse)
        guard case .read = state.headRead(try head(), refusal: nil, hasEarlyAnswer: false) else {
            Issue.record("read expected")
            return
        }
        #expect(state.deadline == .body)
        state.requestRead()
        #expect(state.deadline == .none)
        #expect(state.inputArrived() == .hold)
        guard case .write(.none) = state.answerReady() else {
            Issue.record("write expected")
            return
        }
        guard case .readOn = state.answerWritten(hasUnsent: false) else {
            Issue.record("readOn expected")
            return
        }
        #expect(state.deadline == .idle)
        guard case .wait = state.inputExhausted(isInsideRequest: true) else {
            Issue.record("wait expected")
            return
        }
        #expect(state.phase == .head)
        #expect(state.deadline == .head)
    }

    @Test("An answer that has not left holds everything back, and its deadline ends in a reset")
    func waitsForTheReader() throws {
        var state = HTTPConnectionState()
        _ = state.headRead(try head(), refusal: nil, hasEarlyAnswer: false)
        state.requestRead()
        _ = state.answerReady()
        guard case .wait = state.answerWritten(hasUnsent: true) else {
            Issue.record("wait expected")
            return
        }
        #expect(state.deadline == .response)
        #expect(state.inputArrived() == .hold)
        guard case .reset = state.deadlinePassed() else {
            Issue.record("reset expected")
            return
        }
    }

    @Test("After a refusal the answer is the last, input is discarded, and the end is a half-close first")
    func endsAfterARefusal() {
        var state = HTTPConnectionState()
        state.inputRefused()
        guard case .write(.close) = state.answerReady() else {
            Issue.record("a last answer expected")
            return
        }
        guard case .shutDown = state.answerWritten(hasUnsent: false) else {
            Issue.record("shutDown expected")
            return
        }
        #expect(state.inputArrived() == .discard)
        #expect(state.deadline == .linger)
        guard case .close = state.deadlinePassed() else {
            Issue.record("close expected")
            return
        }
    }

    @Test("When the stream has closed under a handler, its answer is dropped")
    func dropsLateAnswers() throws {
        var state = HTTPConnectionState()
        _ = state.headRead(try head(), refusal: nil, hasEarlyAnswer: false)
        state.requestRead()
        state.streamClosed()
        guard case .drop = state.answerReady() else {
            Issue.record("drop expected")
            return
        }
        #expect(state.deadline == .none)
        #expect(state.inputArrived() == .discard)
    }

    @Test("A peer that ended while it was answered is closed after the answer")
    func closesAfterThePeer() throws {
        var state = HTTPConnectionState()
        _ = state.headRead(try head(), refusal: nil, hasEarlyAnswer: false)
        state.requestRead()
        guard case .wait = state.peerEnded(isInsideRequest: false, hasHeldInput: false) else {
            Issue.record("wait expected")
            return
        }
        _ = state.answerReady()
        _ = state.answerWritten(hasUnsent: false)
        guard case .close = state.inputExhausted(isInsideRequest: false) else {
            Issue.record("close expected")
            return
        }
    }

    @Test("Draining makes the next answer the last and gives an idle connection only its grace")
    func drains() throws {
        var state = HTTPConnectionState()
        state.drainBegan()
        #expect(state.deadline == .drain)
        _ = state.headRead(try head(), refusal: nil, hasEarlyAnswer: false)
        state.requestRead()
        guard case .write(.close) = state.answerReady() else {
            Issue.record("a last answer expected")
            return
        }
        var unsent = HTTPConnectionState()
        _ = unsent.headRead(try head(), refusal: nil, hasEarlyAnswer: false)
        unsent.requestRead()
        _ = unsent.answerReady()
        _ = unsent.answerWritten(hasUnsent: true)
        unsent.drainBegan()
        #expect(unsent.deadline == .response)
        _ = unsent.answerWritten(hasUnsent: false)
        #expect(unsent.deadline == .drain)
    }

    @Test("A deadline that begins anew is told from the one before, though it is of the same kind")
    func countsDeadlines() throws {
        var state = HTTPConnectionState()
        var serials: Set<Int> = []
        for _ in 0..<3 {
            _ = state.headRead(try head(), refusal: nil, hasEarlyAnswer: false)
            state.requestRead()
            _ = state.answerReady()
            _ = state.answerWritten(hasUnsent: false)
            serials.insert(state.deadlineSerial)
        }
        #expect(serials.count == 3)
    }
}
