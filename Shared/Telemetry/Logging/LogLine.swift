/// One line of the log: a JSON object (RFC 8259) and a line feed.
///
/// Escaping is stricter than JSON asks: besides quotation mark, backslash and control characters, DEL, the C1 controls and
/// the two Unicode line separators are escaped, so that no text can forge a line or steer a terminal.
struct LogLine {
    /// Longest text of one value in bytes; a longer one is cut and ends in an ellipsis.
    static let longestText = 4096

    private(set) var bytes: [UInt8] = []

    /// - Parameter milliseconds: since 1970-01-01T00:00:00Z.
    init(milliseconds: Int64, level: LogLevel, message: String, service: String) {
        bytes.reserveCapacity(256)
        append("{\"ts\":\"")
        append(RFC3339.text(milliseconds: milliseconds))
        append("\",\"level\":\"\(level.rawValue)\"")
        append(key: "msg", .string(message))
        append(key: "service", .string(service))
    }

    mutating func append(_ fields: LogFields) {
        for (key, value) in fields.entries {
            let name = key.description
            append(key: Self.taken.contains(name) ? "field_" + name : name, value)
        }
    }

    mutating func append(key: String, _ value: LogValue) {
        append(",")
        append(quoted: key)
        append(":")
        switch value {
        case .string(let text): append(quoted: text)
        case .integer(let number): append("\(number)")
        case .unsigned(let number): append("\(number)")
        case .double(let number): append(number.isFinite ? "\(number)" : "null")
        case .boolean(let truth): append(truth ? "true" : "false")
        case .null: append("null")
        }
    }

    /// Ends the object and the line.
    mutating func finish() { append("}\n") }

    private static let taken: Set<String> = [
        "ts", "level", "msg", "service", "request_id", "trace_id", "suppressed",
    ]

    private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

    private mutating func append(quoted text: String) {
        append("\"")
        let limit = bytes.count + Self.longestText
        for scalar in text.unicodeScalars {
            if bytes.count >= limit {
                append("…")
                break
            }
            append(escaped: scalar)
        }
        append("\"")
    }

    private mutating func append(escaped scalar: Unicode.Scalar) {
        switch scalar {
        case "\"": append("\\\"")
        case "\\": append("\\\\")
        case "\n": append("\\n")
        case "\r": append("\\r")
        case "\t": append("\\t")
        case "\u{0}"..."\u{1f}", "\u{7f}"..."\u{9f}", "\u{2028}", "\u{2029}":
            let digits = String(scalar.value, radix: 16)
            append("\\u" + String(repeating: "0", count: 4 - digits.count) + digits)
        default: bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        }
    }
}
