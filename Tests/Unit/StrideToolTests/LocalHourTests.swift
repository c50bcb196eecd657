import Models
import ServiceKit
import Testing

@testable import StrideTool

/// When a wall-clock hour begins.
@Suite struct LocalHourTests {
    @Test(
        "An hour of the recording is read month first",
        arguments: [
            ("3/12/2016 0:00", "2016-03-12T00"), ("12/1/2016 23:00", "2016-12-01T23"),
            ("2/29/2016 09:00", "2016-02-29T09"),
        ])
    func reading(text: String, hour: String) throws {
        #expect(try #require(LocalHour(parsing: text)).description == hour)
    }

    @Test(
        "What is no whole hour of a real day is not read",
        arguments: [
            "", "3/12/2016", "3/12/2016 24:00", "3/12/2016 1:30", "13/1/2016 1:00", "2/30/2016 1:00", "2/29/2015 1:00",
            "3/12/16 1:00", "3/12/2016 1:00 ", "3/12/2016  1:00", "3-12-2016 1:00", "3/12/2016 -1:00", "3/+1/2016 1:00",
            "3/12/2016 1:00:00", "3/12/20160 1:00", "٣/12/2016 1:00",
        ])
    func refusing(text: String) { #expect(LocalHour(parsing: text) == nil) }

    @Test(
        "The twelve-hour clock calls midnight and noon twelve",
        arguments: [
            ("12:00:00 AM", 0), ("01:00:00 AM", 1), ("11:00:00 AM", 11), ("12:00:00 PM", 12), ("01:00:00 PM", 13),
            ("11:00:00 PM", 23), ("13:00:00 PM", nil), ("00:00:00 AM", nil), ("01:00 AM", nil), ("01:00:00", nil),
            ("01:00:00 am", nil), ("01:00:01 AM", nil),
        ] as [(String, Int?)])
    func twelveHours(text: String, hour: Int?) { #expect(LocalHour.hourOfTwelve(text) == hour) }

    // Worked out by hand from the rules of the zones.
    @Test(
        "An hour begins when the clock first shows it, a missing one when the clocks jump, a doubled one at its first",
        arguments: [
            ("America/New_York", "3/12/2016 0:00", 1_457_758_800_000),  // 05:00Z, five hours behind
            ("America/New_York", "3/13/2016 1:00", 1_457_848_800_000),  // 06:00Z, the last hour before the jump
            ("America/New_York", "3/13/2016 2:00", 1_457_852_400_000),  // does not exist: 07:00Z, the jump
            ("America/New_York", "3/13/2016 3:00", 1_457_852_400_000),  // 07:00Z
            ("America/New_York", "3/13/2016 4:00", 1_457_856_000_000),  // 08:00Z
            ("America/New_York", "11/6/2016 1:00", 1_478_408_400_000),  // twice: 05:00Z and 06:00Z
            ("America/New_York", "11/6/2016 2:00", 1_478_415_600_000),  // 07:00Z
            ("Australia/Lord_Howe", "10/2/2016 2:00", 1_475_335_800_000),  // half an hour is left out: 15:30Z
            ("Australia/Lord_Howe", "10/2/2016 3:00", 1_475_337_600_000),  // 16:00Z, eleven hours ahead
            ("America/Sao_Paulo", "10/16/2016 0:00", 1_476_586_800_000),  // a midnight left out: 03:00Z
            ("America/Sao_Paulo", "2/20/2016 23:00", 1_456_016_400_000),  // twice: 01:00Z and 02:00Z
            ("America/Sao_Paulo", "2/21/2016 0:00", 1_456_023_600_000),  // 03:00Z
            ("Pacific/Apia", "12/30/2011 5:00", 1_325_239_200_000),  // a day left out: its end, 10:00Z
        ])
    func starts(zone: String, text: String, milliseconds: Int64) throws {
        let clock = try #require(ZoneCatalogue().clock(of: zone))
        let hour = try #require(LocalHour(parsing: text))
        #expect(hour.start(in: clock).milliseconds == milliseconds)
    }

    @Test(
        "No earlier quarter of an hour shows the hour or a later one, and the day stays the same",
        arguments: [
            "America/New_York", "Europe/Berlin", "America/Sao_Paulo", "Australia/Lord_Howe", "Asia/Kathmandu",
            "Pacific/Kiritimati", "UTC",
        ])
    func isFirst(zone: String) throws {
        let clock = try #require(ZoneCatalogue().clock(of: zone))
        let first = try #require(Day(year: 2016, month: 1, day: 1))
        var wrong: [LocalHour] = []
        for number in 0..<366 {
            for hour in 0..<24 {
                let local = LocalHour(day: first.advanced(by: number), hour: hour)
                let start = local.start(in: clock)
                let wall = Int64(local.day.number) * Day.milliseconds + Int64(hour) * 3_600_000
                func shows(_ at: Int64) -> Bool {
                    at + Int64(clock.offsetSeconds(at: Timestamp(milliseconds: at))) * 1000 >= wall
                }
                let isFirst =
                    shows(start.milliseconds)
                    && (1...12).allSatisfy { !shows(start.milliseconds - Int64($0) * 900_000) }
                if !isFirst || clock.day(at: start) != local.day { wrong.append(local) }
            }
        }
        #expect(wrong == [])
    }
}
