/// How many lines of one message a second may write.
///
/// Messages are literals, so the table is as large as the program has messages; the bound is for safety. Pure: the caller
/// brings the time and the lock.
struct LogLimiter: Sendable {
    /// What becomes of a line.
    enum Decision: Equatable {
        /// Write it, and say how many of its kind were left out before it.
        case write(suppressed: UInt64)
        case suppress
    }

    private struct Window {
        var second: Int64
        var written: Int
        var suppressed: UInt64
    }

    static let mostMessages = 4096
    private let perSecond: Int
    private var windows: [String: Window] = [:]

    init(perSecond: Int) { self.perSecond = perSecond }

    mutating func decide(_ message: String, second: Int64) -> Decision {
        guard var window = windows[message] else {
            if windows.count < Self.mostMessages {
                windows[message] = Window(second: second, written: 1, suppressed: 0)
            }
            return .write(suppressed: 0)
        }
        defer { windows[message] = window }
        if window.second != second {
            defer { window = Window(second: second, written: 1, suppressed: 0) }
            return .write(suppressed: window.suppressed)
        }
        guard window.written < perSecond else {
            window.suppressed += 1
            return .suppress
        }
        window.written += 1
        return .write(suppressed: 0)
    }

    /// Takes the counts of messages that were suppressed in an earlier second and did not come again since.
    mutating func takeLeftOver(second: Int64) -> [(message: String, suppressed: UInt64)] {
        let left = windows.filter { $0.value.second != second && $0.value.suppressed > 0 }
        for message in left.keys { windows[message]?.suppressed = 0 }
        return left.map { (message: $0.key, suppressed: $0.value.suppressed) }
    }

    /// Takes every count, for the end.
    mutating func takeAll() -> [(message: String, suppressed: UInt64)] { takeLeftOver(second: .min) }
}
