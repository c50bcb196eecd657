import StrideTestSupport
import Testing

/// Time that two devices cover is counted once, whatever the order in which the workouts come.
@Suite(.serialized, .stand())
struct DeviceTests {
    /// How workouts reach the service.
    enum Way: String, CaseIterable, Sendable {
        case oneByOne, oneBatch, atTheSameTime
    }

    // Phone 4000 steps in 60 minutes, watch 3500 in 40: the watch is faster, so the phone keeps 20 of its 60 minutes,
    // 4000 / 3 = 1333.3 steps and 3000 m / 3. 1333 + 3500 + 9922 = 14755; 1000 + 2600 + 7000 = 10600 m.
    private static let phoneHour = (from: "2025-06-10T08:00:00Z", to: "2025-06-10T09:00:00Z")
    private static let total = ["2025-06-10": DayFigures(14_755, 10_600_000, 3)]

    private static func example() -> [JSON] {
        [
            workout(from: phoneHour.from, to: phoneHour.to, steps: 4000, metres: 3000, device: "phone"),
            workout(
                from: "2025-06-10T08:10:00Z", to: "2025-06-10T08:50:00Z", steps: 3500, metres: 2600, device: "watch"),
            workout(
                from: "2025-06-10T12:00:00Z", to: "2025-06-10T13:00:00Z", steps: 9922, metres: 7000, device: "phone"),
        ]
    }

    static let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]

    @Test("1333 + 3500 + 9922 = 14755 in every order of arrival", arguments: orders, Way.allCases)
    func example(_ order: [Int], _ way: Way) async throws {
        let stand = try Stand.ofSuite()
        let phone = try stand.phone()
        let workouts = Self.example()
        try await send(order.map { workouts[$0] }, by: way, on: phone)
        #expect(try await stand.days(of: phone) == Self.total)
    }

    @Test("… and with a fourth workout that comes in between and is deleted again", arguments: orders, Way.allCases)
    func exampleWithDeletion(_ order: [Int], _ way: Way) async throws {
        let stand = try Stand.ofSuite()
        let phone = try stand.phone()
        let workouts = Self.example()
        // A third device that is faster than both while it lasts.
        let passing = workout(
            from: "2025-06-10T08:30:00Z", to: "2025-06-10T12:30:00Z", steps: 100_000, metres: 1, device: "band")
        let sent = order.map { workouts[$0] }
        try await send([sent[0], passing], by: way, on: phone)
        let id = try #require(try await phone.post(passing).json["workout_id"].int)
        try await send([sent[1]], by: way, on: phone)
        #expect(try await phone.delete(id).status == 204)
        try await send([sent[2]], by: way, on: phone)
        #expect(try await stand.days(of: phone) == Self.total)
        #expect(try await phone.delete(id).status == 204)
        #expect(try await stand.days(of: phone) == Self.total)
    }

    @Test("Deleting the watch gives the phone its hour back, exactly as it was cut")
    func giveBack() async throws {
        let stand = try Stand.ofSuite()
        let phone = try stand.phone()
        let workouts = Self.example()
        let ids = try await phone.postBatch(workouts).json["results"].elements.map { $0["workout_id"].int ?? 0 }
        #expect(try await phone.delete(ids[1]).status == 204)
        #expect(try await stand.days(of: phone) == ["2025-06-10": DayFigures(13_922, 10_000_000, 2)])
        #expect(try await phone.delete(ids[0]).status == 204)
        #expect(try await phone.delete(ids[2]).status == 204)
        #expect(try await stand.days(of: phone).isEmpty)
    }

    @Test("Workouts without a device, and of one device, are simply added")
    func added() async throws {
        let stand = try Stand.ofSuite()
        let phone = try stand.phone()
        let hour = Self.phoneHour
        _ = try await phone.postBatch([
            workout(from: hour.from, to: hour.to, steps: 100, metres: 1),
            workout(from: hour.from, to: hour.to, steps: 100, metres: 1),
            workout(from: hour.from, to: hour.to, steps: 10, metres: 1, device: "a"),
            workout(from: hour.from, to: hour.to, steps: 10, metres: 1, device: "a"),
        ])
        #expect(try await stand.days(of: phone) == ["2025-06-10": DayFigures(220, 4000, 4)])
        // A second device at half the rate of both of the first together loses everything but still has its part.
        _ = try await phone.post(workout(from: hour.from, to: hour.to, steps: 10, metres: 1, device: "b"))
        #expect(try await stand.days(of: phone) == ["2025-06-10": DayFigures(220, 4000, 5)])
    }

    @Test("Among equal rates the smaller device id counts", arguments: [["a", "b"], ["b", "a"]])
    func ties(_ devices: [String]) async throws {
        let stand = try Stand.ofSuite()
        let phone = try stand.phone()
        for device in devices {
            let body = workout(
                from: Self.phoneHour.from, to: Self.phoneHour.to, steps: 600, metres: device == "a" ? 1 : 2,
                device: device)
            #expect(try await phone.post(body).status == 201)
        }
        #expect(try await stand.days(of: phone) == ["2025-06-10": DayFigures(600, 1000, 2)])
    }

    @Test("Several devices that overlap over midnight give what a naive recount gives", arguments: 1...8)
    func recount(_ seed: UInt64) async throws {
        let stand = try Stand.ofSuite()
        let phone = try stand.phone()
        var generator = SeededGenerator(seed: seed)
        var spans = (0..<14).map { _ in NaiveRecount.Span.random(&generator) }
        var ids: [Int] = []
        var rest = spans[...]
        while !rest.isEmpty {
            let group = rest.prefix(Int.random(in: 1...4, using: &generator))
            rest = rest.dropFirst(group.count)
            let results = try await phone.postBatch(group.map(\.body)).json["results"].elements
            ids += results.compactMap { $0["workout_id"].int }
        }
        #expect(ids.count == spans.count)
        #expect(try await stand.days(of: phone) == NaiveRecount.days(of: spans))
        for _ in 0..<5 {
            let place = Int.random(in: 0..<spans.count, using: &generator)
            #expect(try await phone.delete(ids.remove(at: place)).status == 204)
            spans.remove(at: place)
            #expect(try await stand.days(of: phone) == NaiveRecount.days(of: spans))
        }
    }

    private func send(_ workouts: [JSON], by way: Way, on phone: Phone) async throws {
        switch way {
        case .oneByOne:
            for workout in workouts { #expect(try await phone.post(workout).status == 201) }
        case .oneBatch:
            let results = try await phone.postBatch(workouts).json["results"].elements
            #expect(results.allSatisfy { $0["result"] == "created" })
        case .atTheSameTime:
            try await withThrowingTaskGroup(of: Int.self) { group in
                for workout in workouts { group.addTask { try await phone.post(workout).status } }
                for try await status in group { #expect(status == 201) }
            }
        }
    }
}
