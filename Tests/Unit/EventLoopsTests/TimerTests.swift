import EventLoops
import Synchronization
import Testing

@Suite struct TimerTests {
    @Test("A timer fires once, a cancelled one never, a re-scheduled one at its last time")
    func fires() async throws {
        let loop = try EventLoop.start(name: "test")
        let fired = try await loop.run {
            let log = Mutex<[String]>([])
            return try await withTimers(loop, log)
        }
        #expect(fired == ["short", "moved"])
        await loop.stop()
    }

    @Test("Who sleeps when the loop ends wakes up, and nobody sleeps on a loop that has ended")
    func endedLoop() async throws {
        let loop = try EventLoop.start(name: "test")
        let sleeper = Task(executorPreference: loop) { try await loop.sleep(for: .seconds(3600)) }
        // It sleeps by then: jobs of a loop run in order.
        try await loop.run { try await loop.sleep(for: .milliseconds(20)) }
        await loop.stop()
        try await sleeper.value
        try await loop.sleep(for: .seconds(3600))
    }

    private func withTimers(_ loop: EventLoop, _ log: borrowing Mutex<[String]>) async throws -> [String] {
        let box = Box()
        let short = LoopTimer(loop: loop) { box.lines.append("short") }
        let cancelled = LoopTimer(loop: loop) { box.lines.append("cancelled") }
        let moved = LoopTimer(loop: loop) { box.lines.append("moved") }
        short.schedule(after: .milliseconds(5))
        cancelled.schedule(after: .milliseconds(6))
        moved.schedule(after: .milliseconds(1))
        moved.schedule(after: .milliseconds(20))
        cancelled.cancel()
        try await loop.sleep(for: .milliseconds(60))
        for timer in [short, cancelled, moved] {
            timer.close()
            timer.close()
        }
        return box.lines
    }

    @Test(
        "A duration becomes whole milliseconds, rounded up",
        arguments: [
            (.nanoseconds(1), 1), (.milliseconds(3), 3), (.microseconds(3001), 4), (.zero, 0),
            (.seconds(-2), -2000), (.seconds(Int64.max), .max), (.seconds(Int64.min), -.max),
            (.microseconds(-1500), -1), (.seconds(302_231), 302_231_000), (.seconds(302_232), 302_232_000),
            (.milliseconds(5) + Duration(secondsComponent: 0, attosecondsComponent: 1), 6),
        ] as [(Duration, Int64)])
    func wholeMilliseconds(duration: Duration, expected: Int64) { #expect(duration.wholeMilliseconds == expected) }

    @Test("An instant moves forward and back without leaving its range")
    func instants() {
        let start = MonotonicInstant(milliseconds: 1000)
        #expect(start.advanced(by: .seconds(2)).milliseconds == 3000)
        #expect(start.advanced(by: .seconds(-2)).milliseconds == 0)
        #expect(start.duration(to: start.advanced(by: .milliseconds(7))) == .milliseconds(7))
        #expect(start.advanced(by: .milliseconds(7)).duration(to: start) == .milliseconds(-7))
        #expect(MonotonicInstant(milliseconds: .max).advanced(by: .seconds(1)).milliseconds == .max)
    }
}

/// Confined to the loop of its test.
private final class Box: @unchecked Sendable { var lines: [String] = [] }
