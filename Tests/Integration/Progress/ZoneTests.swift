import Models
import StrideTestSupport
import Testing

/// Which day is today, which days make a week, and where a plan stands: by the clock of the zone that was asked for.
@Suite(.serialized)
struct ZoneTests {
    /// Steps of the days around Wednesday, 2 December 2026; each digit of a sum names a day.
    static let steps: [(day: String, steps: Int32)] = [
        ("2026-11-27", 1), ("2026-11-28", 10), ("2026-11-29", 100), ("2026-11-30", 1000), ("2026-12-01", 10_000),
        ("2026-12-02", 100_000), ("2026-12-03", 300_000),
    ]

    /// 10:30 in UTC: half past midnight of the 3rd in Kiritimati, half past eleven at night of the 1st in Pago Pago.
    static let moment: Int64 = 1_796_207_400_000

    static func run(_ body: @escaping @Sendable (World) async throws -> Void) async throws {
        try await World.run(World.Options(now: moment)) { world in
            for (day, steps) in steps {
                try await world.write([world.workout("anna", at: "\(day)T01:00:00Z", steps: steps)])
            }
            try await body(world)
        }
    }

    struct Week: Sendable {
        let zone: String
        let today: String
        let start: WeekStart
        let sum: Int64
    }

    static let weeks = [
        Week(zone: "UTC", today: "2026-12-02", start: .monday, sum: 111_000),
        Week(zone: "UTC", today: "2026-12-02", start: .sunday, sum: 111_100),
        Week(zone: "UTC", today: "2026-12-02", start: .saturday, sum: 111_110),
        Week(zone: "Pacific/Kiritimati", today: "2026-12-03", start: .monday, sum: 411_000),
        Week(zone: "Pacific/Kiritimati", today: "2026-12-03", start: .sunday, sum: 411_100),
        Week(zone: "Pacific/Kiritimati", today: "2026-12-03", start: .saturday, sum: 411_110),
        Week(zone: "Pacific/Pago_Pago", today: "2026-12-01", start: .monday, sum: 11_000),
        Week(zone: "Pacific/Pago_Pago", today: "2026-12-01", start: .sunday, sum: 11_100),
        Week(zone: "Pacific/Pago_Pago", today: "2026-12-01", start: .saturday, sum: 11_110),
    ]

    @Test("without a plan the week to date begins with the profile's weekday, by the clock of the zone")
    func calendarWeeks() async throws {
        try await Self.run { world in
            for week in Self.weeks {
                try await world.set(profile: Profile(timeZone: week.zone, weekStart: week.start), of: "anna")
                let answer = try await world.get("/v1/progressSummary", as: "anna")
                #expect(answer.member("today") == week.today, "\(week)")
                #expect(answer.member("time_zone") == week.zone)
                #expect(answer.numbers("weekSteps") == [week.sum], "\(week)")
                // The zone of the query goes before the profile's; the start of the week stays the profile's.
                try await world.set(profile: Profile(timeZone: "Asia/Tokyo", weekStart: week.start), of: "anna")
                let asked = try await world.get("/v1/progressSummary?time_zone=\(week.zone)", as: "anna")
                #expect(asked.text == answer.text)
            }
        }
    }

    struct Stand: Sendable {
        let start: String
        let zone: String
        let state: String
        let week: Int64
        let sum: Int64
        let dayGoal: Int64
        let source: String
    }

    /// A plan of two weeks: 7 000 steps, then 14 001; the recurring goal is 70.
    static let stands = [
        // Wednesday the 25th: its week 1 begins on Wednesday the 2nd.
        Stand(
            start: "2026-11-25", zone: "Pacific/Pago_Pago", state: "active", week: 0, sum: 11_111, dayGoal: 1000,
            source: "plan"),
        Stand(start: "2026-11-25", zone: "UTC", state: "active", week: 1, sum: 100_000, dayGoal: 2001, source: "plan"),
        Stand(
            start: "2026-11-25", zone: "Pacific/Kiritimati", state: "active", week: 1, sum: 400_000, dayGoal: 2001,
            source: "plan"),
        // Wednesday the 18th: its last day is Tuesday the 1st.
        Stand(
            start: "2026-11-18", zone: "Pacific/Pago_Pago", state: "active", week: 1, sum: 11_111, dayGoal: 2001,
            source: "plan"),
        Stand(
            start: "2026-11-18", zone: "UTC", state: "finished", week: 1, sum: 111_000, dayGoal: 10, source: "weekly"),
        // Thursday the 3rd: has begun in Kiritimati only.
        Stand(
            start: "2026-12-03", zone: "UTC", state: "upcoming", week: 0, sum: 111_000, dayGoal: 10, source: "weekly"),
        Stand(
            start: "2026-12-03", zone: "Pacific/Kiritimati", state: "active", week: 0, sum: 300_000, dayGoal: 1000,
            source: "plan"),
    ]

    @Test("a plan's weeks begin at its own weekday, at midnight of the zone")
    func plans() async throws {
        try await Self.run { world in
            try await world.set(goal: WeeklyGoal(steps: 70), of: "anna")
            for (number, stand) in Self.stands.enumerated() {
                try await world.set(
                    plan: plan("two weeks", start: stand.start, steps: [7000, 14_001], number: UInt64(number + 1)),
                    of: "anna")
                try await world.set(profile: Profile(timeZone: stand.zone), of: "anna")
                let summary = try await world.get("/v1/progressSummary", as: "anna")
                #expect(summary.member("planState") == stand.state, "\(stand)")
                #expect(summary.numbers("currentWeek") == [stand.week], "\(stand)")
                #expect(summary.numbers("weekSteps") == [stand.sum], "\(stand)")
                #expect(summary.numbers("currentDayGoal") == [stand.dayGoal], "\(stand)")
                #expect(summary.member("goalSource") == stand.source, "\(stand)")
                let progress = try await world.get("/v1/progress", as: "anna")
                #expect(progress.member("planState") == stand.state)
                if stand.state == "active" {
                    #expect(progress.text.contains("{\"week\":\(stand.week),\"steps\":\(stand.sum),"), "\(stand)")
                }
                #expect(progress.text.contains("\"progress\":[]") == (stand.state == "upcoming"))
            }
        }
    }

    @Test("the last seven days are complete in the zones at both ends of the world")
    func edges() async throws {
        try await Self.run { world in
            let east = try await world.get("/v1/progressSummary?time_zone=Pacific/Kiritimati", as: "anna")
            #expect(east.text.contains("\"currentWeekSteps\":[300000,100000,10000,1000,100,10,1]"))
            let west = try await world.get("/v1/progressSummary?time_zone=Pacific/Pago_Pago", as: "anna")
            #expect(west.text.contains("\"currentWeekSteps\":[10000,1000,100,10,1,0,0]"))
        }
    }
}
