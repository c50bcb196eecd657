import Glibc
import Synchronization

@testable import Telemetry

/// A pipe whose write end is given to a sink, with a clock that the test sets.
final class LogCapture: Sendable {
    let readEnd: Int32
    let writeEnd: Int32
    let metrics = MetricRegistry()
    let time = Atomic<Int64>(1_764_460_800_042)

    init() {
        ProcessSignals.ignoreBrokenPipe()
        var ends: [Int32] = [-1, -1]
        _ = pipe(&ends)
        // A server that another test starts must not hold the write end, or the end never comes.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (readEnd, writeEnd) = (ends[0], ends[1])
    }

    func sink(_ level: LogLevel = .debug, limits: LogSink.Limits = LogSink.Limits()) throws -> LogSink {
        try LogSink(
            descriptor: writeEnd, service: "ingest", minimumLevel: level, metrics: metrics, limits: limits,
            now: { self.time.load(ordering: .relaxed) })
    }

    /// Everything that was written, once all writers have closed their end.
    func closeAndRead() -> [String] {
        close(writeEnd)
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(readEnd, &buffer, buffer.count)
            guard count > 0 else { break }
            bytes.append(contentsOf: buffer[..<count])
        }
        close(readEnd)
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
            .dropLast().map(String.init)
    }

    /// Reads on a thread of its own; what it returns waits for the end and gives the lines.
    func readInBackground() -> () -> [String] {
        let result = Result()
        _ = DetachedThread.start { result.lines.withLock { $0 = self.closeAndRead() } }
        return {
            while true {
                if let lines = result.lines.withLock({ $0 }) { return lines }
                usleep(1000)
            }
        }
    }

    private final class Result: Sendable {
        let lines = Mutex<[String]?>(nil)
    }

    func counted(_ metric: String) -> Int? {
        let page = String(decoding: metrics.render(), as: UTF8.self)
        return page.split(separator: "\n").first { $0.hasPrefix(metric + " ") }.flatMap {
            Int($0.dropFirst(metric.count + 1))
        }
    }

    var dropped: Int? { counted("stride_log_lines_dropped_total") }
    var suppressed: Int? { counted("stride_log_lines_suppressed_total") }
}
