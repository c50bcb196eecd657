import Glibc
import StrideTestSupport
import Testing

/// What an instance costs: time to start, memory of idle connections.
///
/// The figures are printed.
@Suite(.serialized) struct FootprintTests {
    @Test("From start to ready with a migrated database takes a fraction of a second")
    func start() async throws {
        try await TestStores.run { stores in
            let clock = ContinuousClock()
            var times: [Duration] = []
            for _ in 0..<5 {
                let begin = clock.now
                let ingest = try await ServiceProcess.start(stores)
                times.append(clock.now - begin)
                ingest.kill()
            }
            print("start to ready, best of \(times.count): \(times.min() ?? .zero), all: \(times)")
            // Meant to be below 0.3 s; the bound leaves room for a debug build beside other suites.
            #expect((times.min() ?? .zero) < .seconds(3))
        }
    }

    @Test("10 000 idle connections cost at most 10 KiB each, and the service still answers")
    func idleConnections() async throws {
        let count = try roomForConnections(10_000)
        try await TestStores.run { stores in
            let ingest = try await ServiceProcess.start(stores, settings: ["STRIDE_MAX_CONNECTIONS": "20000"])
            defer { ingest.kill() }
            let phone = try stores.phone("walker", ports: [ingest.port])
            let walk = workout(from: "2025-06-10T08:00:00Z", to: "2025-06-10T09:00:00Z", steps: 1)
            #expect(try await phone.post(walk).status == 201)
            // The allocator's arenas and the runtime's tables are there after the first hundred.
            var lines = try await openIdle(100, ingest.port, stores)
            let before = try #require(ingest.process?.residentKiB)
            lines += try await openIdle(count, ingest.port, stores)
            let after = try #require(ingest.process?.residentKiB)
            let each = Double(after - before) / Double(count)
            print("idle connections: \(count), resident \(before) KiB to \(after) KiB, \(each) KiB each")
            #expect(each <= 10)
            #expect(try await phone.post(walk).status == 200)
            for line in lines { #expect(try await line.isUsable()) }
            for line in lines { line.close() }
            #expect(try await phone.post(walk).status == 200)
        }
    }

    /// Connections that have had one answer and stay open.
    private func openIdle(_ count: Int, _ port: UInt16, _ stores: TestStores) async throws -> [HTTPLine] {
        var lines: [HTTPLine] = []
        while lines.count < count {
            let share = min(100, count - lines.count)
            lines += try await withThrowingTaskGroup(of: HTTPLine.self) { group in
                for _ in 0..<share {
                    group.addTask {
                        let line = try await HTTPLine.open(port, on: stores.loop)
                        #expect(try await line.exchange(HTTPCall("POST", "/v1/workouts")).status == 415)
                        return line
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
        }
        return lines
    }

    /// Raises the bound on descriptors, which a process started here inherits; fewer connections where that is refused.
    private func roomForConnections(_ count: Int) throws -> Int {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        let wanted = rlim_t(count + 2000)
        if limit.rlim_cur < wanted {
            limit.rlim_cur = min(wanted, limit.rlim_max)
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        }
        let room = min(count, Int(limit.rlim_cur) - 2000)
        try #require(room > 0, "no descriptors: raise ulimit -n")
        return room
    }
}
