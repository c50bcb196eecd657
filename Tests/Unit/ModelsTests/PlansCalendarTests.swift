import Models
import Testing

@Suite struct PlansCalendarTests {
    private static func place(
        _ start: String, weeks: Int, _ clock: PiecewiseClock, _ instant: Timestamp
    ) throws -> (PlanState, Int) {
        let today = clock.day(at: instant)
        let calendar = PlanCalendar(start: try day(start), weekCount: weeks)
        return (calendar.state(on: today), calendar.currentWeek(on: today))
    }

    @Test(
        "A plan from a Wednesday: the day before, its first and last second, the day after it ends",
        arguments: [
            ("2026-11-30", 12, 0, 0, PlanState.upcoming, 0), ("2026-12-01", 22, 59, 59, .upcoming, 0),
            ("2026-12-01", 23, 0, 0, .active, 0), ("2026-12-08", 22, 59, 59, .active, 0),
            ("2026-12-08", 23, 0, 0, .active, 1), ("2026-12-15", 22, 59, 59, .active, 1),
            ("2026-12-15", 23, 0, 0, .finished, 1), ("2027-12-15", 23, 0, 0, .finished, 1),
        ])
    func wednesday(date: String, hour: Int64, minute: Int64, second: Int64, state: PlanState, week: Int) throws {
        let found = try Self.place("2026-12-02", weeks: 2, .berlin, try utc(date, hour, minute, second))
        #expect(found == (state, week))
    }

    @Test("Week 0 goes on over New Year")
    func newYear() throws {
        for (date, week) in [
            ("2026-12-28", 0), ("2026-12-31", 0), ("2027-01-01", 0), ("2027-01-03", 0), ("2027-01-04", 1),
        ] {
            #expect(try Self.place("2026-12-28", weeks: 3, .utc, try utc(date, 12)) == (.active, week))
        }
        let days = PlanCalendar(start: try day("2026-12-28"), weekCount: 3).days(ofWeek: 0)
        #expect(days.map(\.description).first == "2026-12-28" && days.map(\.description).last == "2027-01-03")
        #expect(days.count == 7)
    }

    @Test("A week with the day of 23 hours ends an hour early, one with the day of 25 an hour late")
    func clockChanges() throws {
        // 2026-03-30T00:30+02:00 and an hour before; 168 hours after the start it is 01:00.
        #expect(try Self.place("2026-03-23", weeks: 2, .berlin, try utc("2026-03-29", 22, 30)) == (.active, 1))
        #expect(try Self.place("2026-03-23", weeks: 2, .berlin, try utc("2026-03-29", 21, 30)) == (.active, 0))
        // 2026-10-25T23:30+01:00 and an hour after; 168 hours after the start it is 23:00.
        #expect(try Self.place("2026-10-19", weeks: 2, .berlin, try utc("2026-10-25", 22, 30)) == (.active, 0))
        #expect(try Self.place("2026-10-19", weeks: 2, .berlin, try utc("2026-10-25", 23, 30)) == (.active, 1))
    }

    @Test("At one instant a plan has ended, runs, or is to start, depending on where the user is")
    func zones() throws {
        let instant = try utc("2026-11-30", 10, 30)
        let (kiritimati, samoa) = (PiecewiseClock(first: 14 * 3600), PiecewiseClock(first: -11 * 3600))
        #expect(kiritimati.day(at: instant).description == "2026-12-01")
        #expect(samoa.day(at: instant).description == "2026-11-29")
        #expect(try Self.place("2026-12-01", weeks: 1, kiritimati, instant) == (.active, 0))
        #expect(try Self.place("2026-12-01", weeks: 1, samoa, instant) == (.upcoming, 0))
        #expect(try Self.place("2026-11-24", weeks: 1, kiritimati, instant) == (.finished, 0))
        #expect(try Self.place("2026-11-24", weeks: 1, samoa, instant) == (.active, 0))
    }

    @Test("A plan starts with the first instant of a day whose midnight the clock skips")
    func noMidnight() throws {
        let first = try utc("2026-09-06", 4)
        let before = Timestamp(milliseconds: first.milliseconds - 1)
        #expect(try Self.place("2026-09-06", weeks: 1, .santiago, before) == (.upcoming, 0))
        #expect(try Self.place("2026-09-06", weeks: 1, .santiago, first) == (.active, 0))
    }

    @Test("A date that a zone left out is one of the seven of its week")
    func missingDay() throws {
        let jump = try utc("2011-12-30", 10)
        let before = PiecewiseClock.apia.day(at: Timestamp(milliseconds: jump.milliseconds - 1))
        #expect(before.description == "2011-12-29")
        #expect(PiecewiseClock.apia.day(at: jump).description == "2011-12-31")
        #expect(
            DaySpan.lastSeven(to: PiecewiseClock.apia.day(at: jump)).map(\.description) == [
                "2011-12-25", "2011-12-26", "2011-12-27", "2011-12-28", "2011-12-29", "2011-12-30", "2011-12-31",
            ])
        // Week 1 of a plan from 24 December begins with the first instant of the 31st.
        #expect(
            try Self.place("2011-12-24", weeks: 2, .apia, Timestamp(milliseconds: jump.milliseconds - 1)) == (
                .active, 0
            ))
        #expect(try Self.place("2011-12-24", weeks: 2, .apia, jump) == (.active, 1))
    }

    @Test(
        "A calendar week begins on the weekday that the user chose",
        arguments: [
            ("2026-11-27", "2026-11-23", "2026-11-22", "2026-11-21"),
            ("2026-11-28", "2026-11-23", "2026-11-22", "2026-11-28"),
            ("2026-11-29", "2026-11-23", "2026-11-29", "2026-11-28"),
            ("2026-11-30", "2026-11-30", "2026-11-29", "2026-11-28"),
            ("2027-01-01", "2026-12-28", "2026-12-27", "2026-12-26"),
            ("1969-12-31", "1969-12-29", "1969-12-28", "1969-12-27"),
        ])
    func weekStart(date: String, monday: String, sunday: String, saturday: String) throws {
        let day = try day(date)
        #expect(CalendarWeek.start(of: day, weekStart: .monday).description == monday)
        #expect(CalendarWeek.start(of: day, weekStart: .sunday).description == sunday)
        #expect(CalendarWeek.start(of: day, weekStart: .saturday).description == saturday)
    }

    @Test("Spans of days in the wrong order are empty, and a week ahead of today has no day")
    func spans() throws {
        let (first, last) = (Day(number: 10), Day(number: 12))
        #expect(Array(DaySpan(from: first, through: last)) == [Day(number: 10), Day(number: 11), Day(number: 12)])
        #expect(DaySpan(from: last, through: first).isEmpty && DaySpan(start: first, count: -1).isEmpty)
        let calendar = PlanCalendar(start: first, weekCount: 2)
        #expect(calendar.days(ofWeek: 0, upTo: last).count == 3)
        #expect(calendar.days(ofWeek: 0, upTo: Day(number: 40)).count == 7)
        #expect(calendar.days(ofWeek: 1, upTo: Day(number: 16)).isEmpty)
        #expect(PlanCalendar(start: first, weekCount: 0).currentWeek(on: last) == 0)
    }
}
