/// How much one user may send: so many a minute on average, and so many at once.
///
/// The generic cell rate algorithm: all that is kept is the theoretical arrival time (TAT) of the next cell. A cell
/// conforms while TAT lies at most `burst` intervals ahead; each admitted cell moves it on by one interval. Source:
/// ITU-T I.371, virtual scheduling.
package struct RateBudget: Hashable, Sendable {
    /// Microseconds that one cell costs.
    package let interval: Int64
    /// Cells that may come at once.
    package let burst: Int64

    /// Makes a budget; both numbers count as at least one.
    package init(perMinute: Int, burst: Int) {
        interval = 60_000_000 / Int64(max(1, perMinute))
        self.burst = Int64(max(1, burst))
    }

    /// What a caller is told.
    package struct Decision: Hashable, Sendable {
        /// How many of the cells asked for are admitted, from the front.
        package let admitted: Int
        /// How many more would be admitted right now.
        package let remaining: Int
        /// Until one more cell is admitted; zero while some remain.
        package let wait: Duration
        /// Until the whole burst is there again.
        package let reset: Duration

        /// Puts a decision together.
        package init(admitted: Int, remaining: Int, wait: Duration, reset: Duration) {
            self.admitted = admitted
            self.remaining = remaining
            self.wait = wait
            self.reset = reset
        }
    }

    /// Decides about `cells` at `now` and moves the arrival time on.
    ///
    /// Times are microseconds of any one clock.
    ///
    /// An arrival time further ahead than the burst allows comes from a clock that was set back; it is cut, so that
    /// nobody is locked out for longer than the burst lasts.
    package func admit(_ cells: Int, at now: Int64, arrival: inout Int64) -> Decision {
        let span = burst * interval
        arrival = min(max(arrival, now), now + span)
        let free = (now + span - arrival) / interval
        let admitted = min(Int64(max(0, cells)), free)
        arrival += admitted * interval
        return decision(admitted: admitted, at: now, arrival: arrival)
    }

    /// Works out what a caller is told from an arrival time.
    package func decision(admitted: Int64, at now: Int64, arrival: Int64) -> Decision {
        let ahead = max(0, arrival - now)
        let remaining = max(0, (burst * interval - ahead) / interval)
        let wait = remaining > 0 ? 0 : ahead + interval - burst * interval
        return Decision(
            admitted: Int(admitted), remaining: Int(remaining), wait: .microseconds(max(0, wait)),
            reset: .microseconds(ahead))
    }
}
