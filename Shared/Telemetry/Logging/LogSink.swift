internal import Glibc
internal import Synchronization

/// Where the lines of one process go: a bounded queue and a thread that writes it to a descriptor.
///
/// Whoever logs formats the line and leaves; a slow reader fills the queue and a broken one loses lines, and both are counted,
/// but neither slows or stops the service. `main` calls `ProcessSignals.ignoreBrokenPipe()` first, or a broken pipe kills
/// the process in the middle of `write`.
package final class LogSink: Sendable {
    /// The sink's limits.
    package struct Limits: Sendable {
        /// Bytes that may wait for the writer; as many again may be on their way out.
        package var queueBytes = 4 << 20
        /// Lines of one message in one second; the others are counted, and the count is written.
        package var linesPerMessageAndSecond = 50

        /// The defaults.
        package init() {}
    }

    /// The lowest level that is written.
    package let minimumLevel: LogLevel
    private let service: String
    private let now: @Sendable () -> Int64
    private let queue: LogQueue
    private let limiter: Mutex<LogLimiter>
    private let dropped: Counter?
    private let suppressed: Counter?

    /// Starts the writing thread.
    ///
    /// - Parameters:
    ///   - descriptor: normally standard output; it is duplicated. If it is closed, all lines are dropped and counted.
    ///   - service: the name that every line carries.
    ///   - metrics: gets `stride_log_lines_dropped_total` and `stride_log_lines_suppressed_total`.
    ///   - now: the wall clock in milliseconds since 1970-01-01T00:00:00Z.
    /// - Throws: `MetricError` when the registry refuses the counters.
    package init(
        descriptor: Int32, service: String, minimumLevel: LogLevel, metrics: MetricRegistry,
        limits: Limits = Limits(), now: @escaping @Sendable () -> Int64 = LogSink.wallClock
    ) throws(MetricError) {
        self.service = service
        self.minimumLevel = minimumLevel
        self.now = now
        queue = LogQueue(capacity: limits.queueBytes)
        limiter = Mutex(LogLimiter(perSecond: limits.linesPerMessageAndSecond))
        dropped = try metrics.counter(
            "stride_log_lines_dropped_total", help: "Log lines lost to a full queue or a failed write.")
        suppressed = try metrics.counter(
            "stride_log_lines_suppressed_total", help: "Log lines left out because their message came too often.")
        startWriter(descriptor)
    }

    /// A sink that takes nothing, for tests and tools.
    private init(discarding service: String) {
        self.service = service
        minimumLevel = .error
        now = Self.wallClock
        queue = LogQueue(capacity: 0)
        limiter = Mutex(LogLimiter(perSecond: 0))
        dropped = nil
        suppressed = nil
        queue.close()
        queue.finish()
    }

    /// A sink that takes nothing, for tests and tools.
    package static let discarding = LogSink(discarding: "none")

    /// The system's wall clock in milliseconds since 1970-01-01T00:00:00Z.
    package static let wallClock: @Sendable () -> Int64 = {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    /// Waits until all lines so far are written; false when that takes longer.
    ///
    /// Blocks the calling thread.
    package func flush(within limit: Duration) -> Bool { queue.waitUntilWritten(within: limit) }

    /// Takes no more lines, writes what is there and ends the thread; false when that takes longer, and the rest is lost.
    ///
    /// Blocks the calling thread, so it is the last thing `main` does.
    package func shutdown(within limit: Duration) -> Bool {
        let left = limiter.withLock { $0.takeAll() }
        write(leftOver: left)
        queue.close()
        return queue.waitUntilFinished(within: limit)
    }

    func write(
        _ level: LogLevel, _ message: String, _ fields: () -> LogFields, requestID: String?, traceID: String?
    ) {
        let time = now()
        let decision = limiter.withLock { $0.decide(message, second: time / 1000) }
        guard case .write(let count) = decision else {
            suppressed?.increment()
            return
        }
        var line = LogLine(milliseconds: time, level: level, message: message, service: service)
        if let requestID { line.append(key: "request_id", .string(requestID)) }
        if let traceID { line.append(key: "trace_id", .string(traceID)) }
        if count > 0 { line.append(key: "suppressed", .unsigned(count)) }
        line.append(fields())
        enqueue(&line)
    }

    private func enqueue(_ line: inout LogLine) {
        line.finish()
        if !queue.append(line.bytes) { dropped?.increment() }
    }

    private func write(leftOver: [(message: String, suppressed: UInt64)]) {
        for (message, count) in leftOver {
            var line = LogLine(milliseconds: now(), level: .warning, message: message, service: service)
            line.append(key: "suppressed", .unsigned(count))
            enqueue(&line)
        }
    }

    /// The thread keeps the sink alive until `shutdown`.
    private func startWriter(_ descriptor: Int32) {
        let output = LogOutput(duplicating: descriptor)
        let isStarted = DetachedThread.start {
            var lastSecond: Int64 = .min
            while true {
                switch self.queue.next(within: .seconds(1)) {
                case .write(let run): self.dropped?.increment(by: output.write(run))
                case .idle: break
                case .end: return self.queue.finish()
                }
                let second = self.now() / 1000
                guard second != lastSecond else { continue }
                lastSecond = second
                self.write(leftOver: self.limiter.withLock { $0.takeLeftOver(second: second) })
            }
        }
        if !isStarted {
            queue.close()
            queue.finish()
        }
    }
}
