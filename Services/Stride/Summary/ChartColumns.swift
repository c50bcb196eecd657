/// Where the parts of a chart stand, so that they fit into the width and all rows agree.
struct ChartColumns: Equatable {
    /// The names of the days.
    let label: Int
    /// The bars, without the line of the goal.
    let bar: Int
    /// The column of the bars before which that line stands; nil without a goal.
    let goalColumn: Int?
    /// The numbers.
    let number: Int
    /// The other measure beside them.
    let beside: Int
    private let goal: Int64
    private let top: Int64

    /// - Parameters:
    ///   - goal: of one day, 0 for none.
    ///   - most: the largest of the days.
    ///   - total: the columns that there are.
    init(summary: WeekSummary, goal: Int64, most: Int64, isNarrow: Bool, total: Int) {
        label = isNarrow ? 4 : 10
        let steps = summary.days.map { ScreenText.grouped($0.steps).count }.max() ?? 1
        let ways = summary.days.map { ScreenText.kilometres($0.metres).count }.max() ?? 1
        let countsMetres = (summary.goalSteps ?? 0) == 0 && (summary.goalMetres ?? 0) > 0
        number = countsMetres ? ways : steps
        beside = countsMetres ? steps : ways
        let line = goal > 0 ? 1 : 0
        bar = max(8, total - label - number - (isNarrow ? 0 : beside + 2) - 6 - line)
        self.goal = goal
        // A little room behind the line, so that it is no border.
        top = max(most, goal + goal / 8, 1)
        goalColumn = goal > 0 ? min(bar - 1, max(2, Self.share(goal, of: top, bar))) : nil
    }

    /// How many columns the bar of an amount takes.
    ///
    /// Never 0 for something, and up to the line of the goal if and only if the goal is reached; both sides of the line
    /// have their own scale, which differ by less than a column.
    func length(of amount: Int64) -> Int {
        guard amount > 0 else { return 0 }
        guard let goalColumn else { return max(1, Self.share(amount, of: top, bar)) }
        guard amount >= goal else { return max(1, min(Self.share(amount, of: goal, goalColumn), goalColumn - 1)) }
        return goalColumn + Self.share(amount - goal, of: top - goal, bar - goalColumn)
    }

    private static func share(_ part: Int64, of whole: Int64, _ width: Int) -> Int {
        guard whole > 0 else { return 0 }
        return Int(Double(min(part, whole)) / Double(whole) * Double(width) + 0.5)
    }
}
