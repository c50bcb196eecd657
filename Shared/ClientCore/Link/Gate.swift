/// When a kind of request may be sent again.
///
/// Open, or closed until a time: as the server told, or after failures twice as long each time, with jitter so that phones
/// that failed together do not come back together. Failures are unlimited; the wait is not longer than a quarter of an hour.
struct Gate {
    /// The longest wait of one's own.
    static let longest: Int64 = 900_000
    /// The longest wait that is believed: no service asks for more.
    static let longestTold: Int64 = 3_600_000

    private(set) var until: Int64 = 0
    private var closedAt: Int64 = 0
    private(set) var failures = 0
    private var wasTold = false

    /// Whether nothing speaks against sending; a clock that was put back opens it.
    func isOpen(at now: Int64) -> Bool { now >= until || now < closedAt - 1000 }

    /// It worked.
    mutating func succeed() { self = Gate() }

    /// No answer, or one that says nothing: wait by oneself.
    mutating func fail(at now: Int64, _ random: inout SeededRandom) {
        let most = min(Self.longest, 1000 << Int64(min(failures + 1, 20)))
        if failures < 1_000_000 { failures += 1 }
        close(for: most / 2 + random.upTo(most / 2), at: now)
        wasTold = false
    }

    /// The server said how long: that, and up to a tenth more.
    mutating func wait(_ milliseconds: Int64, at now: Int64, _ random: inout SeededRandom) {
        let told = max(0, min(milliseconds, Self.longestTold))
        close(for: told + random.upTo(max(100, told / 10)), at: now)
        wasTold = true
    }

    /// The network came back: waits of one's own are over, what the server said holds.
    mutating func reopen() {
        guard !wasTold else { return }
        self = Gate()
    }

    private mutating func close(for milliseconds: Int64, at now: Int64) {
        closedAt = now
        until = now + milliseconds
    }
}
