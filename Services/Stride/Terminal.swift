import Foundation

/// What the tool says to a person: results on standard output, everything else on standard error.
enum Terminal {
    /// A complaint, one line.
    static func complain(_ text: String) { write("stride: \(text)\n") }

    /// How the tool is called, after it was called wrongly.
    static func explain(_ usage: String) { write(usage + "\n") }

    /// Whether standard error is a screen on which a line can be drawn over.
    static let isInteractive = isatty(STDERR_FILENO) == 1

    /// Draws a progress bar over the last one; without a screen nothing is drawn.
    static func progress(_ done: Int, of total: Int, _ note: String) {
        guard isInteractive else { return }
        let width = 30
        let filled = total > 0 ? done * width / total : width
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
        let percent = total > 0 ? done * 100 / total : 100
        write("\r\(bar) \(percent) %  \(done) of \(total)  \(note)\u{1B}[K")
    }

    /// Draws a line over the last one, where there is no total to measure progress by.
    static func status(_ note: String) {
        guard isInteractive else { return }
        write("\r\(note)\u{1B}[K")
    }

    /// Makes room for a line of results where the progress stands.
    static func clear() { if isInteractive { write("\r\u{1B}[K") } }

    /// Leaves the line of the progress bar.
    static func endProgress() { if isInteractive { write("\n") } }

    /// How a chart on standard output is drawn.
    ///
    /// Colours only on a screen, and not against NO_COLOR (no-color.org); ASCII where the locale names another
    /// character set than UTF-8.
    static func chartStyle(of environment: [String: String]) -> ChartStyle {
        let isScreen = isatty(STDOUT_FILENO) == 1
        var size = winsize()
        let isSized = isScreen && ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        let columns = isSized ? Int(size.ws_col) : environment["COLUMNS"].flatMap { Int($0) } ?? 80
        let isDumb = environment["TERM"] == "dumb"
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        let isUTF8 = locale.isEmpty || locale.lowercased().replacing("-", with: "").contains("utf8")
        return ChartStyle(
            columns: min(max(columns, 40), 100),
            hasColours: isScreen && !isDumb && (environment["NO_COLOR"] ?? "").isEmpty,
            hasBlocks: isUTF8 && !isDumb)
    }

    private static func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}
