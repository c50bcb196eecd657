import Foundation

/// What the tool says to a person: results on standard output, everything else on standard error.
enum Terminal {
    /// A complaint, one line.
    static func complain(_ text: String) { write("stride: \(text)\n") }

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

    private static func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}
