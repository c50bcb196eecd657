/// Whether calls are tried at all: after one that was not answered in time nobody waits any more, until a probe is.
///
/// Slow is worse than gone: without this every caller would wait for its own deadline. A pure value.
struct RedisBreaker {
    /// Calls are refused at once, and somebody probes.
    private(set) var isOpen = false
    private var pause = Self.shortestPause

    static let shortestPause = Duration.milliseconds(50)
    static let longestPause = Duration.milliseconds(500)

    /// A call was late; true if probing has to begin.
    mutating func late() -> Bool {
        defer { isOpen = true }
        pause = isOpen ? pause : Self.shortestPause
        return !isOpen
    }

    /// How long to wait before the next probe; each pause is twice the one before.
    mutating func nextPause() -> Duration {
        defer { pause = min(pause * 2, Self.longestPause) }
        return pause
    }

    /// A probe was answered in time.
    mutating func answered() { isOpen = false }
}
