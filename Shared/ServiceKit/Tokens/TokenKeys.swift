internal import Synchronization

/// The keys that count at this moment, re-read from their files while the service runs.
///
/// Rotation: add the new key to the file, give it to the signer, remove the old one when its tokens have expired. A key that is
/// gone from the files stops working within a second, also for tokens that were verified before: each change starts a new
/// generation, and a verified token counts only in its own.
///
/// A change that comes with a fault (a file missing or empty, a line too short) is taken only when the next look finds it
/// again, so that an editor caught in the middle of writing locks nobody out; then the lines that are right count, the
/// faulty ones do not, and `problem` says why.
package final class TokenKeys: Sendable {
    /// One state of the keys.
    package struct Generation: Sendable {
        /// Grows by one with each change.
        package let number: UInt64
        /// The keys, at most `TokenKeys.most`.
        package let keys: [TokenKey]
    }

    /// Why the keys cannot be used at start.
    package struct LoadError: Error, Sendable, CustomStringConvertible {
        /// The file, as configured.
        package let path: String
        /// What is wrong with it.
        package let fault: TokenKeyFile.Fault
        package var description: String { "\(path): \(fault)" }
    }

    private struct State {
        var generation: Generation
        var doubtful: [TokenKey]?
        var problem: LoadError?
    }

    /// The most keys that count; a token without a `kid` is tried against each.
    package static let most = 16

    private let paths: [String]
    private let state: Mutex<State>
    private let number = Atomic<UInt64>(1)

    /// Reads the files for the first time.
    ///
    /// - Parameter files: paths of key files (`TokenKeyFile` has the format); their keys are put together.
    /// - Throws: `LoadError` for the first fault: a service does not start with a key file that is partly wrong.
    package init(files: [String]) throws(LoadError) {
        paths = files
        let (keys, problem) = Self.load(files)
        if let problem { throw problem }
        guard !keys.isEmpty else { throw LoadError(path: files.joined(separator: ", "), fault: .noKey) }
        state = Mutex(State(generation: Generation(number: 1, keys: keys)))
    }

    /// Fixed keys, for tests and tools.
    package init(_ keys: [TokenKey]) {
        paths = []
        state = Mutex(State(generation: Generation(number: 1, keys: Array(keys.prefix(Self.most)))))
    }

    /// The number of the current generation: one atomic load, for the hot path.
    package var generationNumber: UInt64 { number.load(ordering: .acquiring) }

    /// The current generation.
    ///
    /// Takes a lock; for when the number has changed.
    package var current: Generation { state.withLock { $0.generation } }

    /// What was wrong with the files at the last look, for a log line and an alert.
    package var problem: LoadError? { state.withLock { $0.problem } }

    /// Looks at the files once.
    ///
    /// Blocks for as long as the file system does; never called on a loop.
    package func refresh() {
        guard !paths.isEmpty else { return }
        let (keys, problem) = Self.load(paths)
        state.withLock { state in
            state.problem = problem
            if keys == state.generation.keys {
                state.doubtful = nil
            } else if problem != nil, state.doubtful != keys {
                state.doubtful = keys
            } else {
                state.doubtful = nil
                state.generation = Generation(number: state.generation.number + 1, keys: keys)
                number.store(state.generation.number, ordering: .releasing)
            }
        }
    }

    /// Looks at the files again and again, off the loops, until the task is cancelled.
    ///
    /// - Parameters:
    ///   - interval: how often; a change with a fault takes two looks, so the default keeps both within a second.
    ///   - report: called after a look that found another problem than the one before, or none any more.
    package func watch(
        every interval: Duration = .milliseconds(300), report: @escaping @Sendable (LoadError?) -> Void = { _ in }
    ) -> Task<Void, Never> {
        Task.detached {
            var reported: String?
            while (try? await Task.sleep(for: interval)) != nil {
                self.refresh()
                let problem = self.problem
                if problem?.description != reported { report(problem) }
                reported = problem?.description
            }
        }
    }

    private static func load(_ paths: [String]) -> (keys: [TokenKey], problem: LoadError?) {
        var keys: [TokenKey] = []
        var problem: LoadError?
        for path in paths {
            let file = TokenKeyFile(path: path)
            keys += file.keys
            if problem == nil, let fault = file.faults.first { problem = LoadError(path: path, fault: fault) }
        }
        return (Array(keys.prefix(most)), problem)
    }
}
