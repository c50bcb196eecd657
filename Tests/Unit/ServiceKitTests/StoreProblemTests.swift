import Models
import Postgres
import Testing

@testable import ServiceKit

/// What callers are told when the database, or a queue in front of it, does not serve them.
@Suite struct StoreProblemTests {
    @Test("A queue that is full is overload and a service that stops is draining, not a database that is away")
    func reasons() {
        let full = Problem.store(.overload, instance: "call-1")
        #expect(full.reason == .overload)
        #expect(full.code == .tryAgainLater)
        let stopping = Problem.store(.draining, instance: "call-2")
        #expect(stopping.reason == .draining)
        #expect(stopping.code == .tryAgainLater)
    }

    @Test("Whoever is refused by a full queue waits a second or more, and 200 ms or more for another instance")
    func waits() throws {
        for _ in 0..<100 {
            let full = try #require(Problem.store(.overload, instance: "call").retryAfterMilliseconds)
            #expect(full >= 1000)
            let stopping = try #require(Problem.store(.draining, instance: "call").retryAfterMilliseconds)
            #expect((200..<1000).contains(stopping))
        }
    }
}
