import StrideTestSupport
import Testing

/// Two devices of one user follow the changes while both write, through the real services.
@Suite(.serialized) struct TwoDevicesTests {
    @Test("1 000 random steps, and both devices sync after each: their copies and what the server lists are equal")
    func equalCopies() async throws {
        try await Fleet.run(now: "2026-12-02T12:00:00Z") { fleet in
            let person = try fleet.person()
            var random = SeededGenerator(seed: 41)
            var (one, two, rare) = (Device(limit: 7), Device(limit: 1000), Device(limit: 3))
            var writer = Writer(person: person)
            for step in 0..<1000 {
                try await writer.step(step, &random)
                try await one.sync(person)
                try await two.sync(person)
                #expect(one.copy == two.copy, "step \(step)")
                if step % 50 == 49 { try await rare.sync(person) }
            }
            var fresh = Device(limit: 13)
            try await fresh.sync(person)
            let server = try await Self.everything(of: person)
            for device in [one, two, rare, fresh] { #expect(device.copy == server) }
            #expect(server.workouts.count > 100)
            #expect(writer.deletions > 50)
            #expect(one.pages >= 1000)
        }
    }

    /// What the server answers to whoever asks for the things themselves.
    private static func everything(of person: Person) async throws -> Device.Copy {
        var copy = Device.Copy()
        for item in try await person.get("/v1/workouts?limit=1000").json.elements {
            copy.workouts[item["requestId"].string ?? ""] = item
        }
        let (plan, goal) = (try await person.plan("GET", "/v1/plan"), try await person.plan("GET", "/v1/weekly_goal"))
        copy.plan = plan.status == 200 ? plan.json["planId"] : .null
        copy.goal = goal.status == 200 ? goal.json["steps"] : .null
        copy.zone = try await person.plan("GET", "/v1/profile").json["time_zone"]
        return copy
    }
}

/// Writes at random: new workouts, growths, closes, repeats, deletions, plans, goals, profiles.
private struct Writer {
    let person: Person
    private(set) var deletions = 0
    private var open: [JSON] = []
    private var closed: [JSON] = []
    private var ids: [Int] = []

    init(person: Person) { self.person = person }

    mutating func step(_ step: Int, _ random: inout SeededGenerator) async throws {
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<7:
            let status = Bool.random(using: &random) ? "IN_PROGRESS" : "COMPLETE"
            let start = instant("2026-11-20T00:00:00Z") + Int.random(in: 0..<10_000, using: &random) * 60_000
            let new = workout(from: "", to: "", steps: step, zone: "UTC", status: status, device: "phone")
                .with(["start_time": .int(start), "end_time": .int(start + 60_000)])
            ids.append(try await send(new))
            if status == "COMPLETE" { closed.append(new) } else { open.append(new) }
        case 7..<10:
            guard let place = open.indices.randomElement(using: &random) else { return }
            open[place]["end_time"] = .int((open[place]["end_time"].int ?? 0) + 1000)
            open[place]["steps"] = .int((open[place]["steps"].int ?? 0) + 1)
            _ = try await send(open[place])
        case 10..<12:
            guard let place = open.indices.randomElement(using: &random) else { return }
            let last = open.remove(at: place).with(["status": "COMPLETE"])
            _ = try await send(last)
            closed.append(last)
        case 12: if let known = closed.randomElement(using: &random) { _ = try await send(known) }
        case 13..<15:
            guard let id = ids.randomElement(using: &random) else { return }
            #expect(try await person.phone.delete(id).status == 204)
            deletions += 1
        case 15:
            let zone = ["UTC", "Asia/Tokyo", "Europe/Paris"][step % 3]
            #expect(try await person.live(in: zone).status == 200)
        case 16: #expect(try await person.plan("PUT", "/v1/weekly_goal", ["steps": .int(step + 1)]).status == 200)
        case 17: #expect(try await person.plan("DELETE", "/v1/weekly_goal").status == 204)
        case 18:
            #expect(
                try await person.follow("plan \(step)", from: "2026-11-30", [["steps": .int(step + 1)]]).status == 201)
        default: #expect(try await person.plan("DELETE", "/v1/plan").status == 204)
        }
    }

    /// Sends one, which may have been deleted in the meantime, and answers its id.
    private func send(_ workout: JSON) async throws -> Int {
        let answer = try await person.phone.post(workout)
        guard answer.status < 300, let id = answer.json["workout_id"].int else { throw Late("not taken: \(answer)") }
        return id
    }
}

/// A device that knows only what the changes tell it.
private struct Device {
    struct Copy: Equatable {
        var workouts: [String: JSON] = [:]
        var plan = JSON.null
        var goal = JSON.null
        var zone = JSON.string("UTC")
    }

    private(set) var copy = Copy()
    private(set) var pages = 0
    private let limit: Int
    private var cursor: String?

    init(limit: Int) { self.limit = limit }

    /// Follows the changes to their end.
    mutating func sync(_ person: Person) async throws {
        var hasMore = true
        while hasMore {
            let answer = try await person.get("/v1/changes?limit=\(limit)" + (cursor.map { "&cursor=\($0)" } ?? ""))
            guard answer.status == 200 else { throw Late("no changes: \(answer)") }
            let page = answer.json
            for item in page["workouts"].elements {
                let name = item["requestId"].string ?? ""
                if item["deleted"] == true {
                    copy.workouts.removeValue(forKey: name)
                } else {
                    copy.workouts[name] = item.without("deleted")
                }
            }
            if page.names.contains("plan") { copy.plan = page["plan"]["planId"] }
            if page.names.contains("weekly_goal") { copy.goal = page["weekly_goal"]["steps"] }
            if page.names.contains("profile") { copy.zone = page["profile"]["time_zone"] }
            cursor = page["nextCursor"].string
            hasMore = page["more"] == true
            pages += 1
        }
    }
}
