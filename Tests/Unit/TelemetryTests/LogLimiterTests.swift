import Synchronization
import Testing

@testable import Telemetry

@Suite("The rate of one message")
struct LogLimiterTests {
    @Test("lets the first lines of each second through and then says how many it held back")
    func windows() {
        var limiter = LogLimiter(perSecond: 2)
        #expect(limiter.decide("a", second: 7) == .write(suppressed: 0))
        #expect(limiter.decide("a", second: 7) == .write(suppressed: 0))
        for _ in 0..<5 { #expect(limiter.decide("a", second: 7) == .suppress) }
        #expect(limiter.decide("b", second: 7) == .write(suppressed: 0))
        #expect(limiter.decide("a", second: 8) == .write(suppressed: 5))
        #expect(limiter.decide("a", second: 8) == .write(suppressed: 0))
        #expect(limiter.decide("a", second: 8) == .suppress)
        #expect(limiter.decide("a", second: 6) == .write(suppressed: 1), "a clock that goes back opens a new second")
    }

    @Test("gives out what was held back of a message that does not come again, once")
    func leftOver() {
        var limiter = LogLimiter(perSecond: 1)
        for _ in 0..<4 { _ = limiter.decide("a", second: 1) }
        #expect(limiter.takeLeftOver(second: 1).isEmpty)
        #expect(limiter.takeLeftOver(second: 2).map(\.suppressed) == [3])
        #expect(limiter.takeLeftOver(second: 3).isEmpty)
        #expect(limiter.decide("a", second: 3) == .write(suppressed: 0))
        _ = limiter.decide("a", second: 3)
        #expect(limiter.takeAll().map(\.message) == ["a"])
    }

    @Test("keeps a bounded table; a message beyond it is written")
    func bounded() {
        var limiter = LogLimiter(perSecond: 1)
        for number in 0..<LogLimiter.mostMessages { _ = limiter.decide("m\(number)", second: 1) }
        for _ in 0..<3 { #expect(limiter.decide("beyond", second: 1) == .write(suppressed: 0)) }
        #expect(limiter.decide("m0", second: 1) == .suppress)
    }

    @Test("shows in the log and in the metrics")
    func inTheLog() throws {
        let capture = LogCapture()
        var limits = LogSink.Limits()
        limits.linesPerMessageAndSecond = 3
        let sink = try capture.sink(limits: limits)
        for _ in 0..<10 { Logger(sink).warning("store unavailable") }
        capture.time.wrappingAdd(1000, ordering: .relaxed)
        for _ in 0..<5 { Logger(sink).warning("store unavailable", ["store": "redis"]) }
        #expect(sink.shutdown(within: .seconds(20)))
        let lines = capture.closeAndRead()
        #expect(lines.count == 7)
        #expect(capture.suppressed == 9)
        let counts = lines.compactMap { line in
            line.firstRange(of: "\"suppressed\":").map { line[$0.upperBound...].prefix { $0.isNumber } }
        }
        #expect(counts.compactMap { Int($0) }.reduce(0, +) == 9)
    }
}

@Suite("RFC 3339 instants")
struct RFC3339Tests {
    @Test(
        "are written in UTC with milliseconds",
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (951_868_799_999, "2000-02-29T23:59:59.999Z"), (951_868_800_000, "2000-03-01T00:00:00.000Z"),
            (1_764_460_800_042, "2025-11-30T00:00:00.042Z"), (4_107_542_399_999, "2100-02-28T23:59:59.999Z"),
            (4_107_542_400_000, "2100-03-01T00:00:00.000Z"), (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
            (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"), (1_704_067_199_000, "2023-12-31T23:59:59.000Z"),
            (1_735_603_200_000, "2024-12-31T00:00:00.000Z"),
        ] as [(Int64, String)])
    func texts(milliseconds: Int64, text: String) {
        #expect(RFC3339.text(milliseconds: milliseconds) == text)
    }
}
