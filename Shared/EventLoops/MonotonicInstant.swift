/// A point on a loop's monotonic clock, in milliseconds since an arbitrary start; never affected by the wall clock.
package struct MonotonicInstant: Comparable, Hashable, Sendable {
    /// Milliseconds since the clock's start.
    package var milliseconds: UInt64

    /// Wraps a reading of the clock.
    package init(milliseconds: UInt64) { self.milliseconds = milliseconds }

    /// The same in microseconds, clamped.
    package var microseconds: Int64 {
        let (product, overflow) = milliseconds.multipliedReportingOverflow(by: 1000)
        return overflow ? .max : Int64(clamping: product)
    }

    /// The later instant; a negative duration gives an earlier one, not below zero.
    package func advanced(by duration: Duration) -> MonotonicInstant {
        let delta = duration.wholeMilliseconds
        guard delta >= 0 else {
            return MonotonicInstant(milliseconds: milliseconds - min(milliseconds, UInt64(-delta)))
        }
        let (sum, overflow) = milliseconds.addingReportingOverflow(UInt64(delta))
        return MonotonicInstant(milliseconds: overflow ? .max : sum)
    }

    /// The time from this instant to another; negative when the other is earlier.
    package func duration(to other: MonotonicInstant) -> Duration {
        other >= self
            ? .milliseconds(Int64(clamping: other.milliseconds - milliseconds))
            : .milliseconds(-Int64(clamping: milliseconds - other.milliseconds))
    }

    /// Orders by time.
    package static func < (left: MonotonicInstant, right: MonotonicInstant) -> Bool {
        left.milliseconds < right.milliseconds
    }
}

extension Duration {
    /// The duration in nanoseconds, cut and clamped to ±292 years.
    var wholeNanoseconds: Int64 { Int64(clamping: attoseconds / 1_000_000_000) }

    /// The duration in milliseconds, rounded up so that a wait never ends early, and clamped to ±292 years.
    package var wholeMilliseconds: Int64 {
        // A call asks some five times, and `components` divides 128 bits twice. A millisecond is 2¹⁵·5¹⁵ attoseconds: without
        // the first factor the usual durations, up to three days, fit 64 bits.
        let magnitude = attoseconds.magnitude
        if let scaled = Int64(exactly: magnitude &>> 15) {
            let (whole, rest) = scaled.quotientAndRemainder(dividingBy: 30_517_578_125)
            if attoseconds < 0 { return -whole }
            return whole + (rest > 0 || magnitude & 0x7FFF > 0 ? 1 : 0)
        }
        let (seconds, attoseconds) = components
        let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        guard !overflow, abs(scaled) < Int64.max - 1000 else { return seconds < 0 ? -.max : .max }
        let part = attoseconds / 1_000_000_000_000_000
        let isRounded = attoseconds % 1_000_000_000_000_000 > 0
        return scaled + part + (isRounded ? 1 : 0)
    }
}
