internal import EventLoops

/// Spreads clients that were refused together, so that they do not come back together.
package enum Jitter {
    /// Milliseconds to wait: never less than the true wait, and up to half of it, at least half a second, more.
    package static func spread(_ wait: Duration) -> Int64 {
        let least = max(0, wait.wholeMilliseconds)
        return least + Int64.random(in: 1...max(500, least / 2))
    }
}
