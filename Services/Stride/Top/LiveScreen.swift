import Foundation
import Synchronization

/// The terminal while a screen is shown on it: keys come one by one, lines are drawn over the last ones, and whatever ends the
/// process leaves it as it was.
final class LiveScreen {
    private var before = termios()
    private static let isStopped = Atomic<Bool>(false)

    /// Nil when there is no terminal.
    init?() {
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1, tcgetattr(STDIN_FILENO, &before) == 0 else {
            return nil
        }
        var raw = before
        raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
        tcsetattr(STDIN_FILENO, TCSANOW, &raw)
        for number in [SIGINT, SIGTERM, SIGHUP] {
            signal(number) { _ in LiveScreen.isStopped.store(true, ordering: .relaxed) }
        }
        // Another screen, no cursor, no wrapping.
        write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l")
    }

    /// Gives the terminal back.
    func close() {
        write("\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l")
        tcsetattr(STDIN_FILENO, TCSANOW, &before)
    }

    /// Columns and rows as they are now.
    var size: (columns: Int, rows: Int) {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return (80, 24) }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// Draws lines from the top; what was there before goes.
    func draw(_ lines: [String]) {
        // Cleared before it is written: behind a line as wide as the screen the cursor stands on its last character.
        write("\u{1B}[H" + lines.map { "\u{1B}[K" + $0 }.joined(separator: "\r\n"))
    }

    /// Whether somebody wants to leave; does not wait.
    func wantsToLeave() -> Bool {
        var descriptor = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        while poll(&descriptor, 1, 0) > 0 {
            var key: UInt8 = 0
            guard read(STDIN_FILENO, &key, 1) == 1 else { return true }
            if key == UInt8(ascii: "q") || key == UInt8(ascii: "Q") || key == 3 || key == 4 { return true }
        }
        return Self.isStopped.load(ordering: .relaxed)
    }

    private func write(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }
}
