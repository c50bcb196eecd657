import StrideFaults
import Testing

/// What the seed decides.
@Suite struct ScheduleTests {
    @Test("one seed gives one schedule, another seed another")
    func repeatable() {
        let schedule = Schedule(seed: 7, milliseconds: 60_000)
        #expect(schedule.steps == Schedule(seed: 7, milliseconds: 60_000).steps)
        #expect(schedule.steps != Schedule(seed: 8, milliseconds: 60_000).steps)
        #expect(schedule.steps.map(\.at) == schedule.steps.map(\.at).sorted())
        #expect(schedule.steps.allSatisfy { $0.at < 60_000 })
    }

    @Test("a longer run begins as the shorter one")
    func prefix() {
        let (short, long) = (Schedule(seed: 7, milliseconds: 20_000), Schedule(seed: 7, milliseconds: 60_000))
        #expect(Array(long.steps.prefix(short.steps.count)) == short.steps)
    }

    @Test("twenty seeds of half a minute contain every kind of fault")
    func complete() {
        let steps = (1...20 as ClosedRange<UInt64>).flatMap { Schedule(seed: $0, milliseconds: 30_000).steps }
        let kinds = Set(steps.map { "\($0.fault)" })
        for kind in [
            "kill -9 of the primary", "SIGSTOP of the standby", "SIGSTOP of the primary", "Redis is flushed",
            "Redis takes a snapshot", "SIGTERM of progress", "SIGSTOP of Redis",
        ] {
            #expect(kinds.contains { $0.hasPrefix(kind) }, "\(kind)")
        }
        for way in ["Redis", "PostgreSQL"] {
            for what in [
                "is a black hole", "is byte by byte", "is late by", "is reset", "is refused", "is half-closed",
            ] {
                #expect(kinds.contains { $0.contains("→\(way) \(what)") }, "\(way) \(what)")
            }
        }
    }
}
