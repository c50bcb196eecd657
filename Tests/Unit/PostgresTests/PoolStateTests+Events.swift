import EventLoops
import Testing

@testable import Postgres

private let start = MonotonicInstant(milliseconds: 0)

/// Whatever happens in whichever order.
extension PoolStateTests {
    @Test("Fifty thousand seeded events: never above the maximum, nobody served twice, nobody forgotten")
    mutating func fuzz() {
        var state = pool(3, minimum: 1, waiters: 4)
        var opening = 0
        var leased: [PostgresPoolState.ConnectionID] = []
        var idle = Set<PostgresPoolState.ConnectionID>()
        var waiting: [PostgresPoolState.WaiterID] = []
        var isRetryDue = false
        var number: UInt64 = 0
        func free(_ id: PostgresPoolState.ConnectionID, _ action: PostgresPoolState.FreeAction) {
            switch action {
            case .hand(let waiter):
                #expect(waiter == waiting.removeFirst())
                leased.append(id)
            case .keepIdle:
                #expect(waiting.isEmpty)
                idle.insert(id)
            case .close(let more): opening += more
            case .ignore: Issue.record("a known connection was ignored")
            }
        }
        for _ in 0..<50_000 {
            number += 1
            switch random.next() % 8 {
            case 0, 1:
                switch state.lease(waiter(number), at: start) {
                case .use(let id):
                    #expect(idle.remove(id) != nil)
                    leased.append(id)
                case .wait(let opens):
                    waiting.append(waiter(number))
                    if opens { opening += 1 }
                case .refuseClosed: Issue.record("not closed")
                case .refuseUnavailable, .refuseFull: break
                }
            case 2 where opening > 0:
                opening -= 1
                free(connection(number), state.opened(connection(number)))
                opening += state.replenish()
            case 3 where opening > 0:
                opening -= 1
                let action = state.openFailed(using: &random)
                waiting.removeAll { action.refuse.contains($0) }
                if action.retryAfter != nil { isRetryDue = true }
            case 4 where isRetryDue:
                isRetryDue = false
                opening += state.retryIsDue()
            case 5 where !leased.isEmpty:
                let id = leased.remove(at: Int(random.next() % UInt64(leased.count)))
                free(id, state.released(id, isReusable: random.next() % 4 != 0))
            case 6 where !leased.isEmpty:
                opening += state.lost(leased.removeLast())
            case 7:
                if let gone = waiting.last {
                    waiting.removeLast()
                    #expect(state.withdraw(gone) == true)
                }
            default: break
            }
            let counters = state.counters
            #expect(counters.open == leased.count + idle.count)
            #expect(counters.opening == opening && opening >= 0)
            #expect(counters.open + counters.opening <= 3)
            #expect(counters.waiting == waiting.count)
            #expect(idle.isEmpty || waiting.isEmpty)
            // Somebody who waits is served by a connection that is lent out, opening, or to be tried again.
            #expect(waiting.isEmpty || !leased.isEmpty || opening > 0 || isRetryDue)
        }
    }
}
