import StrideTestSupport
import Testing

/// S3: two users, every route, every id: nothing of the one is read, changed or inferred by the other.
@Suite(.serialized) struct StrangerTests {
    /// Everything of one user that has a name.
    private struct Names {
        var workoutID = 0
        var workoutRequest = ""
        var planID = ""
        var planRequest = ""
        var workoutCursor = ""
        var progressCursor = ""
        var changesCursor = ""
    }

    private static let reads = [
        "/v1/progressSummary", "/v1/progress", "/v1/days?from=2026-11-20&to=2026-12-02", "/v1/workouts", "/v1/changes",
    ]
    private static let settings = ["/v1/plan", "/v1/weekly_goal", "/v1/profile"]

    @Test("With the ids, requestIds and cursors of another user every route answers as it does to names of nobody")
    func strangers() async throws {
        try await Fleet.run(now: "2026-12-02T12:00:00Z") { fleet in
            let (anna, names) = try await Self.owner(fleet)
            let before = try await Self.everything(of: anna)
            // Two users who do the same, one with the names of Anna and one with names of nobody.
            let nobody = Names(
                workoutID: names.workoutID + 1_000_000, workoutRequest: newRequestID(), planID: newRequestID(),
                planRequest: newRequestID(), workoutCursor: names.workoutCursor, progressCursor: names.progressCursor,
                changesCursor: names.changesCursor)
            let (bert, carl) = (try fleet.person(), try fleet.person())
            let (withAnnas, withNobodys) = (try await Self.attack(bert, names), try await Self.attack(carl, nobody))
            #expect(withAnnas == withNobodys)
            #expect(withAnnas.count == 16)
            #expect(try await Self.everything(of: anna) == before)
            let own = try await Self.everything(of: bert)
            for text in [names.planID, "\"workout_id\":\(names.workoutID),", "Anna", "7777", "Pacific/Chatham"] {
                #expect(!own.joined().contains(text), "\(text)")
                #expect(before.joined().contains(text), "\(text)")
            }
            try await Promise.expectAgreement(fleet)
        }
    }

    /// A user with something behind every route.
    private static func owner(_ fleet: Fleet) async throws -> (Person, Names) {
        let anna = try fleet.person("anna")
        var names = Names()
        #expect(try await anna.live(in: "Pacific/Chatham").status == 200)
        #expect(try await anna.plan("PUT", "/v1/weekly_goal", ["steps": 7777]).status == 200)
        for hour in ["08", "09"] {
            let workout = Promise.workout(at: hour, steps: 77)
            names.workoutRequest = workout["requestId"].string ?? ""
            names.workoutID = try await anna.phone.post(workout).json["workout_id"].int ?? 0
        }
        names.planRequest = newRequestID()
        let plan = try await anna.follow(
            "Anna's", from: "2026-11-18", [["steps": 1], ["steps": 2], ["steps": 3]], requestID: names.planRequest)
        names.planID = plan.json["planId"].string ?? ""
        let link = try await anna.get("/v1/workouts?limit=1")["Link"] ?? ""
        names.workoutCursor = String(link.split(separator: "cursor=").last?.prefix { $0 != ">" } ?? "")
        names.progressCursor = try await anna.get("/v1/progress?limit=1").json["nextCursor"].string ?? ""
        names.changesCursor = try await anna.get("/v1/changes?limit=1").json["nextCursor"].string ?? ""
        #expect(!names.workoutCursor.isEmpty && !names.progressCursor.isEmpty && !names.changesCursor.isEmpty)
        return (anna, names)
    }

    /// All that is answered to a user, without what belongs to the moment.
    private static func everything(of person: Person) async throws -> [String] {
        var all: [String] = []
        for path in reads { all.append(try await person.get(path).text) }
        for path in settings { all.append(try await person.plan("GET", path).text) }
        return all
    }

    /// Uses every name on every route that takes one, and tells what came back, without what is new each time.
    private static func attack(_ person: Person, _ names: Names) async throws -> [String] {
        var answers: [HTTPAnswer] = []
        let phone = person.phone
        answers.append(try await phone.delete(names.workoutID))
        let same = Promise.workout(at: "10", steps: 5).with(["requestId": .string(names.workoutRequest)])
        // Known or not to somebody else: here it is new, then a repeat, then other content.
        answers.append(try await phone.post(same))
        answers.append(try await phone.post(same))
        answers.append(try await phone.postBatch([same]))
        answers.append(try await phone.post(same.with(["steps": 6])))
        let plan: JSON = [
            "requestId": .string(names.planRequest), "planName": "mine", "startDate": "2026-11-25",
            "weekly_goals": [["week": 0, "steps": 4]],
        ]
        let create = "/v1/create_workout_plan"
        answers.append(try await person.plan("POST", create, plan.with(["replaces": .string(names.planID)])))
        answers.append(try await person.plan("POST", create, plan))
        answers.append(try await person.plan("POST", create, plan))
        answers.append(try await person.plan("DELETE", "/v1/plan"))
        answers.append(try await person.plan("GET", "/v1/plan"))
        answers.append(try await person.plan("GET", "/v1/weekly_goal"))
        answers.append(try await person.plan("GET", "/v1/profile"))
        answers.append(try await person.get("/v1/workouts?cursor=\(names.workoutCursor)"))
        answers.append(try await person.get("/v1/progress?cursor=\(names.progressCursor)"))
        answers.append(try await person.get("/v1/changes?cursor=\(names.changesCursor)"))
        answers.append(try await person.get("/v1/progressSummary"))
        return answers.map { "\($0.status) \(plain($0.json).text)" }
    }

    /// Takes out what the server makes new for each caller.
    private static func plain(_ json: JSON) -> JSON {
        switch json {
        case .object(let members):
            .object(
                members.filter { name, _ in
                    !["workout_id", "requestId", "planId", "instance", "createdAt", "nextCursor"].contains(name)
                }.mapValues(plain))
        case .array(let elements): .array(elements.map(plain))
        default: json
        }
    }
}
