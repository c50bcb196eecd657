/// The `Date` field (RFC 9110 §6.6.1), formatted once a second.
struct HTTPDate {
    private var second: Int64 = .min
    private var cached: [UInt8] = []

    /// The whole field line with its CRLF, for a number of seconds since 1970-01-01T00:00:00Z.
    mutating func line(at second: Int64) -> [UInt8] {
        if second != self.second {
            self.second = second
            cached = Array("Date: \(Self.text(second))\r\n".utf8)
        }
        return cached
    }

    /// IMF-fixdate (RFC 9110 §5.6.7); the calendar by counting days from 0000-03-01 in eras of 400 years.
    static func text(_ second: Int64) -> String {
        let days = second.quotientRoundedDown(by: 86_400)
        let time = second - days * 86_400
        let shifted = days + 719_468
        let era = shifted.quotientRoundedDown(by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        let weekday = Int(days + 4 - (days + 4).quotientRoundedDown(by: 7) * 7)
        return "\(weekdays[weekday]), \(two(day)) \(months[Int(month) - 1]) \(four(year)) "
            + "\(two(time / 3600)):\(two(time / 60 % 60)):\(two(time % 60)) GMT"
    }

    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    private static func four(_ number: Int64) -> String {
        let digits = "\(number)"
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}

extension Int64 {
    /// The quotient rounded towards minus infinity.
    fileprivate func quotientRoundedDown(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
