import EventLoops
import Glibc
import StrideTestSupport

/// Sends each call at its time, over connections that are opened before and reopened when they end.
///
/// Confined to its loop, hence `@unchecked Sendable`.
final class Load: @unchecked Sendable {
    private let plan: LoadPlan
    private let loop: EventLoop
    private var generator = SeededGenerator(seed: UInt64.random(in: 0 ... .max))
    private var idle: [LoadConnection] = []
    private var busy: [ObjectIdentifier: LoadConnection] = [:]
    private var waiting: [LoadCall] = []
    private var head = 0
    /// Who comes back, by the millisecond in which they do.
    private var returns: [UInt64: [LoadCall]] = [:]
    private var lastReturn: UInt64 = 0
    private var report = LoadReport()
    private var start: UInt64 = 0
    private var made = 0
    private var timer: LoopTimer?
    private var finished: CheckedContinuation<Void, Never>?
    /// How long answers are waited for at the end, in nanoseconds.
    private static let patience: UInt64 = 5_000_000_000

    init(_ plan: LoadPlan, loop: EventLoop) {
        self.plan = plan
        self.loop = loop
    }

    private static var now: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    func connect() async throws {
        for place in 0..<plan.connections { try await open(place) }
    }

    private func open(_ place: Int) async throws {
        guard let address = SocketAddress(ip: "127.0.0.1", port: plan.ports[place % plan.ports.count]) else { return }
        let connection = LoadConnection(try await TCPStream.connect(to: address, loop: loop, timeout: .seconds(5)))
        connection.onAnswer = { [weak self] in self?.answered($0, $1, $2, $3) }
        connection.onEnd = { [weak self] in self?.ended($0, $1, place) }
        idle.append(connection)
    }

    /// Sends for as long as planned, then waits for what is still under way.
    func run() async -> LoadReport {
        start = Self.now
        lastReturn = start / 1_000_000
        timer = LoopTimer(loop: loop) { [weak self] in self?.tick() }
        await withCheckedContinuation { continuation in
            finished = continuation
            tick()
        }
        timer?.close()
        for connection in idle + Array(busy.values) { connection.close() }
        report.duration = plan.seconds + plan.secondsAfter
        return report
    }

    private func tick() {
        let now = Self.now
        let elapsed = now - start
        let end = UInt64((plan.seconds + plan.secondsAfter) * 1e9)
        let due = plan.due(after: Double(elapsed) / 1e9)
        while made < due {
            made += 1
            let moment = start + UInt64(plan.moment(of: made) * 1e9)
            waiting.append(LoadCall(bytes: plan.call(&generator), due: moment, isRepeat: false))
        }
        comeBack(now)
        flush()
        if elapsed >= end, isQuiet || elapsed >= end + Self.patience {
            report.offered = made
            report.unanswered += waiting.count - head + busy.count
            report.outstanding = returns.values.reduce(0) { $0 + $1.count }
            finished?.resume()
            finished = nil
            return
        }
        timer?.schedule(after: .milliseconds(1))
    }

    private var isQuiet: Bool { head == waiting.count && busy.isEmpty }

    private func comeBack(_ now: UInt64) {
        while lastReturn < now / 1_000_000 {
            lastReturn += 1
            if let calls = returns.removeValue(forKey: lastReturn) { waiting += calls }
        }
    }

    private func flush() {
        while head < waiting.count, let connection = idle.popLast() {
            busy[ObjectIdentifier(connection)] = connection
            connection.send(waiting[head])
            head += 1
        }
        if head > 4096 {
            waiting.removeFirst(head)
            head = 0
        }
    }

    private func answered(_ connection: LoadConnection, _ call: LoadCall, _ status: Int, _ wait: Int?) {
        let now = Self.now
        let kind: LoadReport.Kind = status < 300 ? .accepted : status == 429 || status == 503 ? .refused : .failed
        report.add(
            kind, isRepeat: call.isRepeat, microseconds: (now - call.due) / 1000,
            second: Int((now - start) / 1_000_000_000))
        if kind == .refused, plan.retries, let wait {
            report.repeats += 1
            // The millisecond after the wait has ended.
            let due = (now / 1_000_000 + UInt64(max(0, wait)) + 1)
            returns[due, default: []].append(LoadCall(bytes: call.bytes, due: due * 1_000_000, isRepeat: true))
        }
        busy[ObjectIdentifier(connection)] = nil
        idle.append(connection)
        if head < waiting.count { flush() }
    }

    private func ended(_ connection: LoadConnection, _ call: LoadCall?, _ place: Int) {
        busy[ObjectIdentifier(connection)] = nil
        idle.removeAll { $0 === connection }
        if call != nil { report.unanswered += 1 }
        loop.submit { try? await self.open(place) }
    }
}
