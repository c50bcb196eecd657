import Synchronization

/// Lets a few in at a time, in the order in which they come.
///
/// There are two, because the runner lets only so many test cases begin at once, and who waits here within a test has
/// begun. Stores that a whole suite shares are held until the last of its tests has begun and ended. If both came through
/// one turnstile, suites could hold all of it and wait for their tests to begin, behind tests that have begun and wait for
/// the suites: nobody would ever go on.
package final class Turnstile: Sendable {
    /// For stores that a test uses within its own body.
    package static let ofTests = Turnstile(places: 3)
    /// For stores that are made before the tests of a suite begin and shared by them.
    package static let ofSuites = Turnstile(places: 2)

    private struct State {
        var inside = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let places: Int
    private let state = Mutex(State())

    private init(places: Int) { self.places = places }

    /// How many have come in and not left.
    package var inside: Int { state.withLock { $0.inside } }

    func enter() async {
        await withCheckedContinuation { continuation in
            let goes = state.withLock { state -> Bool in
                guard state.inside == places else {
                    state.inside += 1
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if goes { continuation.resume() }
        }
    }

    func leave() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            // The place goes on to the next one.
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.inside -= 1
            return nil
        }
        next?.resume()
    }
}
