import StrideTestSupport
import Testing

/// Weeks of plans on the calendar, through all three services.
@Suite(.serialized) struct PlanWeekTests {
    /// A workout of one minute at noon of UTC.
    private static func noon(_ day: String, steps: Int, metres: JSON = 0) -> JSON {
        workout(from: "\(day)T12:00:00Z", to: "\(day)T12:01:00Z", steps: steps, metres: metres, zone: "Europe/Berlin")
    }

    @Test("A plan from a Wednesday: the day before, its first and last second, the day after it ends")
    func wednesday() async throws {
        try await Calendar.run { calendar in
            let person = try await calendar.person(in: "Europe/Berlin")
            // 100 steps and 10 m on each day from Tuesday the 1st to Wednesday the 16th.
            let month = (1...16).map { Self.noon("2026-12-\($0 < 10 ? "0" : "")\($0)", steps: 100, metres: 10) }
            #expect(try await person.phone.postBatch(month).status == 200)
            #expect(
                try await person.follow("two", from: "2026-12-02", [["steps": 700], ["steps": 701, "distance": 70]])
                    .status == 201)
            try await calendar.expect(
                person,
                [
                    Stand(
                        moment: "2026-12-01T11:00:00Z",
                        expected: [
                            "planState": "upcoming", "currentWeek": 0, "weekSteps": 100, "goalSource": "none",
                            "totalWeeksInPlan": 2, "currentDayGoal": 0,
                        ], weeks: []),
                    Stand(
                        moment: "2026-12-01T22:59:59Z",
                        expected: ["planState": "upcoming", "today": "2026-12-01", "weekSteps": 100], weeks: []),
                    Stand(
                        moment: "2026-12-01T23:00:00Z",
                        expected: [
                            "planState": "active", "currentWeek": 0, "today": "2026-12-02", "weekSteps": 100,
                            "currentDayGoal": 100, "goalSource": "plan",
                        ], weeks: [[100, 10_000, 0]]),
                    Stand(
                        moment: "2026-12-08T22:59:59Z", expected: ["currentWeek": 0, "weekSteps": 700],
                        weeks: [[700, 70_000, 1]]),
                    Stand(
                        moment: "2026-12-15T22:59:59Z",
                        expected: ["planState": "active", "currentWeek": 1, "weekSteps": 700, "currentDayGoal": 101],
                        weeks: [[700, 70_000, 1], [700, 70_000, 0]]),
                    // The calendar week began on Monday the 14th.
                    Stand(
                        moment: "2026-12-15T23:00:00Z",
                        expected: [
                            "planState": "finished", "currentWeek": 1, "weekSteps": 300, "goalSource": "none",
                            "weeklyGoal": nil,
                        ], weeks: [[700, 70_000, 1], [700, 70_000, 0]]),
                ])
        }
    }

    @Test("Week 0 from 28 December goes on over New Year")
    func newYear() async throws {
        try await Calendar.run { calendar in
            let person = try await calendar.person(in: "Europe/Berlin")
            for day in ["2026-12-28", "2026-12-31", "2027-01-01", "2027-01-03", "2027-01-04"] {
                try await person.post(Self.noon(day, steps: 100))
            }
            #expect(
                try await person.follow("new year", from: "2026-12-28", [["steps": 400], ["steps": 400]]).status == 201)
            try await calendar.expect(
                person,
                [
                    Stand(
                        moment: "2027-01-03T12:00:00Z",
                        expected: [
                            "currentWeek": 0, "weekSteps": 400, "currentWeekSteps": [100, 0, 100, 100, 0, 0, 100],
                            "days": [
                                "2027-01-03", "2027-01-02", "2027-01-01", "2026-12-31", "2026-12-30", "2026-12-29",
                                "2026-12-28",
                            ],
                        ], weeks: [[400, 0, 1]]),
                    Stand(
                        moment: "2027-01-03T23:00:00Z", expected: ["currentWeek": 1, "weekSteps": 100],
                        weeks: [[400, 0, 1], [100, 0, 0]]),
                ])
        }
    }

    @Test("The week with the day of 23 hours ends an hour early, the one with the day of 25 an hour late")
    func changedClocks() async throws {
        try await Calendar.run { calendar in
            let spring = try await calendar.person(in: "Europe/Paris")
            // An hour of the 28th, the 23 hours of the 29th, an hour of the 30th.
            try await spring.post(
                workout(from: "2026-03-28T22:00:00Z", to: "2026-03-29T23:00:00Z", steps: 2500, zone: "Europe/Paris"))
            #expect(
                try await spring.follow("spring", from: "2026-03-23", [["steps": 1], ["steps": 101]]).status == 201)
            try await calendar.expect(
                spring,
                [
                    Stand(
                        moment: "2026-03-29T23:30:00+02:00",
                        expected: ["currentWeek": 0, "weekSteps": 2400, "currentDaySteps": 2300]),
                    Stand(
                        moment: "2026-03-30T00:30:00+02:00",
                        expected: ["currentWeek": 1, "weekSteps": 100, "currentDaySteps": 100],
                        weeks: [[2400, 0, 1], [100, 0, 0]]),
                ])
            let autumn = try await calendar.person(in: "Europe/Paris")
            // An hour of the 24th, the 25 hours of the 25th, an hour of the 26th.
            try await autumn.post(
                workout(from: "2026-10-24T21:00:00Z", to: "2026-10-26T00:00:00Z", steps: 2700, zone: "Europe/Paris"))
            #expect(
                try await autumn.follow("autumn", from: "2026-10-19", [["steps": 1], ["steps": 100]]).status == 201)
            try await calendar.expect(
                autumn,
                [
                    Stand(
                        moment: "2026-10-25T23:30:00+01:00",
                        expected: ["currentWeek": 0, "weekSteps": 2600, "currentDaySteps": 2500]),
                    Stand(
                        moment: "2026-10-26T00:30:00+01:00",
                        expected: ["currentWeek": 1, "weekSteps": 100, "currentDaySteps": 100],
                        weeks: [[2600, 0, 1], [100, 0, 1]]),
                ])
        }
    }

    @Test("A goal is met by its last step and its last millimetre, and by a distance alone")
    func met() async throws {
        try await Calendar.run { calendar in
            let person = try await calendar.person(in: "Europe/Berlin")
            try await person.post(
                Self.noon("2026-11-04", steps: 999), Self.noon("2026-11-10", steps: 1),
                Self.noon("2026-11-12", steps: 999),
                Self.noon("2026-11-18", steps: 0, metres: 1000.5), Self.noon("2026-11-24", steps: 5, metres: 500),
                Self.noon("2026-11-25", steps: 10), Self.noon("2026-12-02", steps: 3, metres: 12_499.999))
            let weeks: [JSON] = [
                ["steps": 1000], ["steps": 1000], ["distance": 1500.5], ["steps": 10, "distance": .raw("0.001")],
                ["distance": 25_000],
            ]
            #expect(try await person.follow("goals", from: "2026-11-04", weeks).status == 201)
            try await calendar.expect(
                person,
                [
                    Stand(
                        moment: "2026-12-02T12:00:00Z",
                        expected: [
                            "currentWeek": 4, "currentDayGoal": 0, "weeklyGoal": ["steps": nil, "distance": 25_000],
                            "weekSteps": 3, "weekDistance": 12_499.999,
                        ],
                        weeks: [[1000, 0, 1], [999, 0, 0], [5, 1_500_500, 1], [10, 0, 0], [3, 12_499_999, 0]])
                ])
        }
    }
}
