/// A row of small bars, the newest at the right.
enum Sparkline {
    private static let blocks = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
    private static let letters = ["_", ".", ":", "-", "=", "+", "*", "#"]

    /// Draws the newest values, as many as there are columns, from nothing up to the largest of them.
    ///
    /// Where something happened the bar is higher than where nothing did.
    static func draw(_ values: [Int64], columns: Int, _ style: ChartStyle) -> String {
        let shown = values.suffix(max(0, columns))
        let most = shown.max() ?? 0
        let bars = style.hasBlocks ? blocks : letters
        return shown.map { value in
            guard value > 0, most > 0 else { return bars[0] }
            return bars[1 + Int(Double(value) / Double(most) * Double(bars.count - 2))]
        }.joined()
    }
}
