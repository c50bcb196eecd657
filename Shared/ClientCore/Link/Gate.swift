import Models

/// When a kind of request may be sent again.
///
/// Open, or closed until a time: as the server told, or after failures twice as long each time, with jitter so that phones
/// that failed together do not come back together. Failures are unlimited; the wait is not longer than a quarter of an hour.
struct Gate: Equatable {
    /// Why it is closed, for screens.
    enum Cause: Int {
        /// Nobody answered.
        case silence
        /// The server asked to wait.
        case busy
        /// An answer that is none of the services: a mistake there, or somebody between.
        case nonsense

        var name: String {
            switch self {
            case .silence: "no_answer"
            case .busy: "busy"
            case .nonsense: "unclear"
            }
        }
    }

    /// The longest wait of one's own.
    static let longest: Int64 = 900_000
    /// The longest wait that is believed: no service asks for more.
    static let longestTold: Int64 = 3_600_000
    /// The longest wait that refusals without a believable one grow to.
    static let longestFloor: Int64 = 300_000

    private(set) var until: Int64 = 0
    private var closedAt: Int64 = 0
    private(set) var failures = 0
    private(set) var wasTold = false
    private(set) var cause = Cause.silence

    /// Whether nothing speaks against sending; a clock that was put back opens it.
    func isOpen(at now: Int64) -> Bool { now >= until || now < closedAt - 1000 }

    /// It worked.
    mutating func succeed() { self = Gate() }

    /// No answer, or one that says nothing: wait by oneself.
    mutating func fail(at now: Int64, _ random: inout SeededRandom, cause: Cause = .nonsense) {
        let most = min(Self.longest, 1000 << Int64(min(failures + 1, 20)))
        if failures < 1_000_000 { failures += 1 }
        close(for: most / 2 + random.upTo(most / 2), at: now)
        wasTold = false
        self.cause = cause
    }

    /// The server said how long: that, and up to a tenth more.
    ///
    /// Never less than a second, and twice as long with each refusal in a row: a server that says nothing sensible, or
    /// refuses whoever comes back as told, is not hammered.
    mutating func wait(_ milliseconds: Int64, at now: Int64, _ random: inout SeededRandom) {
        let floor = min(Self.longestFloor, 1000 << Int64(min(failures, 20)))
        if failures < 1_000_000 { failures += 1 }
        let told = max(floor, min(milliseconds, Self.longestTold))
        close(for: told + random.upTo(told / 10), at: now)
        wasTold = true
        cause = .busy
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

extension Gate {
    /// The stored form of what the server told: when, until when, and after how many refusals in a row.
    func write(to writer: inout JSONWriter) {
        writer.beginArray()
        for part in wasTold ? [closedAt, until, Int64(failures)] : [] { writer.integer(part) }
        writer.endArray()
    }

    /// Reads the stored form; open if it is none.
    ///
    /// No wait is longer than the longest that is believed.
    init(_ value: JSONValue) {
        let parts = value.elements.map { $0.integer ?? 0 }
        guard parts.count == 3, Clock.contains(parts[0]), parts[1] > parts[0], parts[2] > 0 else { return }
        closedAt = parts[0]
        until = min(parts[1], closedAt + Self.longestTold + Self.longestTold / 10)
        failures = Int(min(parts[2], 1_000_000))
        wasTold = true
        cause = .busy
    }
}
