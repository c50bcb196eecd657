import EventLoops
import Models
import Postgres
import StrideTestSupport
import Testing

@testable import Storage

/// What a second device learns, and that it misses nothing.
@Suite(.serialized)
struct ChangesTests {
    @Test("a transaction that commits late is not missed by a device that synced while it was open")
    func lateCommit() async throws {
        try await World.run { world in
            var device = Device()
            try await world.write([world.workout("anna", at: "2026-12-02T08:00:00Z", steps: 1)])
            try await device.sync(world)
            let late = try world.workout("anna", at: "2026-12-02T09:00:00Z", steps: 2)
            let slow = try await World.connect(world.database, world.loop)
            defer { slow.close() }
            let opening: [PostgresStatement] = [
                .begin, WorkoutStatements.lockUsers(WorkoutBatch([late]).users, in: .ascending),
                WorkoutStatements.insert([late]),
            ]
            _ = try await slow.exchange(opening, timeout: .seconds(20))
            // Another writer of the same user waits behind it.
            let next = try world.workout("anna", at: "2026-12-02T10:00:00Z", steps: 3)
            let other = try await World.connect(world.database, world.loop)
            defer { other.close() }
            let store = world.store
            let waiting = Task(executorPreference: world.loop) { try await store.write([next], on: other) }
            try await world.eventually("the other writer waits for the lock") {
                let sql =
                    "select count(*) from pg_locks where not granted and pid in (select pid from pg_stat_activity where datname = current_database())"
                return try await world.connection.query(.simple(sql), timeout: .seconds(20)).int64(0, 0) == 1
            }
            try await device.sync(world)
            #expect(device.workouts.count == 1)
            _ = try await slow.query(.commit, timeout: .seconds(20))
            try await device.sync(world)
            #expect(device.workouts.keys.contains(late.submission.requestIDText))
            _ = try await waiting.value
            try await device.sync(world)
            #expect(device.workouts.count == 3)
        }
    }

    @Test("a deleted workout comes with its two names and nothing else")
    func tombstone() async throws {
        try await World.run { world in
            let write = try world.workout("anna", at: "2026-12-02T08:00:00Z", steps: 1)
            let number = try #require(try await world.write([write]).first?.workoutID)
            let cursor = try #require(try await world.get("/v1/changes", as: "anna").member("nextCursor"))
            try await world.delete(number, of: "anna")
            let answer = try await world.get("/v1/changes?cursor=\(cursor)", as: "anna")
            #expect(
                answer.text.hasPrefix(
                    #"{"workouts":[{"workout_id":\#(number),"requestId":"\#(write.submission.requestIDText)","deleted":true}],"nextCursor":"#
                ))
            // A new device hears of it as well; it may have the workout from elsewhere.
            #expect(try await world.get("/v1/changes", as: "anna").text.contains("\"deleted\":true"))
        }
    }

    @Test("many workouts of one revision come page by page, and rows from before revisions come too")
    func pages() async throws {
        try await World.run { world in
            let old = try world.workout("anna", at: "2026-12-01T08:00:00Z", steps: 1)
            try await world.write([old])
            try await world.sql("update workouts set revision = 0")
            let batch = try (0..<25).map { _ in try world.workout("anna", at: "2026-12-02T08:00:00Z", steps: 1) }
            try await world.write(batch)
            try await world.set(profile: Profile(timeZone: "Asia/Tokyo"), of: "anna")
            var device = Device(limit: 10)
            try await device.sync(world)
            #expect(device.pages == 3)
            #expect(Set(device.workouts.keys) == Set((batch + [old]).map(\.submission.requestIDText)))
            #expect(device.profile?.contains("Asia/Tokyo") == true)
            #expect(device.mentions["profile"] == 1)
        }
    }

    @Test("a cursor at the end is served with nothing; one of a lost history is 410")
    func lostHistory() async throws {
        try await World.run { world in
            for _ in 0..<3 { try await world.write([world.workout("anna", at: "2026-12-02T08:00:00Z", steps: 1)]) }
            let cursor = try #require(try await world.get("/v1/changes", as: "anna").member("nextCursor"))
            let end = try await world.get("/v1/changes?cursor=\(cursor)", as: "anna")
            #expect(end.text == #"{"workouts":[],"nextCursor":"\#(cursor)","more":false}"#)
            try await world.sql("update users set revision = 2", "delete from workouts where revision > 2")
            let lost = try await world.get("/v1/changes?cursor=\(cursor)", as: "anna")
            #expect(lost.status == 410)
            #expect(lost.code == "CURSOR_EXPIRED")
            #expect(try await world.get("/v1/changes", as: "anna").ids.count == 2)
        }
    }

    @Test("two devices that sync after every step, or every few, end with equal copies of what the server has")
    func twoDevices() async throws {
        try await World.run { world in
            var random = SeededRandom(seed: 2026)
            var (first, second) = (Device(limit: 3), Device(limit: 1000))
            var open: [WorkoutWrite] = []
            var numbers: [Int64] = []
            for step in 0..<300 {
                let minute = String(step % 60 + 100).suffix(2)
                switch Int.random(in: 0..<10, using: &random) {
                case 0..<4:
                    let write = try world.workout(
                        "anna", at: "2026-12-01T0\(step % 9):\(minute):00Z", steps: Int32(step), status: .inProgress)
                    numbers += try await world.write([write]).compactMap(\.workoutID)
                    open.append(write)
                case 4..<6:
                    guard let write = open.randomElement(using: &random) else { continue }
                    let content = write.submission
                    let grown = WorkoutSubmission(
                        requestID: content.requestID, requestIDText: content.requestIDText, start: content.start,
                        end: Timestamp(milliseconds: content.end.milliseconds + Int64(step)),
                        steps: content.steps + Int32(step), distance: .zero, timeZone: "UTC", status: .inProgress)
                    let clock = ZoneOffsets(fixed: 0)
                    try await world.write([
                        WorkoutWrite(
                            user: write.user, submission: grown, zone: "UTC",
                            segments: DayCut.segments(from: grown.start, to: grown.end, clock: clock))
                    ])
                case 6:
                    if let number = numbers.randomElement(using: &random) { try await world.delete(number, of: "anna") }
                case 7:
                    let start = [WeekStart.monday, .sunday, .saturday][step % 3]
                    try await world.set(profile: Profile(timeZone: "Asia/Tokyo", weekStart: start), of: "anna")
                case 8: try await world.set(goal: step % 2 == 0 ? nil : WeeklyGoal(steps: Int64(step)), of: "anna")
                default:
                    let new = try plan("plan \(step)", start: "2026-12-01", steps: [1], number: UInt64(step))
                    try await world.set(plan: step % 4 == 0 ? nil : new, of: "anna")
                }
                try await first.sync(world)
                if step % 7 == 0 { try await second.sync(world) }
            }
            try await second.sync(world)
            #expect(first.copy == second.copy)
            let listed = try await PagingTests.all(world, from: "/v1/workouts?limit=1000")
            #expect(Set(listed) == Set(first.workouts.keys))
            #expect(listed.count > 30)
            let fresh = try await { () async throws -> Device in
                var device = Device(limit: 17)
                try await device.sync(world)
                return device
            }()
            #expect(fresh.copy == first.copy)
        }
    }
}

/// A device that keeps its own copy of everything, and knows only what the changes tell it.
struct Device {
    var limit = 200
    private(set) var workouts: [String: String] = [:]
    private(set) var profile: String?
    private(set) var goal: String?
    private(set) var plan: String?
    private(set) var pages = 0
    private(set) var mentions: [String: Int] = [:]
    private var cursor: String?

    init(limit: Int = 200) { self.limit = limit }

    /// Everything it has, in one text.
    var copy: [String] {
        workouts.sorted { $0.key < $1.key }.map(\.value) + [profile ?? "", goal ?? "", plan ?? ""]
    }

    /// Follows the changes to their end.
    mutating func sync(_ world: World) async throws {
        var hasMore = true
        while hasMore {
            let answer = try await world.get(
                "/v1/changes?limit=\(limit)" + (cursor.map { "&cursor=\($0)" } ?? ""), as: "anna")
            try #require(answer.status == 200, "\(answer.text)")
            guard case .object(let members) = try JSONValue.parse(Array(answer.text.utf8)) else { return }
            for member in members { try take(member.name, member.value, from: answer) }
            pages += 1
            hasMore = answer.text.hasSuffix("\"more\":true}")
            try #require(pages < 10_000)
        }
    }

    private mutating func take(_ name: String, _ value: JSONValue, from answer: Answer) throws {
        mentions[name, default: 0] += 1
        switch (name, value) {
        case ("workouts", .array(let items)):
            #expect(items.count <= limit)
            for (id, text) in zip(answer.ids, answer.text.split(separator: "{\"workout_id\":").dropFirst()) {
                let text = String(text.prefix { $0 != "}" })
                workouts[id] = text.contains("\"deleted\":true") ? nil : text
            }
        case ("nextCursor", .string(let text)): cursor = text
        case ("profile", _): profile = "\(value)"
        case ("weekly_goal", _): goal = value == .null ? nil : "\(value)"
        case ("plan", _): plan = value == .null ? nil : "\(value)"
        default: break
        }
    }
}

/// SplitMix64: the same numbers for the same seed.
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64
    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }
}
