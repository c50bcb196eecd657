import Testing

@testable import Redis

@Suite("Pauses before connecting again")
struct RedisBackoffTests {
    @Test("each lies in the upper half of its step: 50, 100, … 1600, 2000, 2000 ms", arguments: UInt64(1)...50)
    func steps(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var backoff = RedisBackoff(minimum: .milliseconds(50), maximum: .seconds(2))
        for step in [50, 100, 200, 400, 800, 1600, 2000, 2000, 2000] {
            let pause = backoff.next(using: &generator)
            #expect(pause >= .milliseconds(step) / 2 && pause <= .milliseconds(step))
        }
        backoff.reset()
        #expect(backoff.next(using: &generator) <= .milliseconds(50))
    }

    @Test("pauses differ between members of a fleet")
    func jitter() {
        let pauses = (1...100).map { seed in
            var generator = SeededGenerator(seed: UInt64(seed))
            var backoff = RedisBackoff(minimum: .milliseconds(50), maximum: .seconds(2))
            return backoff.next(using: &generator)
        }
        #expect(Set(pauses).count > 90)
    }

    @Test("nonsense in the settings never makes a pause of nothing")
    func nonsense() {
        var generator = SeededGenerator(seed: 1)
        var backoff = RedisBackoff(minimum: .zero, maximum: .seconds(-1))
        for _ in 0..<10 { #expect(backoff.next(using: &generator) >= .microseconds(500)) }
    }
}
