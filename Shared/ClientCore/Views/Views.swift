import Models

/// The screens that are open, and what each showed last.
struct Views {
    /// The screens there are.
    enum Kind: Int, CaseIterable {
        case home, plan, history, day, leaderboard, settings

        var name: String {
            switch self {
            case .home: "home"
            case .plan: "plan"
            case .history: "history"
            case .day: "day"
            case .leaderboard: "leaderboard"
            case .settings: "settings"
            }
        }
    }

    /// An open screen.
    struct Open {
        let kind: Kind
        /// The day's number or the challenge's name; empty for screens that there is one of.
        let key: [UInt8]
        var shown: [UInt8] = []
    }

    /// In the order in which they were opened.
    var open: [Open] = []
    /// How many rows the history shows.
    var historyRows = 30

    /// Whether a screen is open; without a key, whichever it shows.
    func isOpen(_ kind: Kind, key: [UInt8]? = nil) -> Bool {
        open.contains { $0.kind == kind && (key == nil || $0.key == key) }
    }

    /// Rows that the history shows at first, and more each time.
    static let rows = 30
}

extension Client {
    /// Opens or closes a screen, or shows more of it.
    func turn(_ event: EventKind, _ value: JSONValue) -> Bool {
        guard let name = value.text("view"), let kind = Views.Kind.allCases.first(where: { same($0.name, name) })
        else { return false }
        var key: [UInt8] = []
        if kind == .day {
            guard let day = value.day("day") else { return false }
            key = Array(day.description.utf8)
        } else if kind == .leaderboard {
            guard let challenge = (value.text("challenge") ?? "open").boardName else { return false }
            key = challenge
        }
        switch event {
        case .close: views.open.removeAll { $0.kind == kind && $0.key == key }
        case .more: more(kind, key)
        default: open(kind, key)
        }
        return true
    }

    private func open(_ kind: Views.Kind, _ key: [UInt8]) {
        views.open.removeAll { $0.kind == kind && $0.key == key }
        guard views.open.count < 16 else { return }
        views.open.append(Views.Open(kind: kind, key: key))
        if kind == .history { views.historyRows = Views.rows }
        if kind == .leaderboard { updateBoard(key) { _ in } }
        refresh()
    }

    private func more(_ kind: Views.Kind, _ key: [UInt8]) {
        if kind == .leaderboard {
            updateBoard(key) { $0.wantsMore = $0.cursor != nil }
        } else if kind == .history, views.historyRows < 40_000 {
            views.historyRows += Views.rows
            let first = zones.day(at: now).advanced(by: 1 - views.historyRows)
            if let covered = sync.coveredFrom, first < covered {
                extendDays(to: covered.advanced(by: -DaysQuery.longest))
            }
        }
    }

    /// The screens whose content differs from what they show.
    func show() -> [Effect] {
        guard !views.open.isEmpty else { return [] }
        deltas.update(workouts, zones: zones)
        var effects: [Effect] = []
        for index in views.open.indices {
            let view = views.open[index]
            let model = model(of: view)
            guard model != view.shown else { continue }
            views.open[index].shown = model
            effects.append(
                .show(
                    view: view.kind.name, key: view.key.isEmpty ? nil : String(decoding: view.key, as: UTF8.self),
                    model: model))
        }
        return effects
    }

    private func model(of view: Views.Open) -> [UInt8] {
        jsonObject { writer in
            var asOf = sync.asOf
            switch view.kind {
            case .home: writeHome(to: &writer)
            case .plan: writePlan(to: &writer)
            case .history: writeHistory(to: &writer)
            case .day:
                if let day = Day(parsing: String(decoding: view.key, as: UTF8.self)) { writeDay(day, to: &writer) }
            case .leaderboard:
                let board = board(view.key) ?? Board(name: view.key)
                writeBoard(board, to: &writer)
                asOf = board.asOf
            case .settings: writeSettings(to: &writer)
            }
            writeNotices(for: view, to: &writer)
            writer.optional("as_of", asOf)
        }
    }
}
