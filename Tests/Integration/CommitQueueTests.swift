import EventLoops
import StrideTestSupport
import Testing

@testable import IngestService

/// The queue of a lane as a machine: by events, on a manual clock.
@Suite struct CommitQueueTests {
    private typealias Queue = CommitQueueState<Int>

    private static func queue(batch: Int = 10, limit: Int = 20, buckets: Int = 1) -> CommitQueueState<Int> {
        CommitQueueState(batchSize: batch, limit: limit, patience: .milliseconds(100), buckets: buckets)
    }

    private static func at(_ milliseconds: UInt64) -> MonotonicInstant {
        MonotonicInstant(milliseconds: 1000 + milliseconds)
    }

    @Test("The first to come asks for a batch at the end of the turn; nobody else does until the queue is idle again")
    func gathers() {
        var queue = Self.queue()
        #expect(queue.isQuiet)
        #expect(queue.offer(1, size: 1, bucket: 0, at: Self.at(0)) == .wait(isFirst: true))
        #expect(queue.offer(2, size: 3, bucket: 0, at: Self.at(0)) == .wait(isFirst: false))
        #expect(queue.size == 4 && !queue.isQuiet)
        #expect(queue.next() == [1, 2])
        // Busy: what comes now waits for the end of the transaction, not of the turn.
        #expect(queue.size == 0 && !queue.isQuiet)
        #expect(queue.offer(3, size: 1, bucket: 0, at: Self.at(1)) == .wait(isFirst: false))
        #expect(queue.next() == [3])
        #expect(queue.next() == nil)
        #expect(queue.isQuiet)
        #expect(queue.offer(4, size: 1, bucket: 0, at: Self.at(2)) == .wait(isFirst: true))
    }

    @Test("Gathering pays behind a batch with company, while few wait; a lone call and a crowd go on at once")
    func isWorthGathering() {
        var queue = Self.queue(batch: 100, limit: 1000)
        _ = queue.offer(1, size: 1, bucket: 0, at: Self.at(0))
        #expect(queue.next() == [1])
        #expect(!queue.isWorthGathering)
        for ticket in 2...3 { _ = queue.offer(ticket, size: 1, bucket: 0, at: Self.at(1)) }
        #expect(queue.next() == [2, 3])
        #expect(queue.isWorthGathering)
        _ = queue.offer(4, size: 31, bucket: 0, at: Self.at(2))
        #expect(queue.isWorthGathering)
        _ = queue.offer(5, size: 1, bucket: 0, at: Self.at(2))
        #expect(!queue.isWorthGathering)
        #expect(queue.next() == [4, 5])
        queue.drain()
        #expect(!queue.isWorthGathering)
    }

    @Test("A batch takes whole calls in order up to its size, and one larger call alone")
    func batchSize() {
        var queue = Self.queue(batch: 10, limit: 100)
        for (ticket, size) in [(1, 4), (2, 6), (3, 1), (4, 25), (5, 10), (6, 9), (7, 1)] {
            _ = queue.offer(ticket, size: size, bucket: 0, at: Self.at(0))
        }
        var batches: [[Int]] = []
        while let batch = queue.next() { batches.append(batch) }
        #expect(batches == [[1, 2], [3], [4], [5], [6, 7]])
    }

    @Test("A full queue refuses at once; a call larger than the limit is let in when nobody waits")
    func limit() {
        var queue = Self.queue(limit: 20)
        #expect(queue.offer(1, size: 500, bucket: 0, at: Self.at(0)) == .wait(isFirst: true))
        #expect(queue.offer(2, size: 1, bucket: 0, at: Self.at(0)) == .refuseFull)
        #expect(queue.next() == [1])
        #expect(queue.offer(3, size: 20, bucket: 0, at: Self.at(0)) == .wait(isFirst: false))
        #expect(queue.offer(4, size: 1, bucket: 0, at: Self.at(0)) == .refuseFull)
        #expect(queue.size == 20)
        #expect(queue.next() == [3])
        #expect(queue.offer(5, size: 1, bucket: 0, at: Self.at(0)) == .wait(isFirst: false))
    }

    @Test("A batch holds one bucket only; the bucket in which somebody has waited longest is next")
    func buckets() {
        var queue = Self.queue(limit: 100, buckets: 3)
        for (ticket, bucket, time) in [(1, 2, 0), (2, 0, 1), (3, 2, 2), (4, 1, 3), (5, 0, 4)] as [(Int, Int, UInt64)] {
            _ = queue.offer(ticket, size: 1, bucket: bucket, at: Self.at(time))
        }
        #expect(queue.next() == [1, 3])
        _ = queue.offer(6, size: 1, bucket: 2, at: Self.at(5))
        #expect(queue.next() == [2, 5])
        #expect(queue.next() == [4])
        #expect(queue.next() == [6])
        #expect(queue.next() == nil)
    }

    @Test("Whoever has waited for the whole patience is taken out, the others are not")
    func expiry() {
        var queue = Self.queue(limit: 100, buckets: 2)
        #expect(queue.nextExpiry == nil)
        _ = queue.offer(1, size: 2, bucket: 0, at: Self.at(0))
        _ = queue.offer(2, size: 3, bucket: 1, at: Self.at(10))
        _ = queue.offer(3, size: 4, bucket: 0, at: Self.at(20))
        #expect(queue.nextExpiry == Self.at(100))
        #expect(queue.expire(at: Self.at(99)) == [])
        #expect(queue.expire(at: Self.at(110)) == [1, 2])
        #expect(queue.size == 4 && queue.nextExpiry == Self.at(120))
        #expect(queue.next() == [3])
        #expect(queue.nextExpiry == nil)
    }

    @Test("Once the oldest has waited for an eighth of the patience nobody is let in; a backlog earlier")
    func admission() {
        var queue = Self.queue(batch: 1)
        #expect(queue.admits(.live, after: .zero, at: Self.at(0)))
        _ = queue.offer(1, size: 1, bucket: 0, at: Self.at(0))
        _ = queue.offer(2, size: 1, bucket: 0, at: Self.at(10))
        #expect(queue.admits(.live, after: .zero, at: Self.at(12)))
        #expect(!queue.admits(.backfill, after: .zero, at: Self.at(7)))
        #expect(!queue.admits(.live, after: .zero, at: Self.at(13)))
        #expect(queue.next() == [1])
        #expect(queue.admits(.live, after: .zero, at: Self.at(22)))
        #expect(!queue.admits(.live, after: .zero, at: Self.at(23)))
        // A call that has waited to be read counts as one that waits.
        #expect(queue.next() == [2])
        #expect(queue.admits(.live, after: .milliseconds(12), at: Self.at(23)))
        #expect(!queue.admits(.live, after: .milliseconds(13), at: Self.at(23)))
    }

    @Test("When everyone who waited has expired the turn's end finds nobody, and the next caller gathers anew")
    func expiredBeforeTheTurnEnds() {
        var queue = Self.queue()
        #expect(queue.offer(1, size: 1, bucket: 0, at: Self.at(0)) == .wait(isFirst: true))
        #expect(queue.expire(at: Self.at(200)) == [1])
        #expect(queue.next() == nil)
        #expect(queue.isQuiet)
        #expect(queue.offer(2, size: 1, bucket: 0, at: Self.at(200)) == .wait(isFirst: true))
    }

    @Test("A draining queue takes nobody in and still gives out what waits")
    func drain() {
        var queue = Self.queue()
        _ = queue.offer(1, size: 1, bucket: 0, at: Self.at(0))
        queue.drain()
        #expect(queue.offer(2, size: 1, bucket: 0, at: Self.at(0)) == .refuseDraining)
        #expect(queue.next() == [1])
        #expect(queue.next() == nil)
        #expect(queue.isQuiet)
        #expect(queue.offer(3, size: 1, bucket: 0, at: Self.at(0)) == .refuseDraining)
    }

    @Test("Any course of events: nobody lost, nobody twice, order kept, bounds kept", arguments: 1...60)
    func model(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let (batchSize, limit, bucketCount) = (7, 30, Int.random(in: 1...4, using: &generator))
        var queue = CommitQueueState<Int>(
            batchSize: batchSize, limit: limit, patience: .milliseconds(50), buckets: bucketCount)
        var waiting: [(ticket: Int, size: Int, bucket: Int, time: UInt64)] = []
        var isActive = false  // a batch was asked for or is under way
        var time: UInt64 = 0
        for ticket in 0..<400 {
            time += UInt64.random(in: 0...9, using: &generator)
            switch Int.random(in: 0..<10, using: &generator) {
            case 0..<6:
                let size = Int.random(in: 1...12, using: &generator)
                let bucket = Int.random(in: 0..<bucketCount, using: &generator)
                let sum = waiting.reduce(0) { $0 + $1.size }
                let action = queue.offer(ticket, size: size, bucket: bucket, at: Self.at(time))
                guard sum == 0 || sum + size <= limit else {
                    #expect(action == .refuseFull)
                    continue
                }
                #expect(action == .wait(isFirst: !isActive))
                isActive = true
                waiting.append((ticket, size, bucket, time))
            case 6..<9:
                guard isActive else { continue }
                guard let batch = queue.next() else {
                    #expect(waiting.isEmpty)
                    isActive = false
                    continue
                }
                let taken = waiting.filter { batch.contains($0.ticket) }
                #expect(taken.map(\.ticket) == batch)
                #expect(Set(taken.map(\.bucket)).count == 1)
                #expect(batch.count == 1 || taken.reduce(0) { $0 + $1.size } <= batchSize)
                // The longest waiting of all is in it, and of its bucket nobody is passed over.
                #expect(taken.first?.time == waiting.map(\.time).min())
                let bucket = taken.first?.bucket
                #expect(waiting.filter { $0.bucket == bucket }.prefix(batch.count).map(\.ticket) == batch)
                waiting.removeAll { batch.contains($0.ticket) }
            default:
                let expired = queue.expire(at: Self.at(time))
                let late = waiting.filter { $0.time + 50 <= time }
                #expect(Set(expired) == Set(late.map(\.ticket)) && expired.count == late.count)
                waiting.removeAll { expired.contains($0.ticket) }
            }
            #expect(queue.size == waiting.reduce(0) { $0 + $1.size })
            #expect(queue.nextExpiry == waiting.map { Self.at($0.time + 50) }.min())
        }
    }
}
