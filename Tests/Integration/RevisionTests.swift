import StrideTestSupport
import Testing

/// Workouts in progress: whatever the order in which their states arrive, the end state is the same.
@Suite(.serialized, .stand())
struct RevisionTests {
    private static let id = "7b0f1c1e-4b0c-4b5e-9a3e-0f3b1c2d4e5f"

    /// Three growths and the close, over Berlin's midnight (22:00 in UTC), so that the cut grows too.
    private static let states: [JSON] = [
        state("2025-06-10T21:58:00Z", 100, 10), state("2025-06-10T22:02:00Z", 250, 20),
        state("2025-06-10T22:02:00Z", 260, 20), state("2025-06-10T22:06:00Z", 300, 30, "COMPLETE"),
    ]

    private static func state(_ end: String, _ steps: Int, _ metres: JSON, _ status: String = "IN_PROGRESS") -> JSON {
        workout(
            id, from: "2025-06-10T21:54:00Z", to: end, steps: steps, metres: metres, zone: "Europe/Berlin",
            status: status)
    }

    // Closed: 6 of 12 minutes before midnight.
    private static let closed = [
        "2025-06-10": DayFigures(150, 15_000, 1), "2025-06-11": DayFigures(150, 15_000, 1),
    ]
    // Never closed: the greatest, 6 of 8 minutes before midnight.
    private static let open = [
        "2025-06-10": DayFigures(195, 15_000, 1), "2025-06-11": DayFigures(65, 5000, 1),
    ]

    static let orders = permutations(Array(0..<4))

    @Test("Growths and the close end in the same state in every order, call by call", arguments: orders)
    func singleCalls(_ order: [Int]) async throws {
        let stand = try Stand.ofSuite()
        let phone = try stand.phone()
        var ids: Set<JSON> = []
        for (place, index) in order.enumerated() {
            let answer = try await phone.post(Self.states[index])
            #expect(answer.status == (place == 0 ? 201 : 200))
            ids.insert(answer.json["workout_id"])
        }
        #expect(ids.count == 1)
        #expect(try await stand.days(of: phone) == Self.closed)
        #expect(try await Self.stored(phone) == ["status": 0, "steps": 300])
        // Repeats of any state change nothing and are no conflict.
        for state in Self.states { #expect(try await phone.post(state).json["duplicate"] == true) }
        #expect(try await stand.days(of: phone) == Self.closed)
    }

    @Test("… and in one batch", arguments: orders)
    func oneBatch(_ order: [Int]) async throws {
        let stand = try Stand.ofSuite()
        let phone = try stand.phone()
        let results = try await phone.postBatch(order.map { Self.states[$0] }).json["results"].elements
        #expect(Set(results.map { $0["workout_id"] }).count == 1)
        #expect(results[0]["result"] == "created")
        #expect(results.allSatisfy { ["created", "updated", "duplicate"].contains($0["result"]) })
        #expect(try await stand.days(of: phone) == Self.closed)
        #expect(try await Self.stored(phone) == ["status": 0, "steps": 300])
    }

    @Test("… and when all come at the same moment", arguments: 0..<6)
    func atOnce(_ round: Int) async throws {
        let stand = try Stand.ofSuite()
        let phone = try stand.phone()
        try await withThrowingTaskGroup(of: Int.self) { group in
            for state in Self.states { group.addTask { try await phone.post(state).status } }
            for try await status in group { #expect([200, 201].contains(status)) }
        }
        #expect(try await stand.days(of: phone) == Self.closed)
    }

    @Test("A workout that is never closed counts with its greatest numbers", arguments: permutations([0, 1, 2]))
    func neverClosed(_ order: [Int]) async throws {
        let stand = try Stand.ofSuite()
        let phone = try stand.phone()
        for index in order { _ = try await phone.post(Self.states[index]) }
        #expect(try await stand.days(of: phone) == Self.open)
        #expect(try await Self.stored(phone) == ["status": 1, "steps": 260])
    }

    @Test("Growth of one of two devices is counted anew, in every order", arguments: permutations([0, 1, 2]))
    func growsBesideADevice(_ order: [Int]) async throws {
        let stand = try Stand.ofSuite()
        let phone = try stand.phone()
        // The watch walks 60 a minute for 10 minutes; the phone first 50, then 100 a minute over the same time.
        let bodies = [
            workout(from: "2025-06-10T08:00:00Z", to: "2025-06-10T08:10:00Z", steps: 600, device: "watch"),
            workout(
                Self.id, from: "2025-06-10T08:00:00Z", to: "2025-06-10T08:05:00Z", steps: 250, status: "IN_PROGRESS",
                device: "phone"),
            workout(
                Self.id, from: "2025-06-10T08:00:00Z", to: "2025-06-10T08:10:00Z", steps: 1000, device: "phone"),
        ]
        for index in order { _ = try await phone.post(bodies[index]) }
        #expect(try await stand.days(of: phone) == ["2025-06-10": DayFigures(1000, 0, 2)])
    }

    @Test("After the close anything greater is 422; another start is 422 even while it is in progress")
    func conflicts() async throws {
        let stand = try Stand.ofSuite()
        let phone = try stand.phone()
        let open = Self.states[0]
        _ = try await phone.post(open)
        let later = open.with(["start_time": .int(instant("2025-06-10T21:55:00Z"))])
        #expect(try await phone.post(later).status == 422)
        #expect(try await phone.post(open.with(["device_id": "watch"])).status == 422)
        #expect(try await phone.post(open.with(["time_zone": "UTC"])).status == 422)
        #expect(try await phone.post(open.with(["source": "manual"])).status == 422)
        #expect(try await phone.post(Self.states[3]).json["updated"] == true)
        let greater = Self.state("2025-06-10T22:08:00Z", 400, 40)
        #expect(try await phone.post(greater).status == 422)
        #expect(try await phone.post(Self.state("2025-06-10T22:08:00Z", 400, 40, "COMPLETE")).status == 422)
        #expect(try await phone.post(Self.state("2025-06-10T21:56:00Z", 50, 5, "COMPLETE")).status == 422)
        #expect(try await stand.days(of: phone) == Self.closed)
    }

    @Test("A close with smaller numbers than the last growth holds, whichever came first")
    func smallerClose() async throws {
        let stand = try Stand.ofSuite()
        let close = Self.state("2025-06-10T21:58:00Z", 90, 9, "COMPLETE")
        for states in [[Self.states[2], close], [close, Self.states[2]]] {
            let phone = try stand.phone()
            for state in states { _ = try await phone.post(state) }
            #expect(try await stand.days(of: phone) == ["2025-06-10": DayFigures(90, 9000, 1)])
        }
    }

    @Test("A deleted workout stays deleted, whatever arrives for it later: 200, duplicate")
    func deletedStays() async throws {
        let stand = try Stand.ofSuite()
        let phone = try stand.phone()
        let id = try await phone.post(Self.states[0]).json["workout_id"]
        #expect(try await phone.delete(id.int ?? 0).status == 204)
        let other = Self.states[3].with(["start_time": .int(instant("2025-06-10T21:50:00Z")), "steps": 7])
        for state in Self.states + [other] {
            let answer = try await phone.post(state)
            #expect(answer.status == 200)
            #expect(answer.json["duplicate"] == true && answer.json["workout_id"] == id)
        }
        let results = try await phone.postBatch(Self.states).json["results"].elements
        #expect(results.allSatisfy { $0["result"] == "duplicate" && $0["workout_id"] == id })
        #expect(try await stand.days(of: phone).isEmpty)
        #expect(try await stand.stores.database.workoutCount(of: phone.user) == 1)
    }

    private static func stored(_ phone: Phone) async throws -> JSON {
        let stores = try Stand.ofSuite().stores
        return try await stores.database.rows("select status, steps from workouts where user_id = '\(phone.user)'")
            .first ?? .null
    }
}

/// Every order of some elements.
func permutations<Element>(_ elements: [Element]) -> [[Element]] {
    guard elements.count > 1 else { return [elements] }
    return elements.indices.flatMap { index in
        var rest = elements
        let first = rest.remove(at: index)
        return permutations(rest).map { [first] + $0 }
    }
}
