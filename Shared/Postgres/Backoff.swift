/// Waits between attempts to reach a database that is down: each twice the one before, up to a limit, with jitter.
///
/// Jitter spreads the processes of a fleet, which all lost the database in the same instant.
package struct Backoff: Sendable {
    /// The first wait, before jitter.
    package static let first: Duration = .milliseconds(50)
    /// The longest wait, before jitter.
    package static let longest: Duration = .seconds(2)

    private var failures = 0

    /// No failure yet.
    package init() {}

    /// Whether the last attempt failed.
    package var isBackingOff: Bool { failures > 0 }

    /// Notes a failure and gives the wait before the next attempt: between half of the step and all of it.
    package mutating func failed(using generator: inout some RandomNumberGenerator) -> Duration {
        let step = min(Self.first * (1 << min(failures, 6)), Self.longest)
        failures = min(failures + 1, 64)
        let permille = Int.random(in: 500...1000, using: &generator)
        return step * permille / 1000
    }

    /// Notes that an attempt succeeded.
    package mutating func succeeded() { failures = 0 }
}
