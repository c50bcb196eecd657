import Models
import Testing

@testable import StrideTool

@Suite("A person's week as bars")
struct WeekChartTests {
    /// Tuesday to Monday, the 30th of November 2026 being today.
    private static func days(_ steps: [Int64], metres: Int64 = 0) -> [WeekSummary.DayEntry] {
        let today = Day(parsing: "2026-11-30") ?? Day(number: 0)
        return steps.enumerated().map { index, steps in
            WeekSummary.DayEntry(day: today.advanced(by: index + 1 - 7), steps: steps, metres: metres)
        }
    }

    private static let week = WeekSummary(
        planName: "Plan", planState: "active", currentWeek: 1, weekCount: 10,
        days: days([0, 2500, 5000, 10_000, 4999, 1, 5001], metres: 7000), weekSteps: 17_500, weekMetres: 49_000,
        goalSteps: 35_000, goalSource: "plan", timeZone: "Europe/Berlin")

    private static let plain = ChartStyle(columns: 60, hasColours: false, hasBlocks: false)

    @Test("Bars end before the line of the goal, at it or beyond it; names, numbers and the week stand in columns")
    func wholeChart() {
        // 60 columns less 2 + 10 + 2 for the day, 2 + 6 for the steps, 2 + 6 for the way and 1 for the line leave 29.
        // The most is 10 000, so the line of 5 000 stands behind half of them, 15.
        let expected = [
            "walker - Plan - week 2 of 10                   Europe/Berlin",
            "",
            "  Tue 24 Nov                 |                     0  7.0 km",
            "  Wed 25 Nov  ########       |                 2 500  7.0 km",
            "  Thu 26 Nov  ###############|                 5 000  7.0 km",
            "  Fri 27 Nov  ###############|##############  10 000  7.0 km",
            "  Sat 28 Nov  ############## |                 4 999  7.0 km",
            "  Sun 29 Nov  #              |                     1  7.0 km",
            "  Mon 30 Nov  ###############|                 5 001  7.0 km",
            "                 5 000 a day '",
            "",
            "  this week   ########........  17 500 of 35 000 steps  50 %",
        ]
        #expect(WeekChart(subject: "walker", summary: Self.week, style: Self.plain).lines == expected)
    }

    @Test("Colours add nothing but escape sequences, and there are none without them")
    func colours() {
        let plain = WeekChart(subject: "walker", summary: Self.week, style: Self.plain).lines
        let style = ChartStyle(columns: 60, hasColours: true, hasBlocks: false)
        let coloured = WeekChart(subject: "walker", summary: Self.week, style: style).lines
        #expect(coloured != plain)
        #expect(coloured.map { $0.replacing(/\u{1B}\[[0-9;]*m/, with: "") } == plain)
        #expect(!plain.joined().contains("\u{1B}"))
    }

    @Test("Where only the way has a goal, the way is measured; where both have one, each has its line")
    func goals() {
        var week = Self.week
        week.goalSteps = nil
        week.goalMetres = 98_000
        let lines = WeekChart(subject: "walker", summary: week, style: Self.plain).lines
        #expect(lines[2].hasSuffix("7.0 km       0"))
        #expect(lines[9].hasSuffix("14.0 km a day '"))
        #expect(lines[11].hasSuffix("  49.0 km of 98.0 km  50 %"))
        week.goalSteps = 14_000
        let both = WeekChart(subject: "walker", summary: week, style: Self.plain).lines
        #expect(both[11].hasSuffix("  17 500 of 14 000 steps  125 %"))
        #expect(both[12].hasSuffix("     49.0 km of 98.0 km   50 %"))
    }

    @Test("Without a goal there is no line, without steps no bar, and the title says what there is")
    func nothing() {
        var week = WeekSummary(days: Self.days([0, 0, 0, 0, 0, 0, 0]))
        let lines = WeekChart(subject: "walker", summary: week, style: Self.plain).lines
        #expect(lines[0].hasPrefix("walker - no plan  "))
        #expect(!lines.joined().contains("|") && !lines.joined().contains("#"))
        #expect(lines.last == "  this week   no steps yet  no goal")
        week.goalSource = "weekly"
        week.goalSteps = 35_000
        #expect(WeekChart(subject: "w", summary: week, style: Self.plain).lines[0].hasPrefix("w - weekly goal "))
        week.planName = "Plan"
        week.planState = "upcoming"
        #expect(
            WeekChart(subject: "w", summary: week, style: Self.plain).lines[0].hasPrefix("w - Plan - has not begun "))
        week.planState = "finished"
        week.weekCount = 8
        let title = WeekChart(subject: "w", summary: week, style: Self.plain).lines[0]
        #expect(title.hasPrefix("w - Plan - finished after 8 weeks "))
    }

    @Test("No line is wider than the screen, whatever the names and the width")
    func widths() {
        let long = String(repeating: "毎日 a walk ", count: 12)
        for columns in 40...100 {
            for (name, subject) in [(long, "ada"), ("Plan", long), ("e\u{301}\u{1B}[2J", "x")] {
                var week = Self.week
                week.planName = name
                for hasBlocks in [false, true] {
                    let style = ChartStyle(columns: columns, hasColours: false, hasBlocks: hasBlocks)
                    let lines = WeekChart(subject: subject, summary: week, style: style).lines
                    #expect(lines.allSatisfy { ScreenText.width($0) <= columns })
                    #expect(lines[0].contains("week 2 of 10") && !lines[0].contains("\u{1B}"))
                }
            }
        }
    }

    @Test("A bar comes up to the line exactly when the goal is reached, and grows with what was done")
    func lengths() throws {
        for most: Int64 in [1, 4999, 5000, 5001, 7000, 90_000] {
            let columns = ChartColumns(summary: Self.week, goal: 5000, most: most, isNarrow: false, total: 80)
            let line = try #require(columns.goalColumn)
            var last = 0
            for amount in stride(from: Int64(0), through: most, by: max(1, Int(most) / 500)) {
                let length = columns.length(of: amount)
                #expect((length >= line) == (amount >= 5000))
                #expect((length > 0) == (amount > 0))
                #expect(length >= last && length <= columns.bar)
                last = length
            }
        }
    }

    @Test("The numbers that no service sends do not end the tool")
    func extremes() {
        var week = Self.week
        week.currentWeek = .max
        week.weekSteps = .max
        week.goalSteps = .max
        week.goalMetres = 1
        week.days = Self.days([.max, .min, 0, 1, 2, 3, .max], metres: .max / 1000)
        #expect(WeekChart(subject: "", summary: week, style: Self.plain).lines.count == 13)
    }
}
