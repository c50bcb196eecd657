/// Reads the parameters of a query by name and collects what is wrong with them under `/query/…`.
///
/// A parameter with an empty value is not left out: it is faulty, as a value that cannot be read.
struct QueryReader {
    /// What was found so far.
    private(set) var faults = FaultList()

    /// Notes a fault of a parameter.
    mutating func add(_ name: String, _ detail: String) { faults.add("/query/\(name)", detail) }

    /// Notes a fault of a parameter; the nil is for the caller to return.
    private mutating func fault<Value>(_ name: String, _ detail: String) -> Value? {
        add(name, detail)
        return nil
    }

    /// How many to answer with, 1 … 1000; the default if left out or faulty.
    mutating func limit(_ text: String?, default standard: Int) -> Int {
        guard let text else { return standard }
        guard let value = Self.integer(text), (1...1000).contains(value) else {
            return fault("limit", "must be an integer from 1 to 1000") ?? standard
        }
        return Int(value)
    }

    /// An instant that does not look like seconds.
    mutating func instant(_ name: String, _ text: String?) -> Timestamp? {
        guard let text else { return nil }
        guard let value = Self.integer(text) else {
            return fault(name, "must be an integer, milliseconds since 1970-01-01T00:00:00Z, that fits into 64 bits")
        }
        guard !(1...WorkoutLimits.largestSeconds).contains(value) else {
            return fault(name, "looks like seconds; instants are milliseconds since 1970-01-01T00:00:00Z")
        }
        return Timestamp(milliseconds: value)
    }

    /// A required day.
    mutating func day(_ name: String, _ text: String?) -> Day? {
        guard let text else { return fault(name, "is required: a day, YYYY-MM-DD") }
        return Day(parsing: text) ?? fault(name, "must be a day of the calendar, YYYY-MM-DD")
    }

    /// The name of a known zone.
    mutating func zone(_ text: String?, isKnownZone: (String) -> Bool) -> String? {
        guard let text else { return nil }
        guard ProfileSubmission.isKnown(text, isKnownZone) else {
            return fault("time_zone", ProfileSubmission.unknownZone)
        }
        return text
    }

    /// A cursor that the server gave out.
    mutating func cursor<Cursor>(_ text: String?, _ read: (String) -> Cursor?) -> Cursor? {
        guard let text else { return nil }
        return read(text) ?? fault("cursor", "is not a cursor of this list; begin again without one")
    }

    /// The value if nothing was found.
    func checked<Value>(_ value: Value) -> Checked<Value> {
        faults.isEmpty ? .valid(value) : .invalid(faults.faults)
    }

    /// Decimal digits, a minus in front at most, that fit into 64 bits.
    private static func integer(_ text: String) -> Int64? {
        text.utf8.first == UInt8(ascii: "+") ? nil : Int64(text)
    }
}
