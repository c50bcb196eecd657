import Models
import Testing

@testable import Storage

/// The numbers in the fields of a user's hash.
struct FieldReaderTests {
    @Test("numbers are read up to the ends of 64 bits, and nothing else is a number")
    func numbers() {
        let cases: [(String, Int64?)] = [
            ("0", 0), ("42", 42), ("-7", -7), ("007", 7), ("9223372036854775807", .max), ("-9223372036854775808", .min),
            ("9223372036854775808", nil), ("-9223372036854775809", nil), ("99999999999999999999", nil), ("", nil),
            ("-", nil), ("+1", nil), (" 1", nil), ("x", nil),
        ]
        for (text, number) in cases {
            var reader = FieldReader(ArraySlice(text.utf8))
            #expect(reader.number() == number, "\(text)")
            #expect(reader.isAtEnd == (number != nil || text.isEmpty), "\(text)")
        }
    }

    @Test("a day needs four numbers with colons between them and nothing behind them")
    func rows() throws {
        let (user, day) = (UserID(UUIDValue(high: 1, low: 2)), Day(number: 20_789))
        let row = try #require(HomeFields.row(ArraySlice("5:4999:2900500:3".utf8), user: user, day: day))
        #expect(row.revision == 5 && row.totals.steps == 4999)
        #expect(row.totals.distance == Millimetres(2_900_500) && row.totals.workouts == 3)
        for damaged in ["", "5", "5:1:1", "5:1:1:1:", "5:1:1:1:1", "5:1::1", ":1:1:1", "5:1:1:2147483648", "5:1:1:1 "] {
            #expect(HomeFields.row(ArraySlice(damaged.utf8), user: user, day: day) == nil, "\(damaged)")
        }
    }

    @Test("days are found whatever the order in which they came")
    func days() {
        let user = UserID(UUIDValue(high: 1, low: 2))
        let days = HomeDays(
            [30, 10, 20].map { number in
                DayTotalsRow(user: user, day: Day(number: number), totals: DayTotals(), revision: Int64(number))
            })
        #expect(days.rows.map(\.day.number) == [10, 20, 30])
        #expect([9, 10, 15, 20, 30, 31].map { days[Day(number: $0)]?.revision } == [nil, 10, nil, 20, 30, nil])
        #expect(HomeDays()[Day(number: 1)] == nil)
    }
}
