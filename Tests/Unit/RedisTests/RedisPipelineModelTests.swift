import EventLoops
import Redis
import Testing

/// The model: a server that answers command `n` with `n`, and for each exchange the numbers that it must get.
@Suite("The pipeline against a model")
struct RedisPipelineModelTests {
    private struct Entry {
        let id: UInt64
        let numbers: [Int64]
        let deadline: UInt64
        var isAnswered = false
    }

    @Test(
        "C6: whatever is cancelled, late or lost, every caller is answered once and with its own replies",
        arguments: UInt64(1)...40)
    func model(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<5 { Self.run(&generator) }
    }

    private static func run(_ generator: inout SeededGenerator) {
        var state = RedisPipelineState<Int>(maximumPendingBytes: 4000, stallTimeout: .milliseconds(500))
        var entries: [Entry] = []
        var wire: [Int64] = []
        var unsent: [Int64] = []
        var nextNumber: Int64 = 0
        var now: UInt64 = 1
        func answer(_ index: Int) {
            #expect(!entries[index].isAnswered)
            entries[index].isAnswered = true
        }
        events: for _ in 0..<2000 {
            now += UInt64.random(in: 0...3, using: &generator)
            let instant = MonotonicInstant(milliseconds: now)
            switch Int.random(in: 0..<100, using: &generator) {
            case 0..<35:
                let count = Int.random(in: 1...4, using: &generator)
                guard state.admission(byteCount: count * 20) == .admit else { continue }
                let numbers = (0..<Int64(count)).map { nextNumber + $0 }
                nextNumber += Int64(count)
                let entry = Entry(
                    id: state.nextID, numbers: numbers, deadline: now + .random(in: 1...80, using: &generator))
                _ = state.enqueue(
                    entries.count, commandCount: count, byteCount: count * 20,
                    deadline: MonotonicInstant(milliseconds: entry.deadline), now: instant)
                entries.append(entry)
                unsent += numbers
            case 35..<50:
                state.flushed()
                wire += unsent
                unsent = []
            case 50..<85:
                guard !wire.isEmpty else { continue }
                if case .complete(let index, let replies) = state.received(.integer(wire.removeFirst()), now: instant) {
                    #expect(replies.map(\.number) == entries[index].numbers)
                    answer(index)
                }
            case 85..<93:
                guard let index = entries.indices.randomElement(using: &generator) else { continue }
                let waiter = state.cancelled(entries[index].id)
                #expect(waiter == (entries[index].isAnswered ? nil : index))
                if let waiter { answer(waiter) }
            default:
                switch state.woke(now: instant) {
                case .expire(let expired, _):
                    for index in expired { answer(index) }
                case .stalled(let expired):
                    for index in expired { answer(index) }
                    break events
                }
                let late = entries.contains { !$0.isAnswered && $0.deadline <= now }
                #expect(!late)
            }
        }
        let unsentNumbers = Set(unsent)
        for loss in state.lost() {
            #expect(loss.outcomeUnknown != unsentNumbers.contains(entries[loss.waiter].numbers[0]))
            answer(loss.waiter)
        }
        let unanswered = entries.count { !$0.isAnswered }
        #expect(unanswered == 0)
        #expect(entries.count > 100)
    }
}
