import StrideTestSupport
import Testing

/// The runner lets only so many tests begin at once, and these have to wait for that while their suite holds its stores.
@Suite("A suite that shares its stores among its tests", .serialized, .stand())
struct TurnstileTests {
    @Test("takes no place from tests with stores of their own, which would keep its tests from beginning")
    func suitesApart() async throws {
        #expect(Stand.current != nil)
        // The one of this suite, at least, which it holds until its tests have ended.
        #expect(Turnstile.ofSuites.inside > 0)
    }
}
