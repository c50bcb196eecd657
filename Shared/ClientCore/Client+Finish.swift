import Models

extension Client {
    /// Puts the effects of an event in order: the transaction first, screens last.
    func finish() -> [Effect] {
        var ordered: [Effect] = []
        let waits = link.waits
        if isStarted && waits != told.waits {
            told.waits = waits
            dirty.add(.state(.waits))
        }
        let changes = dirty.take().map { record($0) }
        if !changes.isEmpty { ordered.append(.store(changes)) }
        if isStarted { wishToWake() }
        ordered.append(contentsOf: effects)
        effects.removeAll()
        if isStarted { ordered.append(contentsOf: show()) }
        return ordered
    }

    private func wishToWake() {
        var wake: Int64?
        func wish(_ time: Int64?) {
            guard let time else { return }
            wake = min(wake ?? time, time)
        }
        if let flight = link.flight {
            wish(flight.since + Link.patience)
        } else if link.isOnline {
            for lane in Link.Lane.allCases where !link[lane].isOpen(at: now) { wish(link[lane].until) }
        }
        wish(session.wakeAt)
        if !views.open.isEmpty {
            wish(zones.midnight(after: now))
            if link.isOnline && link.isSignedIn { wish(sync.nextPoll) }
        }
        if let time = wake, time <= now { wake = now + 1 }
        // A wish that has come true is none any more.
        if let last = told.wake, last <= now { told.wake = nil }
        guard wake != told.wake else { return }
        told.wake = wake
        effects.append(.wake(wake))
    }
}
