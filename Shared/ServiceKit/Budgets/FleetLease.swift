internal import EventLoops
internal import Storage

/// A piece of the fleet's budget in the hands of one loop: when to fetch the next, and who has to wait for it.
///
/// A pure value. A piece lasts for `FleetLease.life`; what is left of it then is lost, so that a loop that was idle has not saved
/// up what others could have used.
struct FleetLease {
    /// What happens to somebody who wants cells.
    enum Action: Hashable {
        /// They are there; `fetches` asks for the next piece, because this one is running out.
        case admit(fetches: Bool)
        /// A piece is on its way, or has to be fetched by the caller.
        case wait(fetches: Bool)
        /// The fleet has nothing left; some is earned after a while.
        case refuse(Duration)
    }

    /// Cells of one piece.
    let piece: Int
    private var left = 0
    private var end = MonotonicInstant(milliseconds: 0)
    private var refusedUntil = MonotonicInstant(milliseconds: 0)
    private var isFetching = false

    /// How long a piece lasts.
    static let life = Duration.seconds(1)

    /// Pieces of a twentieth of what the fleet earns in a second.
    init(perSecond: Int) { piece = max(1, perSecond / 20) }

    /// Somebody wants cells.
    mutating func ask(_ cells: Int, at now: MonotonicInstant) -> Action {
        if now >= end { left = 0 }
        if left >= cells {
            left -= cells
            return .admit(fetches: left < piece / 2 && now >= refusedUntil && beginsFetch())
        }
        if now < refusedUntil { return .refuse(now.duration(to: refusedUntil)) }
        return .wait(fetches: beginsFetch())
    }

    /// A piece has come, or a part of it: `decision` of a request for cells.
    mutating func fetched(_ decision: RateBudget.Decision, at now: MonotonicInstant) {
        isFetching = false
        if now >= end { left = 0 }
        left += decision.admitted
        end = now.advanced(by: Self.life)
        if decision.wait > .zero { refusedUntil = now.advanced(by: max(decision.wait, .milliseconds(10))) }
    }

    private mutating func beginsFetch() -> Bool {
        defer { isFetching = true }
        return !isFetching
    }
}
