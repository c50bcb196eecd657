import StrideTestSupport
import Testing

/// Which day a workout counts for.
///
/// Every expected figure is worked out by hand.
@Suite(.serialized, .stand())
struct DayTests {
    /// A workout of two or three days and what each gets.
    struct Cut: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let body: JSON
        let days: [String: DayFigures]
    }

    static let cuts: [Cut] = [
        Cut(
            testDescription: "23:30 to 00:30 in Berlin, 6001 steps and 0.001 m: the odd one goes to the earlier part",
            body: workout(
                from: "2025-06-10T23:30:00+02:00", to: "2025-06-11T00:30:00+02:00", steps: 6001, metres: 0.001,
                zone: "Europe/Berlin"),
            days: ["2025-06-10": DayFigures(3001, 1, 1), "2025-06-11": DayFigures(3000, 0, 1)]),
        Cut(
            testDescription: "25 hours over Berlin's day of 23 hours, 100 steps an hour",
            body: workout(
                from: "2025-03-29T23:00:00+01:00", to: "2025-03-31T01:00:00+02:00", steps: 2500, metres: 250,
                zone: "Europe/Berlin"),
            days: [
                "2025-03-29": DayFigures(100, 10_000, 1), "2025-03-30": DayFigures(2300, 230_000, 1),
                "2025-03-31": DayFigures(100, 10_000, 1),
            ]),
        Cut(
            testDescription: "27 hours over Berlin's day of 25 hours, 100 steps an hour",
            body: workout(
                from: "2025-10-25T23:00:00+02:00", to: "2025-10-27T01:00:00+01:00", steps: 2700, metres: 270,
                zone: "Europe/Berlin"),
            days: [
                "2025-10-25": DayFigures(100, 10_000, 1), "2025-10-26": DayFigures(2500, 250_000, 1),
                "2025-10-27": DayFigures(100, 10_000, 1),
            ]),
        Cut(
            testDescription: "Kathmandu is 5:45 ahead: its midnight is 18:15 in UTC",
            body: workout(
                from: "2025-06-10T18:00:00Z", to: "2025-06-10T19:00:00Z", steps: 4000, metres: 4,
                zone: "Asia/Kathmandu"),
            days: ["2025-06-10": DayFigures(1000, 1000, 1), "2025-06-11": DayFigures(3000, 3000, 1)]),
        Cut(
            testDescription: "Kiritimati is 14:00 ahead: its midnight is 10:00 in UTC",
            body: workout(
                from: "2025-06-10T09:30:00Z", to: "2025-06-10T11:30:00Z", steps: 4000, metres: 4,
                zone: "Pacific/Kiritimati"),
            days: ["2025-06-10": DayFigures(1000, 1000, 1), "2025-06-11": DayFigures(3000, 3000, 1)]),
        Cut(
            testDescription: "Pago Pago is 11:00 behind: its midnight is 11:00 in UTC",
            body: workout(
                from: "2025-06-10T10:30:00Z", to: "2025-06-10T11:30:00Z", steps: 1001, metres: 1,
                zone: "Pacific/Pago_Pago"),
            days: ["2025-06-09": DayFigures(501, 500, 1), "2025-06-10": DayFigures(500, 500, 1)]),
        Cut(
            testDescription: "Without a zone midnight is that of UTC",
            body: workout(from: "2025-06-10T23:59:59Z", to: "2025-06-11T00:00:02Z", steps: 3, metres: 0.03),
            days: ["2025-06-10": DayFigures(1, 10, 1), "2025-06-11": DayFigures(2, 20, 1)]),
        Cut(
            testDescription: "A workout that ends at midnight has no part in the next day",
            body: workout(
                from: "2025-06-10T21:00:00Z", to: "2025-06-10T22:00:00Z", steps: 7, metres: 7, zone: "Europe/Berlin"),
            days: ["2025-06-10": DayFigures(7, 7000, 1)]),
        Cut(
            testDescription: "48 hours with nothing in them still have a part in each of three days",
            body: workout(from: "2025-06-10T12:00:00Z", to: "2025-06-12T12:00:00Z"),
            days: [
                "2025-06-10": DayFigures(0, 0, 1), "2025-06-11": DayFigures(0, 0, 1),
                "2025-06-12": DayFigures(0, 0, 1),
            ]),
    ]

    @Test("A workout is cut at the local midnights of its own zone, and taken out again whole", arguments: cuts)
    func cut(_ cut: Cut) async throws {
        let stand = try Stand.ofSuite()
        let phone = try stand.phone()
        let answer = try await phone.post(cut.body)
        #expect(answer.status == 201)
        #expect(try await stand.days(of: phone) == cut.days)
        #expect(try await phone.delete(answer.json["workout_id"].int ?? 0).status == 204)
        #expect(try await stand.days(of: phone).isEmpty)
    }

    @Test("1000 times 0.1 m is exactly 100 m")
    func exactDistance() async throws {
        let stand = try Stand.ofSuite()
        let phone = try stand.phone()
        let first = instant("2025-06-10T08:00:00Z")
        let steps = (0..<1000).map { number in
            workout(from: "2025-06-10T08:00:00Z", to: "2025-06-10T08:00:01Z", steps: 1, metres: .raw("0.1"))
                .with(["start_time": .int(first + number * 1000), "end_time": .int(first + number * 1000 + 1000)])
        }
        for half in [steps[..<500], steps[500...]] {
            let results = try await phone.postBatch(Array(half)).json["results"].elements
            #expect(results.count == 500 && results.allSatisfy { $0["result"] == "created" })
        }
        #expect(try await stand.days(of: phone) == ["2025-06-10": DayFigures(1000, 100_000, 1000)])
    }

    @Test("Distances are kept to the nearest millimetre")
    func rounding() async throws {
        let stand = try Stand.ofSuite()
        for (metres, millimetres) in [("0.0004", 0), ("0.0005", 1), ("1.2344999", 1234), ("1.2345", 1235)] {
            let phone = try stand.phone()
            _ = try await phone.post(
                workout(from: "2025-06-10T08:00:00Z", to: "2025-06-10T09:00:00Z", steps: 1, metres: .raw(metres)))
            #expect(try await stand.days(of: phone) == ["2025-06-10": DayFigures(1, millimetres, 1)])
        }
    }
}
