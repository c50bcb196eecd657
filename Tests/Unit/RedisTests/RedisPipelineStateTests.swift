import EventLoops
import Redis
import Testing

@Suite("The pipeline gives each reply to its command")
struct RedisPipelineStateTests {
    typealias State = RedisPipelineState<String>

    static func at(_ milliseconds: UInt64) -> MonotonicInstant { MonotonicInstant(milliseconds: milliseconds) }

    static func state(_ entries: [(String, Int)], deadline: UInt64 = 200) -> State {
        var state = State(maximumPendingBytes: 100, stallTimeout: .seconds(1))
        for (waiter, count) in entries {
            _ = state.enqueue(waiter, commandCount: count, byteCount: 10, deadline: at(deadline), now: at(0))
        }
        state.flushed()
        return state
    }

    static func text(_ action: State.ReplyAction) -> String {
        switch action {
        case .wait: "wait"
        case .discard: "discard"
        case .violation: "violation"
        case .complete(let waiter, let replies): "\(waiter)=\(replies.compactMap(\.number))"
        }
    }

    @Test("replies fill the exchanges in order")
    func order() {
        var state = Self.state([("a", 2), ("b", 1)])
        #expect(state.pendingCommands == 3 && state.pendingBytes == 20)
        #expect(Self.text(state.received(.integer(1), now: Self.at(1))) == "wait")
        #expect(Self.text(state.received(.integer(2), now: Self.at(1))) == "a=[1, 2]")
        #expect(state.pendingCommands == 1 && state.pendingBytes == 10)
        #expect(Self.text(state.received(.integer(3), now: Self.at(1))) == "b=[3]")
        #expect(Self.text(state.received(.integer(4), now: Self.at(1))) == "violation")
    }

    @Test("a reply to what has not been sent is a violation")
    func early() {
        var state = State(maximumPendingBytes: 100, stallTimeout: .seconds(1))
        _ = state.enqueue("a", commandCount: 1, byteCount: 1, deadline: Self.at(200), now: Self.at(0))
        #expect(Self.text(state.received(.integer(1), now: Self.at(1))) == "violation")
    }

    @Test("C6: the replies of a caller that gave up are swallowed by its own slots", arguments: [0, 1, 2])
    func cancelled(afterReplies count: Int) {
        var state = Self.state([("a", 3), ("b", 1)])
        for number in 0..<count { _ = state.received(.integer(Int64(number)), now: Self.at(1)) }
        #expect(state.cancelled(0) == "a")
        #expect(state.cancelled(0) == nil)
        for number in count..<3 {
            #expect(Self.text(state.received(.integer(Int64(number)), now: Self.at(1))) == "discard")
        }
        #expect(Self.text(state.received(.integer(9), now: Self.at(1))) == "b=[9]")
        #expect(state.cancelled(1) == nil)
        #expect(state.cancelled(7) == nil)
    }

    @Test("C6: a deadline leaves the slots in place")
    func timedOut() {
        var state = Self.state([("a", 1)], deadline: 200)
        _ = state.enqueue("b", commandCount: 1, byteCount: 10, deadline: Self.at(300), now: Self.at(100))
        state.flushed()
        guard case .expire(let early, let first) = state.woke(now: Self.at(199)) else {
            Issue.record("another action"); return
        }
        #expect(early == [] && first == Self.at(200))
        guard case .expire(let expired, let next) = state.woke(now: Self.at(200)) else {
            Issue.record("another action"); return
        }
        #expect(expired == ["a"] && next == Self.at(300))
        #expect(Self.text(state.received(.integer(1), now: Self.at(250))) == "discard")
        #expect(Self.text(state.received(.integer(2), now: Self.at(250))) == "b=[2]")
        guard case .expire([], nil) = state.woke(now: Self.at(900)) else { Issue.record("another action"); return }
    }

    @Test("the timer is set for the earliest deadline and not touched for later ones")
    func timer() {
        var state = State(maximumPendingBytes: 100, stallTimeout: .seconds(1))
        func enqueue(_ deadline: UInt64) -> State.EnqueueAction {
            state.enqueue("x", commandCount: 1, byteCount: 1, deadline: Self.at(deadline), now: Self.at(0))
        }
        #expect(enqueue(200) == .wake(at: Self.at(200)))
        #expect(enqueue(200) == .keepTimer)
        #expect(enqueue(300) == .keepTimer)
        #expect(enqueue(50) == .wake(at: Self.at(50)))
        var patient = State(maximumPendingBytes: 100, stallTimeout: .seconds(1))
        let action = patient.enqueue("x", commandCount: 1, byteCount: 1, deadline: Self.at(5000), now: Self.at(7))
        #expect(action == .wake(at: Self.at(1007)))
    }

    @Test("a server without a reply for the whole stall time is given up, also when every caller has gone")
    func stalled() {
        var state = Self.state([("a", 1), ("b", 2)], deadline: 5000)
        _ = state.received(.integer(1), now: Self.at(400))
        #expect(state.cancelled(1) == "b")
        guard case .expire([], let next) = state.woke(now: Self.at(1399)) else {
            Issue.record("another action"); return
        }
        #expect(next == Self.at(1400))
        guard case .stalled([]) = state.woke(now: Self.at(1400)) else { Issue.record("another action"); return }
    }

    @Test("an idle connection does not count as stalled when it gets work")
    func idle() {
        var state = Self.state([("a", 1)])
        _ = state.received(.integer(1), now: Self.at(10))
        _ = state.enqueue("b", commandCount: 1, byteCount: 1, deadline: Self.at(90_200), now: Self.at(90_000))
        guard case .expire(["b"], let next) = state.woke(now: Self.at(90_200)) else {
            Issue.record("another action"); return
        }
        #expect(next == Self.at(91_000))
    }

    @Test("the bound on bytes refuses at once and frees with the replies, not with the callers")
    func bound() {
        var state = Self.state([("a", 1)])
        #expect(state.admission(byteCount: 90) == .admit)
        #expect(state.admission(byteCount: 91) == .refuse(.overloaded))
        #expect(state.admission(byteCount: .max) == .refuse(.overloaded))
        #expect(state.cancelled(0) == "a")
        #expect(state.admission(byteCount: 91) == .refuse(.overloaded))
        _ = state.received(.integer(1), now: Self.at(1))
        #expect(state.admission(byteCount: 100) == .admit)
    }

    @Test("a loss names for each caller whether its commands had left, and ends everything")
    func lost() {
        var state = Self.state([("a", 1), ("b", 1), ("c", 1)])
        _ = state.received(.integer(1), now: Self.at(1))
        _ = state.enqueue("d", commandCount: 1, byteCount: 1, deadline: Self.at(200), now: Self.at(0))
        #expect(state.cancelled(1) == "b")
        let losses = state.lost()
        #expect(losses.map(\.waiter) == ["c", "d"])
        #expect(losses.map(\.outcomeUnknown) == [true, false])
        #expect(state.admission(byteCount: 1) == .refuse(.notConnected))
        #expect(state.lost().isEmpty && state.cancelled(2) == nil && state.pendingCommands == 0)
        #expect(Self.text(state.received(.integer(1), now: Self.at(1))) == "violation")
        guard case .expire([], nil) = state.woke(now: Self.at(9000)) else { Issue.record("another action"); return }
    }
}
