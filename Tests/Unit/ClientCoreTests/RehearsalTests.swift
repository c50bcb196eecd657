import ClientCore
import Testing

/// A made-up life of a device, thousands of events from a seed.
struct RehearsalTests {
    @Test("the same seed gives the same effects, another gives others") func isDeterministic() {
        let first = Rehearsal(seed: 7, events: 800)
        #expect(first.failures == 0)
        #expect(first.fingerprint == Rehearsal(seed: 7, events: 800).fingerprint)
        #expect(first.fingerprint != Rehearsal(seed: 8, events: 800).fingerprint)
    }
}
