import Glibc
import Synchronization

/// A process that a test has started, known by its id, whose output goes to a file.
package final class ChildProcess: Sendable {
    /// How a process ended.
    package enum Ending: Hashable, Sendable {
        /// With an exit status.
        case exited(Int32)
        /// By a signal.
        case signalled(Int32)
    }

    private enum State {
        case running(pid_t)
        case ended(Ending)
    }

    private let state: Mutex<State>
    /// Where its output goes.
    package let logPath: String

    /// Starts an executable with exactly the environment given, plus `PATH`.
    package init(
        _ path: String, _ arguments: [String] = [], environment: [String: String] = [:], log: String
    ) throws {
        logPath = log
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, log, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        let words = ([path] + arguments).map { strdup($0) } + [nil]
        let settings = environment.merging(["PATH": "/usr/local/bin:/usr/bin:/bin"]) { own, _ in own }
        let variables = settings.map { strdup("\($0)=\($1)") } + [nil]
        defer { for text in words + variables { free(text) } }
        var pid: pid_t = 0
        let status = posix_spawnp(&pid, path, &actions, nil, words, variables)
        guard status == 0 else { throw TestRun.Missing(description: "\(path) cannot be started (error \(status))") }
        state = Mutex(.running(pid))
    }

    deinit { kill() }

    /// Its id; 0 once it has ended.
    package var id: Int32 {
        state.withLock { state in
            if case .running(let pid) = state { pid } else { 0 }
        }
    }

    /// Sends a signal; does nothing once it has ended.
    package func signal(_ number: Int32) {
        state.withLock { state in
            if case .running(let pid) = state { _ = Glibc.kill(pid, number) }
        }
    }

    /// Ends it at once and waits for its end.
    package func kill() {
        state.withLock { state in
            guard case .running(let pid) = state else { return }
            Glibc.kill(pid, SIGKILL)
            var status: Int32 = 0
            while waitpid(pid, &status, 0) < 0, errno == EINTR {}
            state = .ended(Self.ending(status))
        }
    }

    /// How it ended; nil while it runs.
    package var ending: Ending? {
        state.withLock { state in
            switch state {
            case .ended(let ending): return ending
            case .running(let pid):
                var status: Int32 = 0
                guard waitpid(pid, &status, WNOHANG) == pid else { return nil }
                state = .ended(Self.ending(status))
                return Self.ending(status)
            }
        }
    }

    /// Waits for its end.
    package func wait(within patience: Duration) async throws -> Ending {
        try await eventually("\(logPath) ends", within: patience, every: .milliseconds(5)) { ending != nil }
        return ending ?? .signalled(0)
    }

    /// What it has written so far.
    package var log: String {
        guard let file = fopen(logPath, "r") else { return "" }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&block, 1, block.count, file), count > 0 { bytes += block[..<count] }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Resident memory in KiB, as the kernel counts it; nil once it has ended.
    package var residentKiB: Int? { kibibytes("VmRSS:") }

    /// The most memory that it has ever had, in KiB; nil once it has ended.
    package var peakKiB: Int? { kibibytes("VmHWM:") }

    private func kibibytes(_ name: String) -> Int? {
        guard let file = fopen("/proc/\(id)/status", "r") else { return nil }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, 256, file) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            guard text.hasPrefix(name) else { continue }
            return Int(text.filter(\.isNumber))
        }
        return nil
    }

    private static func ending(_ status: Int32) -> Ending {
        let signal = status & 0x7F
        return signal == 0 ? .exited((status >> 8) & 0xFF) : .signalled(signal)
    }
}
