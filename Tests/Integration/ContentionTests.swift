import EventLoops
import Glibc
import Models
import Postgres
import ServiceKit
import StrideTestSupport
import Testing

@testable import Storage

/// Many writers at once on overlapping users, against the store itself: no deadlock, and the totals are the sum.
///
/// `STRIDE_CONTENTION_SECONDS` (20) is how long they write.
@Suite(.serialized) struct ContentionTests {
    @Test("P1: 20 writers with overlapping users and devices for 20 seconds: no deadlock, totals as recounted")
    func noDeadlock() async throws {
        let seconds = getenv("STRIDE_CONTENTION_SECONDS").flatMap { Int(String(cString: $0)) } ?? 20
        try await TestStores.run { stores in
            let before = try await deadlocks(stores)
            let faults = try await write(stores, writers: 20, for: .seconds(seconds)) { _ in .ascending }
            #expect(faults.isEmpty, "\(faults.prefix(3))")
            #expect(try await deadlocks(stores) == before)
            try await expectFold(stores, ofAtLeast: 200)
        }
    }

    @Test("P1: writers that take the locks in opposite orders do deadlock, so the order is what prevents it")
    func deadlockWithoutOrder() async throws {
        try await TestStores.run { stores in
            let before = try await deadlocks(stores)
            var states: [SQLState] = []
            for _ in 0..<10 where !states.contains(.deadlockDetected) {
                states += try await write(stores, writers: 8, for: .seconds(3)) {
                    $0.isMultiple(of: 2) ? .ascending : .descending
                }.compactMap(\.sqlState)
            }
            #expect(states.contains(.deadlockDetected))
            try await eventually("the server has counted it") { try await deadlocks(stores) > before }
            // Even so nothing is half written.
            try await expectFold(stores, ofAtLeast: 1)
        }
    }

    private static let users = (0..<24).map { UserID(UUIDValue(high: UInt64($0) << 56 | 0x8000, low: 1 << 63)) }

    /// Lets writers write batches of overlapping users; gives the errors they met.
    private func write(
        _ stores: TestStores, writers: Int, for duration: Duration,
        order: @escaping @Sendable (Int) -> WorkoutStore.LockOrder
    ) async throws -> [PostgresError] {
        let deadline = ContinuousClock.now + duration
        var patient = try PostgresConfiguration(url: stores.database.url, applicationName: "stride-contention")
        // Twenty writers on a busy machine wait long; only a deadlock is a fault here.
        patient.lockTimeout = .seconds(60)
        let configuration = patient
        let loops = [try EventLoop.start(name: "writers-0"), try EventLoop.start(name: "writers-1")]
        let faults = try await withThrowingTaskGroup(of: [PostgresError].self) { group in
            for writer in 0..<writers {
                let loop = loops[writer % loops.count]
                group.addTask {
                    try await loop.run {
                        var generator = SeededGenerator(seed: UInt64(writer + 1))
                        let store = WorkoutStore(
                            timeout: .seconds(60), clock: { _ in nil }, lockOrder: order(writer))
                        let connection = try await PostgresConnection.connect(
                            configuration, loop: loop, timeout: .seconds(30))
                        defer { connection.close() }
                        var faults: [PostgresError] = []
                        var written: [(user: UserID, id: Int64)] = []
                        while ContinuousClock.now < deadline {
                            do throws(PostgresError) {
                                try await Self.step(store, connection, &generator, &written)
                            } catch {
                                faults.append(error)
                                _ = try? await connection.query(.rollback, timeout: .seconds(10))
                            }
                        }
                        return faults
                    }
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        for loop in loops { await loop.stop() }
        return faults
    }

    /// One transaction: nine times out of ten a batch, else a deletion.
    private static func step(
        _ store: WorkoutStore, _ connection: PostgresConnection, _ generator: inout SeededGenerator,
        _ written: inout [(user: UserID, id: Int64)]
    ) async throws(PostgresError) {
        if Int.random(in: 0..<10, using: &generator) == 0, let last = written.popLast() {
            _ = try await store.delete(last.id, of: last.user, on: connection)
            return
        }
        let writes = (0..<Int.random(in: 1...12, using: &generator)).map { _ in write(&generator) }
        let result = try await store.write(writes, on: connection)
        for (write, outcome) in zip(writes, result.outcomes) {
            if case .created(let id) = outcome, written.count < 50 { written.append((write.user, id)) }
        }
    }

    /// A workout of some minutes on one of two days, by one of three devices or none; a few requestIds meet.
    private static func write(_ generator: inout SeededGenerator) -> WorkoutWrite {
        let device = ["phone", "watch", "band", nil].randomElement(using: &generator) ?? nil
        let day = Int64.random(in: 0...1, using: &generator)
        let start =
            Int64(instant("2025-06-10T00:00:00Z")) + day * 86_400_000
            + Int64.random(in: 0..<1000, using: &generator) * 60_000
        let (from, to) = (Timestamp(milliseconds: start), Timestamp(milliseconds: start + 3_600_000))
        let id = UUIDValue(high: generator.next(), low: UInt64.random(in: 0..<4, using: &generator))
        let submission = WorkoutSubmission(
            requestID: RequestID(id), requestIDText: "\(id)", start: from, end: to,
            steps: Int32.random(in: 0...5000, using: &generator),
            distance: Millimetres(Int64.random(in: 0...4_000_000, using: &generator)), deviceID: device)
        let user = users.randomElement(using: &generator) ?? users[0]
        let number = Int32(start / 86_400_000)
        return WorkoutWrite(
            user: user, submission: submission, zone: "UTC",
            segments: [DaySegment(day: Day(number: number), from: from, to: to)])
    }

    private func deadlocks(_ stores: TestStores) async throws -> Int {
        try await stores.database.number(
            "select deadlocks from pg_stat_database where datname = current_database()")
    }

    /// Compares every day with a naive recount of the rows, minute by minute.
    private func expectFold(_ stores: TestStores, ofAtLeast count: Int) async throws {
        let rows = try await stores.database.rows(
            "select user_id, start_ms, end_ms, steps, distance_mm, device_id from workouts where not is_deleted")
        #expect(rows.count >= count)
        let zero = instant("2025-06-10T00:00:00Z")
        let byUser = Dictionary(grouping: rows) { $0["user_id"].string ?? "" }
        for user in Self.users {
            let spans = (byUser["\(user)"] ?? []).map { row in
                NaiveRecount.Span(
                    from: ((row["start_ms"].int ?? 0) - zero) / 60_000, to: ((row["end_ms"].int ?? 0) - zero) / 60_000,
                    steps: row["steps"].int ?? 0, millimetres: row["distance_mm"].int ?? 0,
                    device: row["device_id"].string)
            }
            #expect(try await stores.database.days(of: user) == NaiveRecount.days(of: spans))
        }
    }
}
