import Glibc
import Telemetry
import Testing

@Suite("The log's way out", .timeLimit(.minutes(1)))
struct LogSinkTests {
    @Test(
        "O4: a reader that does not read never holds up those who log; what does not fit is counted, the rest arrives whole"
    )
    func unreadPipe() throws {
        let capture = LogCapture()
        var limits = LogSink.Limits()
        limits.queueBytes = 200_000
        limits.linesPerMessageAndSecond = .max
        let sink = try capture.sink(limits: limits)
        let log = Logger(sink)
        let time = ContinuousClock().measure {
            for number in 0..<20_000 { log.info("m", ["number": .number(number)]) }
        }
        #expect(time < .seconds(20))
        #expect(!sink.flush(within: .milliseconds(20)))
        #expect(!sink.shutdown(within: .milliseconds(20)))
        let lines = capture.closeAndRead()
        let dropped = try #require(capture.dropped)
        #expect(dropped > 10_000)
        #expect(lines.count + dropped == 20_000)
        #expect(lines.allSatisfy { $0.hasPrefix("{\"ts\":") && $0.hasSuffix("}") })
        #expect(sink.shutdown(within: .seconds(20)))
    }

    @Test("O4: a closed pipe loses lines, counts them and stops nothing")
    func brokenPipe() throws {
        let capture = LogCapture()
        let sink = try capture.sink()
        close(capture.readEnd)
        for _ in 0..<10 {
            Logger(sink).info("m")
            #expect(sink.flush(within: .seconds(20)))
        }
        #expect(capture.dropped == 10)
        #expect(sink.shutdown(within: .seconds(20)))
        close(capture.writeEnd)
    }

    @Test("O4: a standard output that was never open loses lines, counts them and stops nothing")
    func closedDescriptor() throws {
        let metrics = MetricRegistry()
        let sink = try LogSink(descriptor: -1, service: "ingest", minimumLevel: .info, metrics: metrics)
        for _ in 0..<10 { Logger(sink).info("m") }
        #expect(sink.shutdown(within: .seconds(20)))
        #expect(MetricPageTests.page(metrics).contains("stride_log_lines_dropped_total 10\n"))
    }

    @Test("a pipe in non-blocking mode gets every line, however slowly it is read")
    func nonBlockingPipe() throws {
        let capture = LogCapture()
        _ = fcntl(capture.writeEnd, F_SETFL, O_NONBLOCK)
        var limits = LogSink.Limits()
        limits.linesPerMessageAndSecond = .max
        let sink = try capture.sink(limits: limits)
        for number in 0..<5000 { Logger(sink).info("m", ["number": .number(number)]) }
        #expect(!sink.flush(within: .milliseconds(20)))
        let reader = capture.readInBackground()
        #expect(sink.shutdown(within: .seconds(20)))
        let lines = reader()
        #expect(lines.count == 5000)
        for (number, line) in lines.enumerated() { #expect(line.hasSuffix("\"number\":\(number)}")) }
        #expect(capture.dropped == 0)
    }

    @Test("the sink keeps its own descriptor: a number closed and used again gets no log lines")
    func reusedNumber() throws {
        let capture = LogCapture()
        let sink = try capture.sink()
        let copy = dup(capture.writeEnd)
        let other = LogCapture()
        dup2(other.writeEnd, capture.writeEnd)
        Logger(sink).info("m")
        #expect(sink.shutdown(within: .seconds(20)))
        close(copy)
        #expect(capture.closeAndRead().count == 1)
        #expect(other.closeAndRead().isEmpty)
    }

    @Test("after the shutdown lines are counted as lost")
    func afterShutdown() throws {
        let capture = LogCapture()
        let sink = try capture.sink()
        Logger(sink).info("before")
        #expect(sink.shutdown(within: .seconds(20)))
        Logger(sink).info("after")
        #expect(capture.dropped == 1)
        #expect(capture.closeAndRead().count == 1)
    }

    @Test("lines from many threads stay whole")
    func manyThreads() async throws {
        let capture = LogCapture()
        var limits = LogSink.Limits()
        limits.linesPerMessageAndSecond = .max
        let sink = try capture.sink(limits: limits)
        let reader = capture.readInBackground()
        await withTaskGroup(of: Void.self) { group in
            for thread in 0..<4 {
                group.addTask {
                    for number in 0..<500 { Logger(sink).info("m", ["at": .string("\(thread)-\(number)")]) }
                }
            }
        }
        #expect(sink.shutdown(within: .seconds(20)))
        let lines = reader()
        #expect(Set(lines).count == 2000)
        #expect(lines.allSatisfy { $0.hasPrefix("{\"ts\":") && $0.hasSuffix("\"}") })
    }

    @Test("the process is set to survive a broken pipe")
    func brokenPipeSignal() {
        ProcessSignals.ignoreBrokenPipe()
        #expect(raise(SIGPIPE) == 0)
    }

    @Test("a logger that discards writes nothing and never waits")
    func discarding() {
        Logger.discarding.error("m")
        #expect(LogSink.discarding.flush(within: .zero))
        #expect(LogSink.discarding.shutdown(within: .zero))
    }
}
