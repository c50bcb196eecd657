import Models
import ServiceKit

/// What `stride top` shows: the fleet on a screen of some size; a pure value.
struct TopScreen {
    let view: FleetView
    /// What each service answered in the last seconds in which somebody looked, oldest first.
    var past: [String: [Int64]] = [:]
    let style: ChartStyle
    /// Lines of the screen; what does not fit is counted.
    let rows: Int

    /// The screen, line by line, without line feeds; never more than there are rows, nor wider than the style says.
    var lines: [String] {
        var lines = [title, ""] + services + [""] + workouts + refusals + stores + [""]
        lines += instances(room: max(2, rows - lines.count - 1))
        return Array(lines.prefix(max(1, rows)))
    }

    private var title: String {
        let left = "stride"
        let count = view.instances.count
        let right = [
            "\(count) instance\(count == 1 ? "" : "s")", Self.users(view.users), "\(Self.clock(view.at)) UTC",
        ].joined(separator: " \(style.dot) ")
        let gap = max(1, style.columns - left.count - right.count)
        return style.paint(left, .strong) + String(repeating: " ", count: gap) + right
    }

    private static func users(_ count: Int64) -> String {
        "\(ScreenText.grouped(count)) user\(count == 1 ? "" : "s") a minute"
    }

    static func clock(_ time: Timestamp) -> String {
        let seconds = time.milliseconds / 1000 % 86_400
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(two(seconds / 3600)):\(two(seconds / 60 % 60)):\(two(seconds % 60))"
    }
}

/// The services, one row each, and what the fleet as a whole is busy with.
extension TopScreen {
    private static let names = ["ingest", "plan", "progress", "leaderboard"]

    private var services: [String] {
        let known = Dictionary(uniqueKeysWithValues: view.services.map { ($0.name, $0) })
        let names = Self.names + view.services.map(\.name).filter { !Self.names.contains($0) }
        let heads = ["calls/s", "ok/s", "refused", "failed", "p50", "p99"]
        let widths = [9, 8, 8, 7, 8, 8]
        let curve = min(60, style.columns - 13 - widths.reduce(0, +) - 2)
        var lines = [
            style.paint(Self.row("service", heads, widths) + (curve > 7 && !past.isEmpty ? "  calls/s" : ""), .faint)
        ]
        for name in names {
            guard let service = known[name], service.instances > 0 else {
                lines.append(style.paint(ScreenText.left(ScreenText.fit(name, 12), 13) + "no instance", .faint))
                continue
            }
            lines.append(row(service, widths, curve: curve))
        }
        return lines
    }

    private func row(_ service: FleetView.Service, _ widths: [Int], curve: Int) -> String {
        let now = service.now
        let values = [
            Self.rate(now.count(.requests), now), Self.rate(now.count(.accepted), now), Self.rate(now.refused, now),
            Self.rate(now.count(.failed), now), Self.time(now[.requestMedian]), Self.time(now[.requestHigh]),
        ]
        var line = ScreenText.left(ScreenText.fit(service.name, 12), 12)
        for (index, (value, width)) in zip(values, widths).enumerated() {
            let isFailed = index == 3 && now.count(.failed) > 0
            let role = index == 2 ? Self.role(of: now) : isFailed ? .alarm : index == 0 ? .strong : .plain
            line += style.paint(ScreenText.right(value, width), role)
        }
        guard curve > 7, let seen = past[service.name] else { return line }
        return line + "  " + style.paint(Sparkline.draw(seen, columns: curve, style), .bar)
    }

    /// A user over the budget is the user's matter; every other refusal is ours.
    private static func role(of record: StatisticsRecord) -> ChartStyle.Role {
        if record.refused > record.count(.refusedUserRate) { return .alarm }
        return record.refused > 0 ? .goal : .plain
    }

    /// What ingest is about.
    private var workouts: [String] {
        guard let ingest = view.services.first(where: { $0.name == "ingest" }), ingest.instances > 0 else { return [] }
        let now = ingest.now
        var line = "workouts  \(Self.rate(now.count(.accepted), now))/s new"
        line += "  \(Self.rate(now.count(.duplicates), now))/s known"
        line += "  \(now.count(.batchSize)) a batch  queue \(now.count(.queued)), \(Self.time(now[.queueHigh]))"
        line += "  commit \(Self.time(now[.commitHigh]))"
        let minutes = ingest.minutes.map { $0.record.count(.accepted) }
        guard !minutes.isEmpty else { return [ScreenText.fit(line, style.columns)] }
        let most = "  at most \(ScreenText.grouped(minutes.max() ?? 0)) a minute"
        let columns = min(60, style.columns - 10 - most.count)
        let curve = style.paint(Sparkline.draw(minutes, columns: columns, style), .bar)
        return [ScreenText.fit(line, style.columns), "last hour " + curve + style.paint(most, .faint)]
    }

    private var refusals: [String] {
        let all = StatisticsRecord.merge(view.instances.map(\.now.perSecond))
        let names = ["user rate", "overload", "store away", "draining"]
        let parts = zip(names, StatisticsField.refusals).map { name, field -> String in
            let count = all.count(field)
            let role: ChartStyle.Role = field == .refusedUserRate ? .goal : .alarm
            return style.paint("\(name) \(Self.rate(count, all))", count > 0 ? role : .faint)
        }
        let hits = all.count(.cacheHits)
        let looks = hits + all.count(.cacheMisses) + all.count(.cacheErrors)
        let cache = looks > 0 ? "cache     \(hits * 100 / looks) % hit" : "cache     not asked"
        let local = all.count(.localDecisions) > 0 ? style.paint("  budgets by loops alone", .alarm) : ""
        return ["refused/s " + parts.joined(separator: "  "), cache + local]
    }

    /// Which of the things that everybody waits for is the slowest, and where.
    private var stores: [String] {
        let kinds: [(name: String, field: StatisticsField)] = [("PostgreSQL", .postgresHigh), ("Redis", .redisHigh)]
        let worst = kinds.compactMap { name, field -> (name: String, time: Int64, place: String)? in
            view.instances.filter { $0.now[field] != nil }.max { $0.now.count(field) < $1.now.count(field) }
                .map { (name, $0.now.count(field), "\($0.service) \($0.name)") }
        }.sorted { $0.time > $1.time }
        guard let slowest = worst.first else { return [] }
        let others = worst.dropFirst().map { "\($0.name) \(Self.time($0.time))" }.joined(separator: ", ")
        let waiting = view.instances.reduce(0) { $0 + $1.now.count(.postgresWaiting) }
        var line = "slowest   \(slowest.name) \(Self.time(slowest.time)) at \(slowest.place)"
        if !others.isEmpty { line += ", \(others)" }
        if waiting > 0 { line += "  \(waiting) wait for a connection" }
        let away = view.instances.filter { $0.now.count(.redisConnected) < $0.now.count(.loops) }.count
        let lost = view.instances.filter { $0.now[.postgresConnections] == 0 }.count
        var lines = [ScreenText.fit(line, style.columns)]
        for (name, count) in [("PostgreSQL", lost), ("Redis", away)] where count > 0 {
            lines.append(style.paint("away      \(name), for \(count) of \(view.instances.count) instances", .alarm))
        }
        return lines
    }
}

/// The instances, one row each.
extension TopScreen {
    private func instances(room: Int) -> [String] {
        let heads = ["calls/s", "refused", "p99", "queue", "pg", "redis", "up"]
        let widths = [8, 8, 8, 8, 7, 7, 6]
        let label = min(46, max(12, style.columns - widths.reduce(0, +)))
        var lines = [style.paint(Self.row("instance", heads, widths, label: label), .faint)]
        // The busiest first; when there is no room for all, those are the ones to look at.
        let sorted = view.instances.sorted { $0.now.count(.requests) > $1.now.count(.requests) }
        let shown = sorted.count <= room - 1 ? sorted.count : max(0, room - 2)
        for instance in sorted.prefix(shown) {
            let now = instance.now
            let values = [
                Self.rate(now.count(.requests), now), Self.rate(now.refused, now), Self.time(now[.requestHigh]),
                Self.time(now[.queueHigh]), Self.time(now[.postgresHigh]), Self.time(now[.redisHigh]),
                Self.age(view.at.milliseconds - instance.started.milliseconds),
            ]
            let isStale = view.at.milliseconds - instance.seen.milliseconds > 3000
            let line = Self.row("\(instance.service) \(instance.name)", values, widths, label: label)
            lines.append(style.paint(line, isStale ? .faint : Self.role(of: now)))
        }
        if shown < sorted.count { lines.append(style.paint("and \(sorted.count - shown) more", .faint)) }
        return lines
    }

    static func row(_ name: String, _ values: [String], _ widths: [Int], label: Int = 12) -> String {
        zip(values, widths).reduce(ScreenText.left(ScreenText.fit(name, label), label)) { line, cell in
            line + ScreenText.right(cell.0, cell.1)
        }
    }

    /// A count as what it would be in a second.
    static func rate(_ count: Int64, _ record: StatisticsRecord) -> String {
        let span = record[.span] ?? 0
        return ScreenText.grouped(span > 0 ? (count * 1000 + span / 2) / span : count)
    }

    /// Microseconds as somebody says them: `0.4 ms`, `12 ms`, `1.5 s`.
    static func time(_ microseconds: Int64?) -> String {
        guard let microseconds else { return "-" }
        if microseconds < 10_000 { return "\(microseconds / 1000).\(microseconds / 100 % 10) ms" }
        if microseconds < 1_000_000 { return "\(microseconds / 1000) ms" }
        return "\(microseconds / 1_000_000).\(microseconds / 100_000 % 10) s"
    }

    /// Milliseconds as an age: `40s`, `12m`, `5h`, `9d`.
    static func age(_ milliseconds: Int64) -> String {
        let seconds = max(0, milliseconds / 1000)
        if seconds < 60 { return "\(seconds)s" }
        if seconds < 3600 { return "\(seconds / 60)m" }
        return seconds < 86_400 ? "\(seconds / 3600)h" : "\(seconds / 86_400)d"
    }
}
