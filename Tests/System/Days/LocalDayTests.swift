import StrideTestSupport
import Testing

/// Which local day something counts for, through all three services.
@Suite(.serialized) struct LocalDayTests {
    @Test("At one instant it is the 1st at UTC+14 and the 29th at UTC−11, and each has its own today")
    func bothEnds() async throws {
        try await Calendar.run { calendar in
            for (zone, today) in [("Pacific/Kiritimati", "2026-12-01"), ("Pacific/Pago_Pago", "2026-11-29")] {
                let person = try await calendar.person(in: zone)
                // No zone of its own: the profile's counts.
                try await person.post(workout(from: "2026-11-30T10:00:00Z", to: "2026-11-30T10:01:00Z", steps: 50))
                try await calendar.expect(
                    person,
                    [
                        Stand(
                            moment: "2026-11-30T10:30:00Z",
                            expected: ["today": .string(today), "currentDaySteps": 50, "time_zone": .string(zone)])
                    ])
            }
        }
    }

    @Test("A flight west: two workouts in two zones count for the one day that both had")
    func flightWest() async throws {
        try await Calendar.run { calendar in
            let person = try await calendar.person(in: "Pacific/Honolulu")
            try await person.post(
                // The 1st, 08:00 in Tokyo; the evening before in Honolulu, although later; the 1st, 10:00 in Honolulu.
                workout(from: "2026-11-30T23:00:00Z", to: "2026-12-01T00:00:00Z", steps: 1000, zone: "Asia/Tokyo"),
                workout(from: "2026-12-01T09:00:00Z", to: "2026-12-01T09:30:00Z", steps: 7, zone: "Pacific/Honolulu"),
                workout(from: "2026-12-01T20:00:00Z", to: "2026-12-01T20:30:00Z", steps: 500, zone: "Pacific/Honolulu"))
            try await calendar.expect(person, days: ["2026-11-30": (7, 1), "2026-12-01": (1500, 2)])
            try await calendar.expect(
                person,
                [
                    Stand(
                        moment: "2026-12-01T21:00:00Z",
                        expected: [
                            "today": "2026-12-01", "currentDaySteps": 1500,
                            "currentWeekSteps": [1500, 7, 0, 0, 0, 0, 0],
                        ])
                ])
        }
    }

    @Test(
        "The week to date begins on Monday, Sunday or Saturday, as the profile says",
        arguments: [("monday", 111_000), ("sunday", 111_100), ("saturday", 111_110)])
    func weekStart(_ start: String, _ sum: Int) async throws {
        try await Calendar.run { calendar in
            let person = try await calendar.person(in: "UTC", weekStart: start)
            // Friday to Wednesday; each digit of the sum is a day.
            let days = ["2026-11-27", "2026-11-28", "2026-11-29", "2026-11-30", "2026-12-01", "2026-12-02"]
            for (day, steps) in zip(days, [1, 10, 100, 1000, 10_000, 100_000]) {
                try await person.post(
                    workout(from: "\(day)T09:00:00Z", to: "\(day)T10:00:00Z", steps: steps, zone: "UTC"))
            }
            try await calendar.expect(
                person, [Stand(moment: "2026-12-02T12:00:00Z", expected: ["weekSteps": .int(sum), "currentWeek": 0])])
        }
    }

    @Test("A profile that moves in mid-week leaves history where it was")
    func moved() async throws {
        try await Calendar.run { calendar in
            let person = try await calendar.person(in: "Europe/Berlin")
            // 23:00 to midnight of the 30th in Berlin; in Tokyo it is the morning of the 1st.
            try await person.post(workout(from: "2026-11-30T22:00:00Z", to: "2026-11-30T23:00:00Z", steps: 100))
            #expect(try await person.live(in: "Asia/Tokyo").status == 200)
            try await person.post(workout(from: "2026-12-01T22:00:00Z", to: "2026-12-01T23:00:00Z", steps: 10))
            try await calendar.expect(
                person, days: ["2026-11-30": (100, 1), "2026-12-01": (0, 0), "2026-12-02": (10, 1)])
            try await calendar.expect(
                person,
                [
                    Stand(
                        moment: "2026-12-01T23:30:00Z",
                        expected: [
                            "today": "2026-12-02", "currentWeekSteps": [10, 0, 100, 0, 0, 0, 0], "weekSteps": 110,
                        ])
                ])
        }
    }

    @Test("Apia left out 30 December 2011: the date is there with zeros, and is one of the seven of its week")
    func missingDay() async throws {
        try await Calendar.run { calendar in
            let person = try await calendar.person(in: "Pacific/Apia")
            // The last hour of the 29th and the first of the 31st: the odd step goes to the earlier day.
            try await person.post(
                workout(from: "2011-12-30T09:00:00Z", to: "2011-12-30T11:00:00Z", steps: 201, zone: "Pacific/Apia"))
            #expect(try await person.follow("jump", from: "2011-12-26", [["steps": 201], ["steps": 1]]).status == 201)
            try await calendar.expect(
                person, days: ["2011-12-29": (101, 1), "2011-12-30": (0, 0), "2011-12-31": (100, 1)])
            try await calendar.expect(
                person,
                [
                    Stand(
                        moment: "2011-12-30T09:59:59Z",
                        expected: ["today": "2011-12-29", "currentDaySteps": 101, "currentWeek": 0]),
                    Stand(
                        moment: "2011-12-30T10:00:00Z",
                        expected: [
                            "today": "2011-12-31", "currentDaySteps": 100,
                            "currentWeekSteps": [100, 0, 101, 0, 0, 0, 0], "weekSteps": 201,
                        ]),
                    Stand(
                        moment: "2012-01-01T09:59:59Z", expected: ["today": "2012-01-01", "currentWeek": 0],
                        weeks: [[201, 0, 1]]),
                    Stand(
                        moment: "2012-01-01T10:00:00Z", expected: ["today": "2012-01-02", "currentWeek": 1],
                        weeks: [[201, 0, 1], [0, 0, 0]]),
                ])
        }
    }

    @Test("In Santiago the day after a midnight that does not exist begins at one o'clock")
    func missingMidnight() async throws {
        try await Calendar.run { calendar in
            let person = try await calendar.person(in: "America/Santiago")
            // The last hour of the 5th and the first hour of the 6th.
            try await person.post(
                workout(from: "2026-09-06T03:00:00Z", to: "2026-09-06T05:00:00Z", steps: 200, zone: "America/Santiago"))
            #expect(try await person.follow("spring", from: "2026-09-06", [["steps": 100]]).status == 201)
            try await calendar.expect(person, days: ["2026-09-05": (100, 1), "2026-09-06": (100, 1)])
            try await calendar.expect(
                person,
                [
                    Stand(
                        moment: "2026-09-06T03:59:59Z",
                        expected: ["today": "2026-09-05", "planState": "upcoming", "currentDaySteps": 100], weeks: []),
                    Stand(
                        moment: "2026-09-06T04:00:00Z",
                        expected: ["today": "2026-09-06", "planState": "active", "weekSteps": 100],
                        weeks: [[100, 0, 1]]),
                ])
        }
    }
}
