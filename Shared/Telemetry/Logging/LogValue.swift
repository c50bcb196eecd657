/// The value of one field of a log line.
///
/// A closed set, so that whatever is logged has one JSON form. A value that must not be seen is of a type whose description is
/// stars, and comes here through `describing` or interpolation.
package enum LogValue: Sendable, Equatable {
    /// Text of any kind; cut after 4 096 bytes.
    case string(String)
    /// A whole number.
    case integer(Int64)
    /// A whole number that may be above the signed range.
    case unsigned(UInt64)
    /// Written as null when it is no number or infinite: JSON has no word for those.
    case double(Double)
    /// True or false.
    case boolean(Bool)
    /// Known to be absent.
    case null

    /// A whole number of any width.
    package static func number(_ value: Int) -> LogValue { .integer(Int64(value)) }

    /// The value's own description; a secret describes itself as stars.
    package static func describing(_ value: some CustomStringConvertible) -> LogValue { .string(value.description) }

    /// An error's text for logs.
    package static func error(_ error: any Error) -> LogValue { .string(String(reflecting: error)) }

    /// A duration in milliseconds with its fraction; the key's name ends in `_ms`.
    package static func milliseconds(_ duration: Duration) -> LogValue { .double(duration.inSeconds * 1000) }
}

extension LogValue: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByFloatLiteral
{
    package init(stringLiteral value: String) { self = .string(value) }
    package init(integerLiteral value: Int64) { self = .integer(value) }
    package init(booleanLiteral value: Bool) { self = .boolean(value) }
    package init(floatLiteral value: Double) { self = .double(value) }
}

/// The fields of one line, in the order in which they are written.
///
/// Keys are literals in `snake_case`: nothing that comes from outside can become a key. A key that every line has already
/// (`ts`, `level`, `msg`, `service`, `request_id`, `trace_id`, `suppressed`) is written with `field_` before it.
package struct LogFields: Sendable, ExpressibleByDictionaryLiteral {
    private(set) var entries: [(key: StaticString, value: LogValue)]

    package init(dictionaryLiteral elements: (StaticString, LogValue)...) {
        entries = elements.map { (key: $0.0, value: $0.1) }
    }

    /// Adds a field behind the others.
    package mutating func append(_ key: StaticString, _ value: LogValue) { entries.append((key: key, value: value)) }
}
