import EventLoops

/// One command of an exchange with a cluster, until its reply is final.
struct RedisErrand: Equatable {
    /// Which server gets it.
    enum Target: Equatable {
        /// Whoever serves the slot, as the map says; nil: any master, for a command without a key.
        case owner(of: UInt16?)
        /// This server, which serves the slot by now.
        case moved(RedisPlace)
        /// This server, for this once: the slot is on its way there.
        case asking(RedisPlace)
    }

    /// How often one command follows a redirection; then the redirection is its reply.
    static let mostRedirections = 3

    /// Where it stands in its exchange.
    let index: Int
    let slot: UInt16?
    var target: Target
    var redirections = 0
    var waits = 0

    init(index: Int, slot: UInt16?) {
        self.index = index
        self.slot = slot
        target = .owner(of: slot)
    }

    /// What follows a reply.
    enum Step: Equatable {
        /// The reply is the caller's.
        case done
        /// The slot is served by another server: note it, and send this there.
        case learn(slot: UInt16, RedisPlace, RedisErrand)
        /// Send this to a server that is only asked for this once.
        case ask(RedisErrand)
        /// Send this again after a pause.
        case wait(RedisErrand, Duration)
    }

    /// Looks at the reply of the server that was asked.
    func step(after reply: RESPValue, from asked: RedisPlace) -> Step {
        guard case .error(let error) = reply else { return .done }
        var next = self
        switch error.kind {
        case .moved(let slot, let host, let port) where redirections < Self.mostRedirections:
            let place = RedisPlace(host: host.isEmpty ? asked.host : host, port: port)
            next.redirections += 1
            next.target = .moved(place)
            return .learn(slot: slot, place, next)
        case .ask(_, let host, let port) where redirections < Self.mostRedirections:
            next.redirections += 1
            next.target = .asking(RedisPlace(host: host.isEmpty ? asked.host : host, port: port))
            return .ask(next)
        case .tryAgain:
            next.waits += 1
            // The way begins anew; the deadline ends it.
            next.redirections = 0
            next.target = .owner(of: slot)
            // 2, 4, 8, 16, 32, 32 … ms: a script moves with its keys within a few of them.
            return .wait(next, .milliseconds(1 << min(next.waits, 5)))
        default: return .done
        }
    }
}
