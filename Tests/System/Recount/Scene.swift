import Foundation
import StrideTestSupport

/// One user's story, drawn at random: what is sent, and what is to be there in the end.
struct Scene: Sendable {
    /// A goal of a week, in steps and millimetres.
    struct Goal: Sendable {
        var steps: Int?
        var millimetres: Int?
    }

    /// A plan; days are counted from 1970-01-01.
    struct Plan: Sendable {
        var name: String
        var start: Int
        var weeks: [Goal]
    }

    static let zones = [
        "UTC", "Europe/Paris", "America/Santiago", "Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Kiritimati",
        "Pacific/Pago_Pago", "Pacific/Chatham", "America/New_York", "Pacific/Apia", "America/St_Johns",
    ]
    static let weekStarts = ["monday", "sunday", "saturday"]

    private(set) var zone = "UTC"
    private(set) var weekStart = "monday"
    private(set) var plan: Plan?
    private(set) var goal: Goal?
    private(set) var workouts: [String: Recount.Workout] = [:]
    private var ids: [String: Int] = [:]
    private var random: SeededGenerator
    /// The moment of the progress that this user asks, in minutes.
    private let now: Int
    private let anchors: [Int]
    private let person: Person

    init(person: Person, now: Int, seed: UInt64) {
        self.person = person
        self.now = now
        random = SeededGenerator(seed: seed)
        var generator = random
        // Two moments around which the workouts lie, so that they overlap and touch midnights.
        anchors = (0..<2).map { _ in
            now - ([0, 720, 1440, 7200, 30_000, 57_000].randomElement(using: &generator) ?? 0)
        }
        for _ in 0..<8 { _ = random.next() }
    }

    private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    private mutating func pick<Value>(_ values: [Value]) -> Value {
        values[Int.random(in: 0..<values.count, using: &random)]
    }

    /// Sends everything.
    mutating func play() async throws {
        if chance(70) { try await moveHouse() }
        try await post(Int.random(in: 1...8, using: &random))
        if chance(30) { try await moveHouse() }
        if chance(70) { try await post(Int.random(in: 1...4, using: &random)) }
        if chance(30) { try await postOne() }
        for _ in 0..<Int.random(in: 0...2, using: &random) { try await delete() }
        if chance(60) { try await makePlan() }
        if chance(50) { try await setGoal() }
    }

    private mutating func moveHouse() async throws {
        zone = pick(Self.zones)
        weekStart = pick(Self.weekStarts)
        try expect(await person.live(in: zone, weekStart: weekStart), 200)
    }

    private mutating func draw() -> Recount.Workout {
        let from = pick(anchors) + Int.random(in: -900...600, using: &random)
        let digits = String(random.next(), radix: 16) + String(random.next(), radix: 16)
        let hex = Array((String(repeating: "0", count: 32) + digits).suffix(32))
        let sentZone = chance(50) ? nil : pick(Self.zones)
        let parts = [hex[0..<8], hex[8..<12], hex[12..<16], hex[16..<20], hex[20..<32]]
        return Recount.Workout(
            id: parts.map { String($0) }.joined(separator: "-"), from: from, to: from + pick(Recount.lengths),
            steps: Int.random(in: 0...20_000, using: &random),
            millimetres: Int.random(in: 0...9_999_999, using: &random), zone: sentZone ?? zone, sentZone: sentZone,
            isInProgress: chance(25), isManual: chance(20), device: pick(["phone", "watch", "band", nil]))
    }

    /// A batch of new workouts, with repeats, growths and closes of earlier ones among them.
    private mutating func post(_ count: Int) async throws {
        var sent: [Recount.Workout] = []
        for _ in 0..<count {
            let former = workouts.keys.sorted().randomElement(using: &random).flatMap { workouts[$0] }
            if let former, chance(25), !sent.contains(where: { $0.id == former.id }) {
                sent.append(former.isInProgress ? grown(former) : former)
            } else {
                sent.append(draw())
            }
        }
        let answer = try await person.phone.postBatch(sent.map(body))
        try expect(answer, 200)
        for (workout, result) in zip(sent, answer.json["results"].elements) {
            guard let id = result["workout_id"].int else { throw Late("rejected: \(answer)") }
            keep(workout, id)
        }
    }

    private mutating func postOne() async throws {
        let workout = draw()
        let answer = try await person.phone.post(body(workout))
        try expect(answer, 201)
        keep(workout, answer.json["workout_id"].int ?? 0)
    }

    /// The same workout later: longer by one of the lengths that are allowed, or closed; or a late, smaller one.
    private mutating func grown(_ former: Recount.Workout) -> Recount.Workout {
        var workout = former
        let longer = Recount.lengths.filter { $0 > former.to - former.from }
        if chance(20), former.steps > 0 {
            workout.steps -= 1
        } else if let length = longer.first {
            workout.to = former.from + length
            workout.steps += 10
        }
        if workout.steps >= former.steps { workout.isInProgress = chance(50) }
        return workout
    }

    private mutating func keep(_ workout: Recount.Workout, _ id: Int) {
        ids[workout.id] = id
        if let former = workouts[workout.id] {
            // A smaller one that comes late changes nothing.
            guard (workout.to, workout.steps) >= (former.to, former.steps) else { return }
        }
        workouts[workout.id] = workout
    }

    private mutating func delete() async throws {
        guard let workout = workouts.keys.sorted().randomElement(using: &random).flatMap({ workouts[$0] }),
            let id = ids[workout.id]
        else { return }
        try expect(await person.phone.delete(id), 204)
        workouts[workout.id] = nil
        if chance(30) { try expect(await person.phone.post(body(workout)), 200) }
    }

    private mutating func makePlan() async throws {
        let today = Recount.day(at: now, in: .gmt)
        let weeks = (0..<Int.random(in: 1...10, using: &random)).map { _ -> Goal in
            let steps = Int.random(in: 1...60_000, using: &random)
            let distance = Int.random(in: 1...60_000_000, using: &random)
            return pick([
                Goal(steps: steps), Goal(millimetres: distance), Goal(steps: steps, millimetres: distance),
            ])
        }
        let plan = Plan(
            name: "plan \(weeks.count)", start: today + Int.random(in: -45...3, using: &random), weeks: weeks)
        let answer = try await person.follow(
            plan.name, from: Recount.name(of: plan.start), weeks.map { Self.json($0) })
        try expect(answer, 201)
        self.plan = plan
        guard chance(10) else { return }
        try expect(await person.plan("DELETE", "/v1/plan"), 204)
        self.plan = nil
    }

    private mutating func setGoal() async throws {
        let steps = chance(50)
        let goal = Goal(
            steps: steps ? Int.random(in: 1...90_000, using: &random) : nil, millimetres: steps ? nil : 25_000_500)
        try expect(await person.plan("PUT", "/v1/weekly_goal", Self.json(goal)), 200)
        self.goal = goal
    }

    private static func json(_ goal: Goal) -> JSON {
        var members: [String: JSON] = [:]
        if let steps = goal.steps { members["steps"] = .int(steps) }
        if let distance = goal.millimetres { members["distance"] = .raw(metres(distance)) }
        return .object(members)
    }

    private func body(_ workout: Recount.Workout) -> JSON {
        var members: [String: JSON] = [
            "requestId": .string(workout.id), "start_time": .int(workout.from * 60_000),
            "end_time": .int(workout.to * 60_000), "steps": .int(workout.steps),
            "distance": .raw(Self.metres(workout.millimetres)),
        ]
        if let zone = workout.sentZone { members["time_zone"] = .string(zone) }
        if workout.isInProgress { members["status"] = "IN_PROGRESS" }
        if workout.isManual { members["source"] = "manual" }
        if let device = workout.device { members["device_id"] = .string(device) }
        return .object(members)
    }

    private func expect(_ answer: HTTPAnswer, _ status: Int) throws {
        guard answer.status == status else { throw Late("not \(status): \(answer)") }
    }

    private static func metres(_ millimetres: Int) -> String {
        "\(millimetres / 1000).\(String(1000 + millimetres % 1000).dropFirst())"
    }
}
