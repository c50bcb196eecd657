/// The week to date against its goals.
extension WeekChart {
    /// One measure of the week.
    private struct Total {
        let done: Int64
        let goal: Int64
        let numbers: String
        let percent: String
    }

    /// An empty line, and a line for each goal; without one, what was done.
    func week(_ columns: ChartColumns) -> [String] {
        let label = isNarrow ? "week" : "this week"
        let head = "  " + ScreenText.left(label, columns.label) + "  "
        let totals = totals
        guard !totals.isEmpty else {
            let done = "\(ScreenText.grouped(summary.weekSteps)) steps, \(ScreenText.kilometres(summary.weekMetres))"
            return ["", head + (summary.weekSteps == 0 ? "no steps yet" : done) + style.paint("  no goal", .faint)]
        }
        let (numbers, percent) = (width(totals, \.numbers), width(totals, \.percent))
        let room = max(4, style.columns - columns.label - numbers - percent - 8)
        return [""]
            + totals.enumerated().map { index, total in
                let isReached = total.done >= total.goal
                let filled = Int(Double(min(total.done, total.goal)) / Double(total.goal) * Double(room))
                return (index == 0 ? head : ScreenText.left("", head.utf8.count))
                    + style.paint(style.bar(filled), isReached ? .reachedBar : .bar)
                    + style.paint(String(repeating: style.rest, count: room - filled), .faint)
                    + "  " + ScreenText.right(total.numbers, numbers)
                    + "  " + style.paint(ScreenText.right(total.percent, percent), isReached ? .reached : .strong)
            }
    }

    private var totals: [Total] {
        var totals: [Total] = []
        if let goal = summary.goalSteps, goal > 0 {
            let unit = isNarrow ? "" : " steps"
            totals.append(total(summary.weekSteps, goal, unit) { ScreenText.grouped($0) })
        }
        if let goal = summary.goalMetres, goal > 0 {
            totals.append(total(summary.weekMetres, goal, "") { ScreenText.kilometres($0) })
        }
        return totals
    }

    private func total(_ done: Int64, _ goal: Int64, _ unit: String, _ text: (Int64) -> String) -> Total {
        Total(
            done: done, goal: goal, numbers: "\(text(done)) of \(text(goal))\(unit)",
            percent: "\(min(done, .max / 100) * 100 / goal) %")
    }

    private func width(_ totals: [Total], _ part: (Total) -> String) -> Int {
        totals.map { ScreenText.width(part($0)) }.max() ?? 0
    }
}
