/// How a chart is drawn: how wide, with which characters, with or without colours.
struct ChartStyle: Equatable, Sendable {
    var columns = 80
    var hasColours = false
    /// Whether bars are made of Unicode's block elements, or of plain ASCII.
    var hasBlocks = true

    /// What a piece of a line is, which decides its colour.
    enum Role {
        case plain, strong, faint, bar, reachedBar, goal, reached, alarm
    }

    /// A piece of a line in its colour.
    func paint(_ text: String, _ role: Role) -> String {
        guard hasColours, !text.isEmpty, let code = Self.code(of: role) else { return text }
        return "\u{1B}[\(code)m\(text)\u{1B}[0m"
    }

    private static func code(of role: Role) -> String? {
        switch role {
        case .plain: nil
        case .strong: "1"
        case .faint: "2"
        case .bar: "36"
        case .reachedBar: "32"
        case .goal: "33"
        case .reached: "1;32"
        case .alarm: "1;31"
        }
    }
}

extension ChartStyle {
    /// A bar of some columns, a little lower than a line so that the bars of two lines stay apart.
    func bar(_ columns: Int) -> String { String(repeating: hasBlocks ? "▆" : "#", count: columns) }

    /// The line up to which a day is meant to come.
    var goalLine: String { hasBlocks ? "│" : "|" }
    /// The same where a bar crosses it.
    var goalLineInBar: String { hasBlocks ? "┃" : "|" }
    /// What points at that line from below.
    var goalFoot: String { hasBlocks ? "╵" : "'" }
    /// What separates the parts of the title.
    var dot: String { hasBlocks ? "·" : "-" }
    /// What is left of a bar that has an end.
    var rest: String { hasBlocks ? "▁" : "." }
}
