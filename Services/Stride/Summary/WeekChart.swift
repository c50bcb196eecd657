import Models

/// The last seven days as bars, with the line of the daily goal and the week against its goal; a pure value.
struct WeekChart {
    let subject: String
    let summary: WeekSummary
    let style: ChartStyle

    /// What the bars measure: steps, or the way where only that has a goal.
    private var countsMetres: Bool { (summary.goalSteps ?? 0) == 0 && (summary.goalMetres ?? 0) > 0 }
    /// What a day should bring, a seventh rounded up; 0 without a goal.
    private var dayGoal: Int64 {
        let goal = (countsMetres ? summary.goalMetres : summary.goalSteps) ?? 0
        return goal / 7 + (goal % 7 > 0 ? 1 : 0)
    }
    /// Whether there is room only for what matters most.
    var isNarrow: Bool { style.columns < 56 }

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
        let place: String =
            switch summary.planState {
            case "active": "week \(summary.currentWeek &+ 1) of \(summary.weekCount)"
            case "upcoming": "has not begun"
            case "finished": "finished after \(summary.weekCount) weeks"
            default: summary.goalSource == "weekly" ? "weekly goal" : "no plan"
            }
        let who = ScreenText.fit(subject, min(20, style.columns / 3))
        // The plan's name is what gives way.
        let room = style.columns - ScreenText.width(who) - place.utf8.count - 6
        let name = summary.planName.map { [ScreenText.fit($0, max(4, room))] } ?? []
        let rest = ([""] + name + [place]).joined(separator: " \(style.dot) ")
        let gap = style.columns - ScreenText.width(who + rest) - summary.timeZone.utf8.count
        let zone = gap < 2 ? "" : String(repeating: " ", count: gap) + style.paint(summary.timeZone, .faint)
        return [style.paint(who, .strong) + rest + zone, ""]
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
        let length = columns.length(of: value)
        guard let line = columns.goalColumn else { return piece(length, columns.bar, role) }
        let mark = style.paint(isReached ? style.goalLineInBar : style.goalLine, .goal)
        return piece(min(length, line), line, role) + mark + piece(max(0, length - line), columns.bar - line, role)
    }

    private func piece(_ length: Int, _ width: Int, _ role: ChartStyle.Role) -> String {
        style.paint(style.bar(length), role) + String(repeating: " ", count: max(0, width - length))
    }

    /// What the line of the goal means, below it.
    private func foot(_ columns: ChartColumns) -> String {
        let goal = (countsMetres ? ScreenText.kilometres(dayGoal) : ScreenText.grouped(dayGoal)) + " a day"
        let place = 4 + columns.label + (columns.goalColumn ?? 0)
        guard place > goal.utf8.count else {
            return String(repeating: " ", count: place) + style.paint("\(style.goalFoot) \(goal)", .goal)
        }
        return ScreenText.right("", place - goal.utf8.count - 1) + style.paint("\(goal) \(style.goalFoot)", .goal)
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
