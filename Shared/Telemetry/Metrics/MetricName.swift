/// The rules for names of metrics and labels.
///
/// The format allows more (colons, capitals, any unit); what is refused here is what `promtool check metrics` objects to, so that
/// a page from this registry has nothing to object to. Source: the Prometheus pages on the data model and on naming.
enum MetricName {
    static func check(_ name: String, help: String, kind: MetricKind) throws(MetricError) {
        func refuse(_ reason: String) -> MetricError { .invalidName(name, reason: reason) }
        guard isSnakeCase(name) else { throw refuse("not lower-case words joined by underscores") }
        guard !help.isEmpty else { throw refuse("no help text") }
        let isCounter = kind == .counter
        if isCounter != name.hasSuffix("_total") { throw refuse("counters end in _total, and nothing else does") }
        for suffix in ["_count", "_sum", "_bucket", "_info"] where name.hasSuffix(suffix) {
            throw refuse("the ending \(suffix) means something else")
        }
        for word in name.split(separator: "_") {
            if let base = baseUnits[String(word)] { throw refuse("use the base unit \(base)") }
            if ["counter", "gauge", "histogram", "summary"].contains(word) { throw refuse("names its own type") }
        }
    }

    static func check(_ labels: [(String, String)], metric: String, kind: MetricKind) throws(MetricError) {
        var seen: Set<String> = []
        for (name, _) in labels {
            let reserved = name.hasPrefix("__") || (kind == .histogram && name == "le")
            guard isSnakeCase(name), !reserved, seen.insert(name).inserted else {
                throw .invalidLabel(name, metric: metric)
            }
        }
    }

    static func check(bounds: [Double], metric: String) throws(MetricError) {
        let rises = zip(bounds, bounds.dropFirst()).allSatisfy { $0 < $1 }
        guard !bounds.isEmpty, rises, bounds.allSatisfy(\.isFinite) else { throw .invalidBounds(metric: metric) }
    }

    private static func isSnakeCase(_ name: String) -> Bool {
        guard let first = name.utf8.first, first == UInt8(ascii: "_") || isLetter(first) else { return false }
        return name.utf8.allSatisfy { $0 == UInt8(ascii: "_") || isLetter($0) || (0x30...0x39).contains($0) }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }

    private static let baseUnits: [String: String] = [
        "milliseconds": "seconds", "microseconds": "seconds", "nanoseconds": "seconds", "ms": "seconds",
        "minutes": "seconds", "hours": "seconds", "days": "seconds", "kilobytes": "bytes", "megabytes": "bytes",
        "bits": "bytes", "percent": "ratio", "kilometers": "meters", "millimeters": "meters",
    ]
}

/// The types of the text format that this registry writes.
enum MetricKind: String, Sendable {
    case counter, gauge, histogram
}
