import Models

/// The last seven days as bars, with the line of the daily goal and the week against its goal; a pure value.
struct WeekChart {
    let subject: String
    let summary: WeekSummary
    let style: ChartStyle

    /// What the bars measure: steps, or the way where only that has a goal.
    private var countsMetres: Bool { (summary.goalSteps ?? 0) == 0 && (summary.goalMetres ?? 0) > 0 }
    /// What a day should bring; 0 without a goal.
    private var dayGoal: Int64 { ((countsMetres ? summary.goalMetres : summary.goalSteps).map { ($0 + 6) / 7 }) ?? 0 }
    private var isNarrow: Bool { style.columns < 56 }

    private func amount(_ entry: WeekSummary.DayEntry) -> Int64 { countsMetres ? entry.metres : entry.steps }

    /// The chart, line by line, without line feeds.
    var lines: [String] {
        let columns = ChartColumns(
            summary: summary, goal: dayGoal, most: summary.days.map { amount($0) }.max() ?? 0, isNarrow: isNarrow,
            total: style.columns)
        var lines = title
        for entry in summary.days { lines.append(row(entry, columns)) }
        if dayGoal > 0 { lines.append(foot(columns)) }
        return lines + week(columns)
    }

    private var title: [String] {
        let name = summary.planName.map { [ScreenText.fit($0, max(12, style.columns - 36))] } ?? []
        let place: String =
            switch summary.planState {
            case "active": "week \(summary.currentWeek + 1) of \(summary.weekCount)"
            case "upcoming": "has not begun"
            case "finished": "finished after \(summary.weekCount) weeks"
            default: summary.goalSource == "weekly" ? "weekly goal" : "no plan"
            }
        let who = ScreenText.fit(subject, 20)
        let rest = " \(style.dot) " + (name + [place]).joined(separator: " \(style.dot) ")
        let used = ScreenText.width(who + rest)
        let zone = used + summary.timeZone.utf8.count + 2 <= style.columns ? summary.timeZone : ""
        let gap = String(repeating: " ", count: zone.isEmpty ? 0 : style.columns - used - zone.utf8.count)
        return [
            style.paint(who, .strong)
                + style.paint(ScreenText.fit(rest, max(1, style.columns - ScreenText.width(who))), .plain)
                + gap + style.paint(zone, .faint), "",
        ]
    }

    private func row(_ entry: WeekSummary.DayEntry, _ columns: ChartColumns) -> String {
        let isToday = entry.day == summary.days.last?.day
        let value = amount(entry)
        let label = ScreenText.left(Self.name(of: entry.day, isShort: isNarrow), columns.label)
        let numbers = countsMetres ? ScreenText.kilometres(entry.metres) : ScreenText.grouped(entry.steps)
        let beside = countsMetres ? ScreenText.grouped(entry.steps) : ScreenText.kilometres(entry.metres)
        let role: ChartStyle.Role = value == 0 ? .faint : isToday ? .strong : .plain
        var line = "  " + style.paint(label, isToday ? .strong : .plain) + "  " + bar(value, columns)
        line += "  " + style.paint(ScreenText.right(numbers, columns.number), role)
        if !isNarrow { line += "  " + style.paint(ScreenText.right(beside, columns.beside), .faint) }
        return line
    }

    private func bar(_ value: Int64, _ columns: ChartColumns) -> String {
        let isReached = dayGoal > 0 && value >= dayGoal
        let role: ChartStyle.Role = isReached ? .reachedBar : .bar
        let eighths = columns.eighths(of: value)
        guard let line = columns.goalColumn else { return piece(eighths, columns.bar, role) }
        let before = piece(min(eighths, line * 8), line, role)
        let mark = style.paint(style.goalLine, isReached && style.hasBlocks ? .goalInBar : .goal)
        return before + mark + piece(max(0, eighths - line * 8), columns.bar - line, role)
    }

    private func piece(_ eighths: Int, _ width: Int, _ role: ChartStyle.Role) -> String {
        let text = style.bar(eighths: eighths)
        return style.paint(text, role) + String(repeating: " ", count: max(0, width - text.count))
    }

    /// What the line of the goal means, below it.
    private func foot(_ columns: ChartColumns) -> String {
        let goal = countsMetres ? ScreenText.kilometres(dayGoal) : ScreenText.grouped(dayGoal)
        let place = 4 + columns.label + (columns.goalColumn ?? 0)
        let text = "\(goal) a day "
        return String(repeating: " ", count: max(0, place - text.utf8.count))
            + style.paint(text + style.goalFoot, .goal)
    }

    private func week(_ columns: ChartColumns) -> [String] {
        guard summary.goalSteps ?? summary.goalMetres != nil else {
            let text = "\(ScreenText.grouped(summary.weekSteps)) steps, \(ScreenText.kilometres(summary.weekMetres))"
            return [
                "", "  " + ScreenText.left("this week", columns.label) + "  " + text + style.paint("  no goal", .faint),
            ]
        }
        var lines = [""]
        if let goal = summary.goalSteps {
            lines.append(total("this week", summary.weekSteps, goal, "steps", columns, ScreenText.grouped))
        }
        if let goal = summary.goalMetres {
            let label = summary.goalSteps == nil ? "this week" : ""
            lines.append(total(label, summary.weekMetres, goal, "", columns, ScreenText.kilometres))
        }
        return lines
    }

    private func total(
        _ label: String, _ done: Int64, _ goal: Int64, _ unit: String, _ columns: ChartColumns,
        _ text: (Int64) -> String
    ) -> String {
        let isReached = done >= goal
        let numbers = "\(text(done)) of \(text(goal))" + (unit.isEmpty || isNarrow ? "" : " \(unit)")
        let percent = goal > 0 ? "\(done * 100 / goal) %" : ""
        let width = max(4, style.columns - columns.label - 8 - ScreenText.width(numbers) - percent.count - 1)
        let filled = goal > 0 ? Int(min(done, goal) * Int64(width) / goal) : width
        let bar =
            style.paint(style.bar(eighths: filled * 8), isReached ? .reachedBar : .bar)
            + style.paint(String(repeating: style.rest, count: width - filled), .faint)
        return "  " + ScreenText.left(label, columns.label) + "  " + bar + "  " + numbers + "  "
            + style.paint(percent, isReached ? .reached : .strong)
    }

    private static func name(of day: Day, isShort: Bool) -> String {
        let monday = CalendarWeek.start(of: day, weekStart: .monday)
        let weekday = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"][Int(day.number - monday.number)]
        let (_, month, number) = day.civil
        guard !isShort else { return weekday }
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        return "\(weekday) \(ScreenText.right(String(number), 2)) \(months[Int(month) - 1])"
    }
}
