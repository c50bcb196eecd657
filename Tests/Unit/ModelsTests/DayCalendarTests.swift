import Models
import Testing

@Suite struct DayCalendarTests {
    @Test(
        "Dates and day numbers belong together",
        arguments: [
            ("1970-01-01", 0), ("1969-12-31", -1), ("2000-01-01", 10957), ("2000-02-29", 11016), ("2000-03-01", 11017),
            ("2024-12-31", 20088), ("2025-11-30", 20422), ("1900-02-28", -25509), ("1900-03-01", -25508),
            ("0001-01-01", -719_162), ("0000-03-01", -719_468), ("0000-01-01", -719_528), ("9999-12-31", 2_932_896),
        ] as [(String, Int32)])
    func dates(text: String, number: Int32) {
        #expect(Day(parsing: text) == Day(number: number))
        #expect(Day(number: number).description == text)
    }

    @Test(
        "What is no date in exactly this form is refused",
        arguments: [
            "", "2025-02-29", "1900-02-29", "2025-04-31", "2025-13-01", "2025-00-10", "2025-01-00", "2025-01-32",
            "2025-1-1", "2025-01-1", "25-01-01", "2025/01/01", "2025-01-01 ", " 2025-01-01", "2025-01-01T00:00Z",
            "+025-01-01", "-025-01-01", "2025-01-0a", "20250101", "2025-01-0١", "２025-01-",
        ])
    func refused(text: String) { #expect(Day(parsing: text) == nil) }

    @Test("Days follow each other without a hole through 800 years, each date read back as it is written")
    func sequence() {
        var (year, month, day): (Int32, Int32, Int32) = (1599, 12, 30)
        for number in Int32(-135_141)...157_000 {
            let civil = Day(number: number).civil
            if (civil.year, civil.month, civil.day) != (year, month, day + 1) {
                #expect(civil.day == 1)
                #expect((civil.year, civil.month) == (month == 12 ? (year + 1, 1) : (year, month + 1)))
            }
            (year, month, day) = civil
            #expect(Day(year: year, month: month, day: day)?.number == number)
        }
        #expect((year, month) == (2399, 11))
    }

    @Test(
        "The ends of the range neither trap nor come back wrong", arguments: [Int32.min, Int32.min + 1, -1, Int32.max])
    func extremes(number: Int32) {
        let civil = Day(number: number).civil
        #expect(Day(year: civil.year, month: civil.month, day: civil.day)?.number == number)
        #expect(!Day(number: number).description.isEmpty)
        #expect(Day(year: .max, month: 12, day: 31) == nil)
        #expect(Day(year: .min, month: 1, day: 1) == nil)
    }

    @Test("Years beyond four digits carry a sign")
    func signs() {
        #expect(Day(year: 12345, month: 6, day: 7)?.description == "+12345-06-07")
        #expect(Day(year: -5, month: 6, day: 7)?.description == "-0005-06-07")
    }
}
