import Glibc
import StrideTestSupport
import Testing

/// Clients that come, send something good or malformed, and go in every way, against a real process.
///
/// `STRIDE_CHURN_CYCLES` (5 000) is how many; descriptors, threads and memory are what they were.
@Suite(.serialized) struct ChurnTests {
    @Test("H8: thousands of good and malformed clients leave descriptors, threads and memory where they were")
    func leavesNothing() async throws {
        let cycles = getenv("STRIDE_CHURN_CYCLES").flatMap { Int(String(cString: $0)) } ?? 5000
        try await TestStores.run { stores in
            let ingest = try await ServiceProcess.start(stores)
            defer { ingest.kill() }
            let churn = try Churn(stores: stores, port: ingest.port)
            // Arenas, pools and tables have their size after the first thousand.
            try await churn.run(1000)
            let before = try await settled(ingest)
            let answered = try await churn.run(cycles)
            let id = ingest.process?.id ?? 0
            try await eventually("descriptors are given back", within: .seconds(60)) {
                Self.count("/proc/\(id)/fd") <= before.descriptors
            }
            let after = try await settled(ingest)
            print("churn: \(cycles) connections, \(before) before, \(after) behind")
            #expect(answered == cycles)
            // Threads of a pool may go when they have nothing to do.
            #expect(after.threads <= before.threads)
            #expect(after.descriptors <= before.descriptors)
            // 1 KiB kept of each of 100 000 would be 100 MB.
            #expect(before.memory > 0 && after.memory - before.memory < 8192)
            #expect(ingest.process?.ending == nil)
            #expect(try await churn.phone.post(churn.walk).status == 200)
        }
    }

    private struct Footprint {
        var descriptors: Int
        var threads: Int
        var memory: Int
    }

    /// Waits until two looks a second apart see equally many descriptors: what is open between them is kept.
    private func settled(_ process: ServiceProcess) async throws -> Footprint {
        let id = process.process?.id ?? 0
        var last = -1
        try await eventually("descriptors rest", within: .seconds(60), every: .seconds(1)) {
            let now = Self.count("/proc/\(id)/fd")
            defer { last = now }
            return now == last
        }
        return Footprint(
            descriptors: last, threads: Self.count("/proc/\(id)/task"), memory: process.process?.residentKiB ?? 0)
    }

    private static func count(_ path: String) -> Int {
        guard let folder = opendir(path) else { return 0 }
        defer { closedir(folder) }
        var count = 0
        while readdir(folder) != nil { count += 1 }
        return count
    }
}

/// The clients of one run.
private struct Churn: Sendable {
    let stores: TestStores
    let port: UInt16
    let phone: Phone
    let walk = workout(from: "2025-06-10T08:00:00Z", to: "2025-06-10T09:00:00Z", steps: 1)

    init(stores: TestStores, port: UInt16) throws {
        self.stores = stores
        self.port = port
        phone = try stores.phone("walker", ports: [port])
    }

    /// Lets so many come, sixteen at a time; returns how many had the answer that they should have.
    @discardableResult
    func run(_ count: Int) async throws -> Int {
        try await withThrowingTaskGroup(of: Int.self) { group in
            for lane in 0..<16 {
                group.addTask {
                    var right = 0
                    for number in stride(from: lane, to: count, by: 16) {
                        if try await come(number) { right += 1 }
                    }
                    return right
                }
            }
            return try await group.reduce(0, +)
        }
    }

    /// One client; whether it had the answer that it should have, or wanted none.
    private func come(_ number: Int) async throws -> Bool {
        let line = try await HTTPLine.open(port, on: stores.loop)
        defer { (number / 10).isMultiple(of: 2) ? line.close() : line.reset() }
        let head = "POST /v1/workouts HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
        switch number % 10 {
        case 0:
            let call = phone.call("POST", "/v1/workouts", body: Array(walk.text.utf8))
            return [200, 201].contains(try await line.exchange(call).status)
        case 1: return try await line.exchange(HTTPCall("GET", "/nowhere")).status == 404
        case 2:
            return try await refuses(line, head + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n")
        case 3: return try await refuses(line, head + "Transfer-Encoding: chunked\r\n\r\n5 \r\nhello\r\n0\r\n\r\n")
        case 4: return try await refuses(line, "\u{16}\u{3}\u{1}\u{2}\0\u{1}")
        case 5: return try await refuses(line, "GET / HTTP/1.1\nHost: a\n\n")
        case 6: return try await refuses(line, "GET / HTTP/1.1\r\nX: \(String(repeating: "x", count: 20_000))", 431)
        // Gone in the middle of a head, of a body, and before an answer.
        case 7: try await line.send("GET /v1/workouts HT")
        case 8: try await line.send(head + "Content-Length: 50000\r\n\r\n{\"a\":")
        default: try await line.send(String(repeating: "GET /nowhere HTTP/1.1\r\nHost: a\r\n\r\n", count: 20))
        }
        return true
    }

    private func refuses(_ line: HTTPLine, _ bytes: String, _ status: Int = 400) async throws -> Bool {
        try await line.send(bytes)
        let answer = try await line.answer()
        return answer.status == status && answer.isLast
    }
}
