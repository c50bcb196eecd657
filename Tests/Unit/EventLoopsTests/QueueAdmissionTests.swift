import StrideTestSupport
import Testing

@testable import EventLoops

/// Who is let into a queue, and when those who are not should come back.
struct QueueAdmissionTests {
    private static func at(_ milliseconds: UInt64) -> MonotonicInstant { MonotonicInstant(milliseconds: milliseconds) }

    @Test("With a prospect of 100 ms the oldest may have waited so long when someone comes, half of it for a backlog")
    func threshold() {
        let admission = QueueAdmission(patience: .milliseconds(800), prospect: .milliseconds(100), width: 10)
        func admits(_ urgency: QueueAdmission.Urgency, _ oldest: UInt64) -> Bool {
            admission.admits(urgency, waiting: 1, oldest: Self.at(oldest), at: Self.at(5000))
        }
        #expect(admits(.live, 4901) && !admits(.live, 4900))
        #expect(admits(.backfill, 4951) && !admits(.backfill, 4950))
        #expect(admits(.upkeep, 1))
        #expect(admission.expiry(of: Self.at(1000)) == Self.at(1800))
    }

    @Test("When ten at once take 40 ms, 14 may wait before someone who comes, 2 before a backlog; nobody waits: let in")
    func foretold() {
        var admission = QueueAdmission(patience: .milliseconds(800), prospect: .milliseconds(100), width: 10)
        for _ in 0..<100 { admission.served(in: .milliseconds(40)) }
        func admits(_ urgency: QueueAdmission.Urgency, _ waiting: Int) -> Bool {
            admission.admits(urgency, waiting: waiting, oldest: Self.at(5000), at: Self.at(5000))
        }
        // 40 ms for those under way and 4 ms for each that waits.
        #expect(admits(.live, 14) && !admits(.live, 16))
        #expect(admits(.backfill, 2) && !admits(.backfill, 3))
        // One that was late by far makes 80 ms of 40, and 8 ms of 4.
        admission.served(in: .seconds(9))
        #expect(admits(.live, 2) && !admits(.live, 3))
        for _ in 0..<100 { admission.served(in: .seconds(9)) }
        #expect(!admits(.live, 1) && admits(.live, 0))
        #expect(admission.admits(.backfill, waiting: 0, oldest: nil, at: Self.at(5000)))
    }

    @Test("Who is refused stands in a line that moves at half the pace of the queue: 4 ms each when 50 take 100 ms")
    func line() {
        var admission = QueueAdmission(patience: .seconds(2), width: 50)
        for _ in 0..<200 { admission.served(in: .milliseconds(100)) }
        let waits = (0..<200).map { _ in admission.comeBack(1, oldest: Self.at(1000), at: Self.at(1000)) }
        #expect(waits[0] == .milliseconds(100))
        // The pace nears 4 ms from below, so that places may be a millisecond early.
        #expect(waits[99] >= .milliseconds(399) && waits[99] <= .milliseconds(400))
        #expect(waits[199] >= .milliseconds(799) && waits[199] <= .milliseconds(800))
        // 400 ms later half of the line has come, and ten want to come at once.
        let late = admission.comeBack(10, oldest: Self.at(1400), at: Self.at(1400))
        #expect(late >= .milliseconds(439) && late <= .milliseconds(440))
    }

    @Test("Places of less than a millisecond add up: 2000 at a fifth of a millisecond each fill 400 ms")
    func smallPlaces() {
        var admission = QueueAdmission(patience: .seconds(2), width: 1000)
        for _ in 0..<200 { admission.served(in: .milliseconds(100)) }
        for _ in 0..<1999 { _ = admission.comeBack(1, oldest: nil, at: Self.at(1)) }
        let last = admission.comeBack(1, oldest: nil, at: Self.at(1))
        #expect(last >= .milliseconds(399) && last <= .milliseconds(400))
    }

    @Test("While nothing moves, the wait is as long as the oldest has waited, and never more than 30 s")
    func stall() {
        var admission = QueueAdmission(patience: .seconds(2), width: 1)
        admission.served(in: .milliseconds(4))
        #expect(admission.comeBack(1, oldest: Self.at(0), at: Self.at(1500)) == .milliseconds(1500))
        #expect(admission.comeBack(1, oldest: Self.at(0), at: Self.at(90_000)) == .seconds(30))
        #expect(admission.comeBack(10_000_000, oldest: nil, at: Self.at(90_000)) == .seconds(30))
        #expect(admission.comeBack(1, oldest: nil, at: Self.at(90_000)) == .seconds(30))
    }

    @Test(
        "B1, B7 in a model: after 5 times the capacity newcomers are served as before it, and everyone gets in",
        arguments: [1, 2, 3] as [UInt64])
    func spike(_ seed: UInt64) {
        var model = SpikeModel(seed: seed)
        model.run()
        // 50 000 in the spike and then 500 a second for 150 s.
        #expect(model.served == 125_000)
        #expect(model.slackInSpike == 0)
        // Half of the 1000 a second are newcomers. From the first second on, fewer than one in a hundred is refused.
        #expect(model.newcomersRefusedAfter < 750, "\(model.newcomersRefusedAfter)")
        // The first of all find a queue whose pace nobody knows yet.
        let late = model.waits.filter { $0 > 300 }.count
        #expect(late < 500 && model.waits.max() ?? 0 <= 600, "\(late)")
    }
}

/// 5000 clients a second for ten seconds, then 500; a server that takes up to 50 within 50 ms; who is refused comes back as told.
private struct SpikeModel {
    private var admission = QueueAdmission(
        patience: .seconds(2), prospect: .milliseconds(250), width: 50, longestReturn: .seconds(600))
    private var generator: SeededGenerator
    private var queue: [UInt64] = []
    private var returns: [UInt64: Int] = [:]
    private(set) var served = 0
    /// How long each has waited, in milliseconds.
    private(set) var waits: [UInt64] = []
    /// Batches that were not full while more was offered than could be served.
    private(set) var slackInSpike = 0
    /// Those who came for the first time, a second after the spike or later, and were refused.
    private(set) var newcomersRefusedAfter = 0

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    mutating func run() {
        var now: UInt64 = 0
        while now < 160_000 || !queue.isEmpty || !returns.isEmpty, now < 600_000 {
            for _ in 0..<(returns.removeValue(forKey: now) ?? 0) { _ = arrive(at: now) }
            let newcomers = now < 10_000 ? 5 : now < 160_000 && now.isMultiple(of: 2) ? 1 : 0
            for _ in 0..<newcomers where !arrive(at: now) && now >= 11_000 { newcomersRefusedAfter += 1 }
            if now % 50 == 49 { serve(at: now) }
            now += 1
        }
    }

    /// Whether it was let in.
    private mutating func arrive(at now: UInt64) -> Bool {
        let instant = MonotonicInstant(milliseconds: now)
        let oldest = queue.first.map { MonotonicInstant(milliseconds: $0) }
        guard !admission.admits(.live, waiting: queue.count, oldest: oldest, at: instant) else {
            queue.append(now)
            return true
        }
        let wait = UInt64(admission.comeBack(1, oldest: oldest, at: instant).wholeMilliseconds)
        // As the answers spread it.
        returns[now + wait + UInt64.random(in: 1...max(500, wait / 2), using: &generator), default: 0] += 1
        return false
    }

    private mutating func serve(at now: UInt64) {
        let batch = queue.prefix(50)
        if batch.count < 50, now > 1000, now < 10_000 { slackInSpike += 1 }
        waits += batch.map { now - $0 }
        queue.removeFirst(batch.count)
        served += batch.count
        if !batch.isEmpty { admission.served(in: .milliseconds(50)) }
    }
}
