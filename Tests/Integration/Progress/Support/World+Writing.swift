import EventLoops
import Models
import Postgres
import Redis
import ServiceKit
import StrideTestSupport
import Testing

@testable import Storage

/// Request ids in a fixed, scattered order.
struct SeededIDs {
    private var state: UInt64 = 1

    mutating func next() -> RequestID {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return RequestID(UUIDValue(high: state ^ state >> 29, low: state &* 0x9E37_79B9_7F4A_7C15))
    }
}

extension World {
    /// The cache as a writer of this moment sees it.
    func cache() async throws -> HomeCache {
        let generation = try #require(try await CacheGeneration.name(redis: redis, postgres: connection))
        return HomeCache(redis: redis) { generation }
    }

    /// Makes a workout; `at` is a time of UTC such as `2026-12-02T08:00:00Z`.
    func workout(
        _ name: String, at text: String, minutes: Int64 = 1, steps: Int32, millimetres: Int64 = 0,
        zone: String = "UTC", status: WorkoutStatus = .complete, device: String? = nil, id: RequestID? = nil
    ) throws -> WorkoutWrite {
        let start = try #require(instant(text), "\(text) is no instant")
        let end = Timestamp(milliseconds: start.milliseconds + minutes * 60_000)
        let id = id ?? ids.next()
        let clock = try #require(zones.clock(of: zone))
        return WorkoutWrite(
            user: try user(name),
            submission: WorkoutSubmission(
                requestID: id, requestIDText: id.description, start: start, end: end, steps: steps,
                distance: Millimetres(millimetres), timeZone: zone, status: status, deviceID: device),
            zone: zone, segments: DayCut.segments(from: start, to: end, clock: clock))
    }

    /// Writes as ingest does, cache and all; without `shown` as one that dies between COMMIT and the cache.
    @discardableResult
    func write(_ writes: [WorkoutWrite], shown: Bool = true) async throws -> [WriteOutcome] {
        let result = try await store.write(writes, on: connection)
        if shown { try await show(result.days, result.mark) }
        return result.outcomes
    }

    /// Deletes as ingest does.
    func delete(_ workoutID: Int64, of name: String) async throws {
        let (outcome, days, mark) = try await store.delete(workoutID, of: try user(name), on: connection)
        #expect(outcome == .deleted)
        try await show(days, mark)
    }

    private func show(_ days: [DayTotalsRow], _ mark: CacheMark?) async throws {
        try await cache().show(days)
        if let mark { _ = try await connection.query(CacheMarkStatements.delete([mark]), timeout: .seconds(20)) }
    }

    /// Sets the profile as plan does.
    func set(profile: Profile, of name: String) async throws {
        let revision = try await change(
            name, "time_zone, week_start, profile_revision",
            [.text(profile.timeZone), .int4(Int32(profile.weekStart.rawValue))],
            types: ["text", "int"])
        try await show(name, HomeField(profile: Revised(revision: revision, value: profile)))
    }

    /// Sets or deletes the recurring goal as plan does.
    func set(goal: WeeklyGoal?, of name: String) async throws {
        let revision = try await change(
            name, "goal_steps, goal_distance_mm, goal_revision", [.int8(goal?.steps), .int8(goal?.distance?.count)],
            types: ["bigint", "bigint"])
        try await show(name, HomeField(goal: Revised(revision: revision, value: goal)))
    }

    /// Replaces or deletes the plan as plan does.
    func set(plan: WorkoutPlan?, of name: String) async throws {
        if let plan {
            let statement = PostgresStatement(
                "", "insert into plans (user_id, plan_id, request_id, content) values ($1, $2, $3, $4)",
                [
                    .uuid(try user(name).postgres), .uuid(plan.planID.postgres), .uuid(plan.requestID.postgres),
                    .text(String(decoding: plan.storedForm(), as: UTF8.self)),
                ])
            _ = try await connection.query(statement, timeout: .seconds(20))
        }
        let revision = try await change(
            name, "plan_id, plan_revision", [.uuid(plan?.planID.postgres)], types: ["uuid"])
        try await show(name, HomeField(plan: Revised(revision: revision, value: plan)))
    }

    private func show(_ name: String, _ field: HomeField) async throws {
        try await cache().show([(user: try user(name), fields: [field])])
    }

    /// Sets columns of `settings`, the last of which is a revision, under the lock of the user.
    private func change(
        _ name: String, _ columns: String, _ values: [PostgresValue], types: [String]
    ) async throws -> Int64 {
        let user = try user(name).postgres
        let lock = PostgresStatement(
            "",
            """
            insert into users as u (user_id, revision, has_several_devices) values ($1, 1, false)
            on conflict (user_id) do update set revision = u.revision + 1 returning revision
            """, [.uuid(user)])
        let locked = try await connection.exchange([.begin, lock], timeout: .seconds(20))
        let revision = try locked[1].int64(0, 0)
        let places = (types + ["bigint"]).enumerated().map { "$\($0.offset + 2)::\($0.element)" }
        let set = columns.split(separator: ", ").map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
        let write = PostgresStatement(
            "",
            """
            insert into settings (user_id, \(columns)) values ($1, \(places.joined(separator: ", ")))
            on conflict (user_id) do update set \(set)
            """, [.uuid(user)] + values + [.int8(revision)])
        _ = try await connection.exchange([write, .commit], timeout: .seconds(20))
        return revision
    }

    /// Runs statements one after the other.
    func sql(_ statements: String...) async throws {
        for sql in statements { _ = try await connection.query(.simple(sql), timeout: .seconds(60)) }
    }
}

/// `2026-12-02T08:00:00Z`, with milliseconds or without.
func instant(_ text: String) -> Timestamp? {
    guard text.utf8.count >= 20, let day = Day(parsing: String(text.prefix(10))) else { return nil }
    let clock = text.dropFirst(11).dropLast().split(whereSeparator: { $0 == ":" || $0 == "." }).compactMap { Int64($0) }
    guard clock.count >= 3 else { return nil }
    let seconds = (clock[0] * 60 + clock[1]) * 60 + clock[2]
    return Timestamp(
        milliseconds: Int64(day.number) * Day.milliseconds + seconds * 1000 + (clock.count > 3 ? clock[3] : 0))
}

/// A plan with these weekly steps.
func plan(
    _ name: String, start: String, steps: [Int64], number: UInt64 = 1, distance: Millimetres? = nil
) throws -> WorkoutPlan {
    WorkoutPlan(
        planID: UUIDValue(high: 0x0000_0000_0000_4000, low: 0x8000_0000_0000_0000 + number),
        requestID: RequestID(UUIDValue(high: 0x0000_0000_0000_4000, low: 0x9000_0000_0000_0000 + number)), name: name,
        startDate: try #require(Day(parsing: start)), weeks: steps.map { WeeklyGoal(steps: $0, distance: distance) },
        createdAt: Timestamp(milliseconds: 1_795_000_000_000))
}
