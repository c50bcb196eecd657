import Foundation
import StrideTestSupport

/// What every read of one user should answer, from a recount of the user's story.
struct Expectation {
    private let scene: Scene
    private let days: [Int: Recount.Figures]
    private let today: Int
    private let now: Int

    init(_ scene: Scene, now: Int) {
        self.scene = scene
        self.now = now
        days = Recount.days(of: Array(scene.workouts.values))
        today = Recount.day(at: now, in: TimeZone(identifier: scene.zone) ?? .gmt)
    }

    /// Reads everything and tells what is otherwise than it should be.
    func differences(_ person: Person) async throws -> [String] {
        var faults: [String] = []
        func compare<Value: Equatable>(_ what: String, _ answered: Value, _ expected: Value) {
            if answered != expected { faults.append("\(what): \(answered) in place of \(expected)") }
        }
        let list = try await Self.read(person, "/v1/workouts?limit=1000") as? [[String: Any]] ?? []
        compare("workouts", Set(list.map(Self.workout)), Set(scene.workouts.values.map(Self.text)))
        compare("count of workouts", list.count, scene.workouts.count)
        let starts = list.compactMap { $0["start_time"] as? Int }
        compare("order of workouts", starts, starts.sorted())

        let range = (today - 45)...(today + 3)
        let path = "/v1/days?from=\(Recount.name(of: range.lowerBound))&to=\(Recount.name(of: range.upperBound))"
        let page = try await Self.read(person, path) as? [String: Any]
        let answered = (page?["days"] as? [[String: Any]] ?? []).map { day in
            "\(day["day"] ?? "") \(Self.int(day["steps"])) \(Self.millimetres(day["distance"])) \(Self.int(day["workouts"]))"
        }
        compare(
            "days", answered,
            range.map { day in
                let figures = days[day] ?? Recount.Figures()
                return "\(Recount.name(of: day)) \(figures.steps) \(figures.millimetres) \(figures.workouts)"
            })
        for (name, answer, expected) in try await [weeks(person), summary(person)] where answer != expected {
            for (left, right) in zip(answer, expected) where left != right {
                faults.append("\(name): \(left) in place of \(right)")
            }
            compare("lines of \(name)", answer.count, expected.count)
        }
        return faults
    }

    private func weeks(_ person: Person) async throws -> (String, [String], [String]) {
        let page = try await Self.read(person, "/v1/progress") as? [String: Any] ?? [:]
        let answered = (page["progress"] as? [[String: Any]] ?? []).map { week in
            "\(Self.int(week["week"])) \(Self.int(week["steps"])) \(Self.millimetres(week["distance"])) \(week["met"] as? Bool ?? false)"
        }
        let stand = "\(page["planState"] ?? "") \(Self.int(page["currentWeek"]))"
        guard let plan = scene.plan else { return ("progress", [stand] + answered, ["none 0"]) }
        var expected = ["\(state(of: plan)) \(week(of: plan))"]
        if state(of: plan) != "upcoming" {
            for number in 0...week(of: plan) {
                let start = plan.start + 7 * number
                let done = Recount.sum(days, start...max(start, min(today, start + 6)))
                let goal = plan.weeks[number]
                let isMet = done.steps >= goal.steps ?? 0 && done.millimetres >= goal.millimetres ?? 0
                expected.append("\(number) \(done.steps) \(done.millimetres) \(isMet)")
            }
        }
        return ("progress", [stand] + answered, expected)
    }

    private func summary(_ person: Person) async throws -> (String, [String], [String]) {
        let answer = try await Self.read(person, "/v1/progressSummary") as? [String: Any] ?? [:]
        let names = [
            "planName", "planState", "currentWeek", "totalWeeksInPlan", "currentDayGoal", "today", "goalSource",
            "time_zone", "currentDaySteps", "weekSteps", "currentWeekSteps", "days",
        ]
        var answered = names.map { "\($0) \(Self.text(answer[$0]))" }
        let distances = (answer["currentWeekDistances"] as? [Any] ?? []).map(Self.millimetres)
        let given = answer["weeklyGoal"] as? [String: Any]
        answered += [
            "distances \(distances)", "day \(Self.millimetres(answer["currentDayDistance"]))",
            "week \(Self.millimetres(answer["weekDistance"]))",
            "goal \(Self.text(given?["steps"])) \(given?["distance"].map { Self.millimetres($0) } ?? -1)",
        ]
        let (plan, lastSeven) = (scene.plan, (0..<7).map { today - $0 })
        let isActive = plan.map { state(of: $0) == "active" } ?? false
        let start = plan.flatMap { isActive ? $0.start + 7 * week(of: $0) : nil } ?? weekStart
        let done = Recount.sum(days, start...today)
        let goal = plan.flatMap { isActive ? $0.weeks[week(of: $0)] : nil } ?? scene.goal
        let source = isActive ? "plan" : scene.goal == nil ? "none" : "weekly"
        let values: [String] = [
            plan?.name ?? "null", plan.map { state(of: $0) } ?? "none", "\(plan.map { week(of: $0) } ?? 0)",
            "\(plan?.weeks.count ?? 0)", "\(((goal?.steps ?? 0) + 6) / 7)", Recount.name(of: today), source, scene.zone,
            "\(days[today]?.steps ?? 0)", "\(done.steps)", "\(lastSeven.map { days[$0]?.steps ?? 0 })",
            "\(lastSeven.map { Recount.name(of: $0) })",
        ]
        var expected = zip(names, values).map { "\($0) \($1)" }
        expected += [
            "distances \(lastSeven.map { days[$0]?.millimetres ?? 0 })", "day \(days[today]?.millimetres ?? 0)",
            "week \(done.millimetres)",
            "goal \(goal?.steps.map(String.init) ?? "null") \(goal?.millimetres ?? -1)",
        ]
        return ("summary", answered, expected)
    }

    /// The first day of the calendar week; 1970-01-05 was a Monday.
    private var weekStart: Int {
        let first = ["monday": 4, "sunday": 3, "saturday": 2][scene.weekStart] ?? 4
        return today - ((today - first) % 7 + 7) % 7
    }

    private func state(of plan: Scene.Plan) -> String {
        today < plan.start ? "upcoming" : today < plan.start + 7 * plan.weeks.count ? "active" : "finished"
    }

    private func week(of plan: Scene.Plan) -> Int {
        today < plan.start ? 0 : min((today - plan.start) / 7, plan.weeks.count - 1)
    }
}

extension Expectation {
    private static func read(_ person: Person, _ path: String) async throws -> Any {
        let answer = try await person.get(path)
        guard answer.status == 200 else { throw Late("\(path): \(answer)") }
        return try JSONSerialization.jsonObject(with: Data(answer.body))
    }

    private static func int(_ value: Any?) -> Int { (value as? NSNumber)?.intValue ?? -1 }

    private static func millimetres(_ value: Any?) -> Int {
        guard let metres = (value as? NSNumber)?.doubleValue else { return -1 }
        return Int((metres * 1000).rounded())
    }

    private static func text(_ value: Any?) -> String {
        switch value {
        case let number as NSNumber: "\(number.intValue)"
        case let text as String: text
        case let values as [String]: "\(values)"
        case let values as [NSNumber]: "\(values.map(\.intValue))"
        default: "null"
        }
    }

    private static func workout(_ item: [String: Any]) -> String {
        let texts = ["requestId", "time_zone", "status", "source", "device_id"].map { text(item[$0]) }
        let numbers = ["start_time", "end_time", "steps"].map { int(item[$0]) }
        return "\(texts) \(numbers) \(millimetres(item["distance"]))"
    }

    private static func text(_ workout: Recount.Workout) -> String {
        let texts = [
            workout.id, workout.zone, workout.isInProgress ? "IN_PROGRESS" : "COMPLETE",
            workout.isManual ? "manual" : "auto", workout.device ?? "null",
        ]
        return "\(texts) \([workout.from * 60_000, workout.to * 60_000, workout.steps]) \(workout.millimetres)"
    }
}
