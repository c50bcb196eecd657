import EventLoops
import Redis
import StrideTestSupport
import Synchronization
import Testing

/// Services with a Redis that answers, but not with what was asked for.
@Suite(.serialized) struct RedisAnswerTests {
    private static let answers = [
        "-LOADING Redis is loading the dataset in memory", "-OOM command not allowed when used memory > 'maxmemory'.",
        "-READONLY You can't write against a read only replica.", "-MISCONF Redis is configured to save RDB snapshots",
        "-NOSCRIPT No matching script.", "-NOAUTH Authentication required.", "-WRONGPASS invalid password",
        "-NOPERM this user has no permissions", "-BUSY Redis is busy running a script.",
        "-MOVED 1 127.0.0.1:1", "-ASK 1 127.0.0.1:1", "-CLUSTERDOWN The cluster is down", "-TRYAGAIN Multiple keys",
        "-CROSSSLOT Keys in request", "-MASTERDOWN Link with MASTER is down", "-NOREPLICAS Not enough good replicas",
        "-WRONGTYPE Operation against a key", "-ERR unknown", "-", "$-1", "*-1", ":-7", ":9223372036854775807",
        "+QUEUED", "$3\r\nabc", "*2\r\n:1\r\n:2", "*2\r\n$1\r\nx\r\n*0", "*0", "%1\r\n+a\r\n+b", "garbage", "*99999999",
        "$x",
    ]

    @Test("C7: whatever Redis answers, workouts are taken and what is read is right")
    func everyAnswer() async throws {
        let loop = try EventLoop.start(name: "answers")
        let server = try await loop.run { try SameAnswer(loop: loop) }
        let url = "redis://127.0.0.1:\(server.port)"
        try await TestStores.run { stores in
            let fleet = try await Fleet.start(stores, now: Promise.now, settings: ["STRIDE_REDIS_URL": url])
            defer { fleet.kill() }
            let anna = try fleet.person()
            #expect(try await anna.live(in: "UTC").status == 200)
            for (number, answer) in Self.answers.enumerated() {
                server.answer = answer
                let asked = server.asked
                let (hour, minute) = (number / 6, number % 6 * 10)
                let (from, to) = ("2026-12-02T0\(hour):\(minute == 0 ? "0" : "")\(minute):00Z", minute + 1)
                let workout = workout(
                    from: from, to: "2026-12-02T0\(hour):\(to < 10 ? "0" : "")\(to):00Z", steps: 10, zone: "UTC")
                #expect(try await anna.post(workout).status == 200, "\(answer)")
                #expect(try await anna.plan("PUT", "/v1/weekly_goal", ["steps": .int(100 + number)]).status == 200)
                let read = try await anna.get("/v1/progressSummary")
                #expect(read.status == 200, "\(answer)")
                #expect(read.json["currentDaySteps"].int == 10 * (number + 1), "\(answer)")
                #expect(read["X-Stride-Source"] == "database", "\(answer)")
                try await eventually("it was asked: \(answer)") { server.asked > asked }
            }
            // Nobody has crashed on the way, and nobody needs to be started again.
            for process in [fleet.ingest, fleet.plan, fleet.progress] { #expect(process.process?.ending == nil) }
        }
        try await loop.run { server.end() }
        await loop.stop()
    }

    @Test(
        "C7: Redis answers reads and refuses writes: what is read is right in 5 s, and the cache comes back by itself")
    func readsOnly() async throws {
        try await Fleet.run(ownRedis: true, now: Promise.now) { fleet in
            let redis = fleet.stores.redis
            let anna = try await Promise.warm(fleet)
            try await redis.expectOK("CONFIG", "SET", "min-replicas-to-write", "1")
            #expect(try await redis.send("SET", "x", "1").error?.kind == .noReplicas)
            #expect(try await anna.post(Promise.workout(at: "09", steps: 100)).status == 200)
            try await Task.sleep(for: .seconds(5))
            let answer = try await anna.get("/v1/progressSummary")
            #expect(answer["X-Stride-Source"] == "database")
            #expect(answer.json["currentDaySteps"] == 5100)
            try await redis.expectOK("CONFIG", "SET", "min-replicas-to-write", "0")
            try await eventually("the cache answers") {
                try await anna.get("/v1/progressSummary")["X-Stride-Source"] == "cache"
            }
            #expect(try await Promise.steps(of: anna) == 5100)
            try await Promise.expectKept(fleet)
        }
    }
}

/// A server that tells its name as Redis does, and gives one and the same answer to everything else.
///
/// Confined to its loop, but for the answer and the count.
private final class SameAnswer: @unchecked Sendable {
    private struct State {
        var answer = "+OK"
        var asked = 0
    }

    private let state = Mutex(State())
    private var listener: TCPListener?
    private var lines: [Line] = []
    private(set) var port: UInt16 = 0

    /// What everything is answered with, without the line end.
    var answer: String {
        get { state.withLock { $0.answer } }
        set { state.withLock { $0.answer = newValue } }
    }

    /// How often that was.
    var asked: Int { state.withLock { $0.asked } }

    init(loop: EventLoop) throws {
        guard let any = SocketAddress(ip: "127.0.0.1", port: 0) else { throw Late("no address") }
        let listener = try TCPListener(loop: loop, address: any) { [weak self] stream in
            guard let self, let line = Line(stream, self) else { return stream.close() }
            lines.append(line)
        }
        self.listener = listener
        port = listener.localAddress.port
    }

    func end() {
        listener?.close()
        for line in lines { line.close() }
    }

    fileprivate func reply(to command: [String]) -> String {
        switch command.first {
        case "CLIENT", "SCRIPT": return "+OK"
        case "INFO": return "$33\r\nrun_id:0123456789abcdef0123456789"
        default:
            return state.withLock { state in
                state.asked += 1
                return state.answer
            }
        }
    }

    private final class Line: ByteStreamDelegate {
        private let stream: TCPStream
        private let reader: RESPReader
        private unowned let server: SameAnswer

        init?(_ stream: TCPStream, _ server: SameAnswer) {
            guard let reader = try? RESPReader() else { return nil }
            (self.stream, self.server, self.reader) = (stream, server, reader)
            stream.delegate = self
            stream.resumeReading()
        }

        func close() { stream.close() }

        func streamReceived(_ bytes: Span<UInt8>) {
            try? reader.read(bytes) { value in
                let command = value.elements?.map { $0.text ?? "" } ?? []
                stream.write(Array((server.reply(to: command) + "\r\n").utf8))
            }
        }

        func streamReceivedEnd() { close() }
        func streamDrained() {}
        func streamClosed(_ error: StreamError?) {}
    }
}
