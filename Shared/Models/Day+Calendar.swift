extension Day: CustomStringConvertible {
    /// The year, month (1 … 12) and day of the month (1 … 31) in the proleptic Gregorian calendar.
    ///
    /// Counted in years that begin in March, so that the leap day is the last of its year.
    public var civil: (year: Int32, month: Int32, day: Int32) {
        let shifted = Int64(number) + 719_468  // Days since 0000-03-01.
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (Int32(truncatingIfNeeded: year), Int32(truncatingIfNeeded: month), Int32(truncatingIfNeeded: day))
    }

    /// The day of a civil date; nil if there is no such date, or its number does not fit.
    public init?(year: Int32, month: Int32, day: Int32) {
        guard (1...12).contains(month), day >= 1, day <= Self.length(ofMonth: month, year: year) else { return nil }
        let marchYear = Int64(year) - (month <= 2 ? 1 : 0)
        let era = (marchYear >= 0 ? marchYear : marchYear - 399) / 400
        let yearOfEra = marchYear - era * 400
        let marchMonth = Int64(month) + (month > 2 ? -3 : 9)
        let dayOfYear = (153 * marchMonth + 2) / 5 + Int64(day) - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        guard let number = Int32(exactly: era * 146_097 + dayOfEra - 719_468) else { return nil }
        self.init(number: number)
    }

    /// Reads `YYYY-MM-DD`, exactly ten ASCII characters and a real date; nil for anything else.
    public init?(parsing text: String) { self.init(parsing: text.utf8.span) }

    /// The same of bytes.
    public init?(parsing bytes: Span<UInt8>) {
        guard bytes.count == 10 else { return nil }
        var fields: (Int32, Int32, Int32) = (0, 0, 0)
        for index in 0..<10 {
            let byte = bytes[index]
            if index == 4 || index == 7 {
                guard byte == UInt8(ascii: "-") else { return nil }
                continue
            }
            guard case let digit = byte &- UInt8(ascii: "0"), digit <= 9 else { return nil }
            switch index {
            case 0..<4: fields.0 = fields.0 * 10 + Int32(digit)
            case 5..<7: fields.1 = fields.1 * 10 + Int32(digit)
            default: fields.2 = fields.2 * 10 + Int32(digit)
            }
        }
        self.init(year: fields.0, month: fields.1, day: fields.2)
    }

    /// The date as `YYYY-MM-DD`; years outside 0 … 9999 carry a sign (ISO 8601) and cannot be read back.
    public var description: String {
        let (year, month, day) = civil
        if (0...9999).contains(year) { return Self.text(year.magnitude, month.magnitude, day.magnitude) }
        let sign: String = year < 0 ? "-" : year > 9999 ? "+" : ""
        return
            "\(sign)\(Self.padded(year.magnitude, 4))-\(Self.padded(month.magnitude, 2))-\(Self.padded(day.magnitude, 2))"
    }

    /// Ten bytes, which Swift keeps without an allocation.
    private static func text(_ year: UInt32, _ month: UInt32, _ day: UInt32) -> String {
        String(unsafeUninitializedCapacity: 10) { text in
            func put(_ value: UInt32, from first: Int, through last: Int) {
                var rest = value
                for place in stride(from: last, through: first, by: -1) {
                    text[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                    rest /= 10
                }
            }
            put(year, from: 0, through: 3)
            put(month, from: 5, through: 6)
            put(day, from: 8, through: 9)
            text[4] = UInt8(ascii: "-")
            text[7] = UInt8(ascii: "-")
            return 10
        }
    }

    private static func padded(_ value: UInt32, _ places: Int) -> String {
        let digits = "\(value)"
        return String(repeating: "0", count: max(0, places - digits.utf8.count)) + digits
    }

    private static func length(ofMonth month: Int32, year: Int32) -> Int32 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
