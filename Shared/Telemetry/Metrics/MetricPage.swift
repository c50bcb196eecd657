/// Writes lines of the Prometheus text format.
struct MetricPage {
    private(set) var bytes: [UInt8] = []

    mutating func begin(_ family: MetricRegistry.Family) {
        append("# HELP \(family.name) ")
        appendEscaped(family.help, quotes: false)
        append("\n# TYPE \(family.name) \(family.kind.rawValue)\n")
    }

    mutating func line(_ name: String, _ labels: [(String, String)], value: String) {
        append(name)
        for (index, label) in labels.enumerated() {
            append(index == 0 ? "{" : ",")
            append(label.0)
            append("=\"")
            appendEscaped(label.1, quotes: true)
            append("\"")
        }
        append(labels.isEmpty ? " " : "} ")
        append(value)
        append("\n")
    }

    /// A number as the format wants it: whole numbers without a fraction, `+Inf`, `-Inf` and `NaN` spelled its way.
    static func text(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
        if let whole = Int64(exactly: value), abs(value) < 0x1p53 { return "\(whole)" }
        return "\(value)"
    }

    private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

    /// Backslash and line feed are escaped everywhere, the quotation mark in label values only.
    private mutating func appendEscaped(_ text: String, quotes: Bool) {
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\\"): append("\\\\")
            case UInt8(ascii: "\n"): append("\\n")
            case UInt8(ascii: "\"") where quotes: append("\\\"")
            default: bytes.append(byte)
            }
        }
    }
}
