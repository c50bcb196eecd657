import EventLoops
import Testing

@testable import Postgres

private let start = MonotonicInstant(milliseconds: 0)

@Suite struct PoolStateTests {
    var random = SplitMix(state: 1)

    func connection(_ number: UInt64) -> PostgresPoolState.ConnectionID { .init(number: number) }
    func waiter(_ number: UInt64) -> PostgresPoolState.WaiterID { .init(number: number) }
    func pool(_ maximum: Int, minimum: Int = 0, waiters: Int = 10) -> PostgresPoolState {
        PostgresPoolState(limits: .init(maximum: maximum, minimum: minimum, maximumWaiters: waiters))
    }

    @Test("The first caller opens a connection and gets it; back idle, it serves the next at once")
    func openAndReuse() {
        var state = pool(2)
        #expect(state.lease(waiter(1), at: start) == .wait(opening: true))
        #expect(state.opened(connection(9)) == .hand(waiter(1)))
        #expect(state.released(connection(9), isReusable: true) == .keepIdle)
        #expect(state.lease(waiter(2), at: start) == .use(connection(9)))
        #expect(state.counters.open == 1 && state.counters.openedTotal == 1)
    }

    @Test("No more than the maximum is opened; further callers wait in order of arrival")
    func maximum() {
        var state = pool(1)
        #expect(state.lease(waiter(1), at: start) == .wait(opening: true))
        #expect(state.lease(waiter(2), at: start) == .wait(opening: false))
        #expect(state.lease(waiter(3), at: start) == .wait(opening: false))
        #expect(state.opened(connection(9)) == .hand(waiter(1)))
        #expect(state.replenish() == 0)
        #expect(state.released(connection(9), isReusable: true) == .hand(waiter(2)))
        #expect(state.released(connection(9), isReusable: true) == .hand(waiter(3)))
        #expect(state.released(connection(9), isReusable: true) == .keepIdle)
    }

    @Test("The last one that came back is lent first, so that the others may rest")
    func lastInFirstOut() {
        var state = pool(2, minimum: 2)
        #expect(state.replenish() == 2)
        _ = state.opened(connection(1))
        _ = state.opened(connection(2))
        #expect(state.lease(waiter(1), at: start) == .use(connection(2)))
        #expect(state.lease(waiter(2), at: start) == .use(connection(1)))
    }

    @Test("Too many waiters are refused at once; those for whom one is being opened do not count")
    func full() {
        var state = pool(2, waiters: 1)
        #expect(state.lease(waiter(1), at: start) == .wait(opening: true))
        #expect(state.lease(waiter(2), at: start) == .wait(opening: true))
        #expect(state.lease(waiter(3), at: start) == .wait(opening: false))
        #expect(state.lease(waiter(4), at: start) == .refuseFull)
        #expect(state.withdraw(waiter(3)) == true)
        #expect(state.lease(waiter(5), at: start) == .wait(opening: false))
        #expect(state.counters.refusedTotal == 1)
        var none = pool(1, waiters: 0)
        #expect(none.lease(waiter(1), at: start) == .wait(opening: true))
        #expect(none.lease(waiter(2), at: start) == .refuseFull)
    }

    @Test("Who would wait for half of the patience is refused, a backlog at a quarter, and upkeep never")
    func slow() {
        var state = PostgresPoolState(limits: .init(maximum: 1, patience: .milliseconds(200)))
        #expect(state.lease(waiter(1), at: start) == .wait(opening: true))
        #expect(state.opened(connection(1)) == .hand(waiter(1)))
        state.served(in: .milliseconds(100))
        // A connection is lent for a quarter of 100 ms as far as is known: one may wait behind the one who has it, 50 ms.
        #expect(state.lease(waiter(2), at: start) == .wait(opening: false))
        #expect(state.lease(waiter(3), .backfill, at: start) == .refuseFull)
        #expect(state.lease(waiter(4), at: start) == .wait(opening: false))
        #expect(state.lease(waiter(5), at: start) == .wait(opening: false))
        #expect(state.lease(waiter(6), at: start) == .refuseFull)
        #expect(state.lease(waiter(7), .upkeep, at: start) == .wait(opening: false))
        #expect(state.counters.refusedTotal == 2)
        #expect(state.released(connection(1), isReusable: true) == .hand(waiter(2)))
        // However fast it was before, the one who waits has waited too long.
        #expect(state.lease(waiter(8), at: start.advanced(by: .milliseconds(100))) == .refuseFull)
    }

    @Test("A waiter that gave up gets nothing")
    func withdraw() {
        var state = pool(1)
        _ = state.lease(waiter(1), at: start)
        #expect(state.withdraw(waiter(1)) == true)
        #expect(state.withdraw(waiter(1)) == false)
        #expect(state.opened(connection(9)) == .keepIdle)
    }

    @Test("What is not reusable is closed, and another is opened only when somebody waits")
    func dropped() {
        var state = pool(1)
        _ = state.lease(waiter(1), at: start)
        _ = state.opened(connection(1))
        #expect(state.released(connection(1), isReusable: false) == .close(opening: 0))
        _ = state.lease(waiter(2), at: start)
        _ = state.opened(connection(2))
        _ = state.lease(waiter(3), at: start)
        #expect(state.released(connection(2), isReusable: false) == .close(opening: 1))
        #expect(state.opened(connection(3)) == .hand(waiter(3)))
        #expect(state.counters.droppedTotal == 2)
    }

    @Test("A connection that ended is replaced to keep the minimum, and its return is ignored")
    func lost() {
        var state = pool(3, minimum: 1)
        #expect(state.replenish() == 1)
        _ = state.opened(connection(1))
        #expect(state.lease(waiter(1), at: start) == .use(connection(1)))
        #expect(state.lost(connection(1)) == 1)
        #expect(state.released(connection(1), isReusable: true) == .ignore)
        #expect(state.lost(connection(1)) == 0)
        #expect(state.counters.open == 0 && state.counters.droppedTotal == 1)
    }

    @Test("Down: waiters are refused, callers fail at once, one attempt probes, success restores everything")
    mutating func down() throws {
        var state = pool(4)
        #expect(state.isAvailable)
        _ = state.lease(waiter(1), at: start)
        _ = state.lease(waiter(2), at: start)
        let first = state.openFailed(using: &random)
        #expect(first.refuse.isEmpty)
        #expect(first.retryAfter != nil)
        let second = state.openFailed(using: &random)
        #expect(second.refuse == [waiter(1), waiter(2)])
        #expect(second.retryAfter == nil)
        #expect(!state.isAvailable)
        #expect(state.lease(waiter(3), at: start) == .refuseUnavailable)
        #expect(state.replenish() == 0)
        #expect(state.retryIsDue() == 1)
        #expect(state.lease(waiter(4), at: start) == .refuseUnavailable)
        let third = state.openFailed(using: &random)
        #expect(try #require(third.retryAfter) >= .milliseconds(50))
        #expect(state.retryIsDue() == 1)
        #expect(state.opened(connection(1)) == .keepIdle)
        #expect(state.isAvailable)
        #expect(state.lease(waiter(5), at: start) == .use(connection(1)))
        #expect(state.lease(waiter(6), at: start) == .wait(opening: true))
    }

    @Test("A failure to open one more does not refuse those who wait for the connections there are")
    mutating func partlyDown() {
        var state = pool(2)
        _ = state.lease(waiter(1), at: start)
        _ = state.opened(connection(1))
        #expect(state.lease(waiter(2), at: start) == .wait(opening: true))
        let failure = state.openFailed(using: &random)
        #expect(failure.refuse.isEmpty)
        #expect(state.isAvailable)
        #expect(state.lease(waiter(3), at: start) == .wait(opening: false))
        #expect(state.released(connection(1), isReusable: true) == .hand(waiter(2)))
        #expect(state.retryIsDue() == 1)
        #expect(state.opened(connection(2)) == .hand(waiter(3)))
    }

    @Test("Closed: everybody is refused, idle ones are closed, others when they come back")
    func close() {
        var state = pool(3)
        _ = state.lease(waiter(1), at: start)
        _ = state.lease(waiter(2), at: start)
        _ = state.opened(connection(1))
        _ = state.opened(connection(2))
        _ = state.released(connection(2), isReusable: true)
        let closed = state.close()
        #expect(closed.idle == [connection(2)] && closed.refuse.isEmpty)
        #expect(!state.isQuiet)
        #expect(state.lease(waiter(3), at: start) == .refuseClosed)
        #expect(state.released(connection(1), isReusable: true) == .close(opening: 0))
        #expect(state.isQuiet)
    }

    @Test("Waits double from 50 ms to 2 s, each between half and all of its step")
    mutating func backoff() {
        var backoff = Backoff()
        for step in [50, 100, 200, 400, 800, 1600, 2000, 2000, 2000] {
            let wait = backoff.failed(using: &random)
            #expect(wait >= .milliseconds(step) / 2 && wait <= .milliseconds(step))
        }
        backoff.succeeded()
        #expect(!backoff.isBackingOff)
        #expect(backoff.failed(using: &random) <= .milliseconds(50))
    }
}
