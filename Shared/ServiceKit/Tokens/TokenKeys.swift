internal import Synchronization

/// The keys that count at this moment, re-read from their files while the service runs.
///
/// Rotation: add the new key to the file, give it to the signer, remove the old one when its tokens have expired. A key that is
/// gone from the files stops working within a second, also for tokens that were verified before: each change starts a new
/// generation, and a verified token counts only in its own.
///
/// A change that comes with a fault (a file missing or empty, a line too short, a key set cut short) is taken only when the
/// next look finds it again, so that an editor caught in the middle of writing locks nobody out; then the keys that are
/// right count, the faulty ones do not, and `findings` says why.
package final class TokenKeys: Sendable {
    /// One state of the keys.
    package struct Generation: Sendable {
        /// Grows by one with each change.
        package let number: UInt64
        /// The keys, at most `TokenKeys.most`.
        package let keys: [TokenKey]
    }

    /// Why the keys cannot be used at start.
    package struct LoadError: Error, Sendable, Equatable, CustomStringConvertible {
        /// The file, as configured.
        package let path: String
        /// What is wrong with it.
        package let fault: TokenKeyFault
        package var description: String { "\(path): \(fault)" }
    }

    /// What an operator should know about the files.
    package struct Findings: Sendable, Equatable {
        /// The first thing that is wrong, for a log line and an alert.
        package internal(set) var problem: LoadError?
        /// The keys of key sets that are of no use here, each with its file.
        package internal(set) var skipped: [String] = []
    }

    private struct State {
        var generation: Generation
        var look: TokenKeyLook
        var doubtful: [TokenKey]?
    }

    /// The most keys that count; a service does not start with more.
    package static let most = 16

    private let sources: [TokenKeySource]
    private let state: Mutex<State>
    private let number = Atomic<UInt64>(1)

    /// Reads the files for the first time.
    ///
    /// - Parameters:
    ///   - files: paths of files with shared secrets (`TokenKeyFile` has the format).
    ///   - keySets: paths of JSON Web Key Sets (`TokenKeySet` says what counts); the keys of all files are put together.
    /// - Throws: `LoadError` for the first fault: a service does not start with a key file that is partly wrong.
    package init(files: [String], keySets: [String] = []) throws(LoadError) {
        sources =
            files.map { TokenKeySource(path: $0, format: .secrets) }
            + keySets.map { TokenKeySource(path: $0, format: .keySet) }
        let look = TokenKeyLook(sources, before: TokenKeyLook())
        if let problem = look.findings.problem { throw problem }
        guard !look.keys.isEmpty else {
            throw LoadError(path: (files + keySets).joined(separator: ", "), fault: .noKey)
        }
        state = Mutex(State(generation: Generation(number: 1, keys: look.keys), look: look))
    }

    /// Fixed keys, for tests and tools.
    package init(_ keys: [TokenKey]) {
        sources = []
        let generation = Generation(number: 1, keys: Array(keys.prefix(Self.most)))
        state = Mutex(State(generation: generation, look: TokenKeyLook()))
    }

    /// The number of the current generation: one atomic load, for the hot path.
    package var generationNumber: UInt64 { number.load(ordering: .acquiring) }

    /// The current generation.
    ///
    /// Takes a lock; for when the number has changed.
    package var current: Generation { state.withLock { $0.generation } }

    /// What the last look at the files found.
    package var findings: Findings { state.withLock { $0.look.findings } }

    /// Looks at the files once.
    ///
    /// Blocks for as long as the file system does; never called on a loop.
    package func refresh() {
        guard !sources.isEmpty else { return }
        let look = TokenKeyLook(sources, before: state.withLock { $0.look })
        state.withLock { state in
            state.look = look
            if look.keys == state.generation.keys {
                state.doubtful = nil
            } else if look.findings.problem != nil, state.doubtful != look.keys {
                state.doubtful = look.keys
            } else {
                state.doubtful = nil
                state.generation = Generation(number: state.generation.number + 1, keys: look.keys)
                number.store(state.generation.number, ordering: .releasing)
            }
        }
    }

    /// Looks at the files again and again, off the loops, until the task is cancelled.
    ///
    /// - Parameters:
    ///   - interval: how often; a change with a fault takes two looks, so the default keeps both within a second.
    ///   - report: called after a look that found something else than the one before it.
    package func watch(
        every interval: Duration = .milliseconds(300), report: @escaping @Sendable (Findings) -> Void = { _ in }
    ) -> Task<Void, Never> {
        Task.detached {
            var reported = self.findings
            while (try? await Task.sleep(for: interval)) != nil {
                self.refresh()
                let findings = self.findings
                if findings != reported { report(findings) }
                reported = findings
            }
        }
    }
}
