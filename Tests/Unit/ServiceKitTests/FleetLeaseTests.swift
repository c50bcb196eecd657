import EventLoops
import Storage
import Testing

@testable import ServiceKit

/// A loop's piece of the fleet's budget, by events on a manual clock.
///
/// 2000 cells a second make pieces of 100.
struct FleetLeaseTests {
    private static func at(_ milliseconds: UInt64) -> MonotonicInstant { MonotonicInstant(milliseconds: milliseconds) }

    private static func granted(_ cells: Int, wait: Duration = .zero) -> RateBudget.Decision {
        RateBudget.Decision(admitted: cells, remaining: wait > .zero ? 0 : 1, wait: wait, reset: .zero)
    }

    @Test("The first waits for a piece and fetches it, the second only waits; then both are admitted from it")
    func first() {
        var lease = FleetLease(perSecond: 2000)
        #expect(lease.piece == 100)
        #expect(lease.ask(1, at: Self.at(1)) == .wait(fetches: true))
        #expect(lease.ask(1, at: Self.at(1)) == .wait(fetches: false))
        lease.fetched(Self.granted(100), at: Self.at(2))
        #expect(lease.ask(1, at: Self.at(2)) == .admit(fetches: false))
        #expect(lease.ask(1, at: Self.at(2)) == .admit(fetches: false))
    }

    @Test("A piece that is half used asks for the next one once, before anybody has to wait")
    func ahead() {
        var lease = FleetLease(perSecond: 2000)
        _ = lease.ask(1, at: Self.at(1))
        lease.fetched(Self.granted(100), at: Self.at(1))
        #expect(lease.ask(50, at: Self.at(1)) == .admit(fetches: false))
        #expect(lease.ask(1, at: Self.at(1)) == .admit(fetches: true))
        #expect(lease.ask(1, at: Self.at(1)) == .admit(fetches: false))
        lease.fetched(Self.granted(100), at: Self.at(1))
        // 48 and 100 are left.
        #expect(lease.ask(148, at: Self.at(1)) == .admit(fetches: true))
        #expect(lease.ask(1, at: Self.at(1)) == .wait(fetches: false))
    }

    @Test("When the fleet has nothing left, everybody is told when some is earned, and nobody asks Redis before")
    func exhausted() {
        var lease = FleetLease(perSecond: 2000)
        _ = lease.ask(1, at: Self.at(0))
        lease.fetched(Self.granted(3, wait: .milliseconds(40)), at: Self.at(0))
        #expect(lease.ask(3, at: Self.at(1)) == .admit(fetches: false))
        #expect(lease.ask(1, at: Self.at(1)) == .refuse(.milliseconds(39)))
        #expect(lease.ask(1, at: Self.at(39)) == .refuse(.milliseconds(1)))
        #expect(lease.ask(1, at: Self.at(40)) == .wait(fetches: true))
    }

    @Test("What is left of a piece is lost after a second")
    func life() {
        var lease = FleetLease(perSecond: 2000)
        _ = lease.ask(1, at: Self.at(0))
        lease.fetched(Self.granted(100), at: Self.at(0))
        #expect(lease.ask(1, at: Self.at(999)) == .admit(fetches: false))
        #expect(lease.ask(1, at: Self.at(1000)) == .wait(fetches: true))
    }
}
