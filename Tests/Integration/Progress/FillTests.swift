import EventLoops
import Models
import StrideTestSupport
import Testing

@testable import ProgressService

/// Who shares a read, who waits and who is sent away.
@Suite struct FillTests {
    private let start = MonotonicInstant(milliseconds: 1000)

    private func user(_ number: UInt64) -> UserID { UserID(UUIDValue(high: 0, low: number)) }

    @Test("callers share a fill until its snapshot is taken; later ones look again")
    func sharing() {
        var state = FillState(limit: 1, queueLimit: 1, patience: .seconds(1))
        #expect(state.join(user(1), at: start) == .begin)
        #expect(state.join(user(1), at: start) == .share(isNew: false))
        state.snapshotBegins(of: user(1))
        #expect(state.join(user(1), at: start) == .lookAgain)
        #expect(state.ended(user(1)) == nil)
        #expect(state.running == 0)
        #expect(state.join(user(1), at: start) == .begin)
    }

    @Test("beyond the limit users wait in order, beyond the queue they are refused")
    func bounds() {
        var state = FillState(limit: 2, queueLimit: 2, patience: .seconds(1))
        #expect(state.join(user(1), at: start) == .begin)
        #expect(state.join(user(2), at: start) == .begin)
        #expect(state.join(user(3), at: start) == .share(isNew: true))
        #expect(state.join(user(4), at: start) == .share(isNew: true))
        #expect(state.join(user(5), at: start) == .refuseFull)
        // Whoever waits already can be joined, also when the queue is full.
        #expect(state.join(user(3), at: start) == .share(isNew: false))
        #expect(state.ended(user(2)) == user(3))
        #expect(state.running == 2)
        #expect(state.ended(user(1)) == user(4))
        #expect(state.ended(user(3)) == nil)
        #expect(state.ended(user(4)) == nil)
        #expect(state.running == 0)
    }

    @Test("who has waited too long is taken out, and may come again")
    func expiry() {
        var state = FillState(limit: 1, queueLimit: 5, patience: .milliseconds(1000))
        #expect(state.join(user(1), at: start) == .begin)
        #expect(state.nextExpiry == nil)
        #expect(state.join(user(2), at: start) == .share(isNew: true))
        let later = start.advanced(by: .milliseconds(50))
        #expect(state.join(user(3), at: later) == .share(isNew: true))
        #expect(state.nextExpiry == start.advanced(by: .milliseconds(1000)))
        #expect(state.expire(at: start.advanced(by: .milliseconds(999))) == [])
        #expect(state.expire(at: start.advanced(by: .milliseconds(1000))) == [user(2)])
        #expect(state.waiting == 1)
        // Half of the patience: whoever comes now would wait too long.
        #expect(state.join(user(4), at: start.advanced(by: .milliseconds(550))) == .refuseFull)
        #expect(state.join(user(2), at: later) == .share(isNew: true))
        #expect(state.ended(user(1)) == user(3))
    }

    @Test("after the close nobody is taken in, and who was queued is known")
    func closing() {
        var state = FillState(limit: 1, queueLimit: 5, patience: .seconds(1))
        #expect(state.join(user(1), at: start) == .begin)
        #expect(state.join(user(2), at: start) == .share(isNew: true))
        #expect(state.close() == [user(2)])
        #expect(state.join(user(1), at: start) == .refuseClosed)
        #expect(state.ended(user(1)) == nil)
    }
}
