import EventLoops
import Foundation
import StrideTestSupport
import Synchronization
import Testing

/// Random users, and every read against a recount that knows nothing of the product.
///
/// `STRIDE_RECOUNT_CASES` says how many (2 000; 10 000 take a few minutes), `STRIDE_RECOUNT_SEED` which, and
/// `STRIDE_RECOUNT_FIRST` where to begin, so that a case that failed can be run alone.
@Suite(.serialized) struct RecountTests {
    private static func setting(_ name: String, _ usual: Int) -> Int {
        ProcessInfo.processInfo.environment["STRIDE_RECOUNT_\(name)"].flatMap { Int($0) } ?? usual
    }

    /// The moments of the services: clocks that spring and fall, New Year, and a day without a midnight.
    private static let moments = [
        "2026-03-29T22:30:00Z", "2026-10-25T12:00:00Z", "2026-12-31T10:30:00Z", "2026-09-06T04:10:00Z",
    ]

    @Test("Workouts, days, weeks and summary of random users agree with a recount by the rules in words")
    func agree() async throws {
        let (count, seed) = (Self.setting("CASES", 2000), UInt64(Self.setting("SEED", 2026)))
        let first = Self.setting("FIRST", 0)
        print("recount: seed \(seed), cases \(first) to \(first + count - 1)")
        try await TestStores.run { stores in
            // Later than all of them, for the workouts that reach into their future.
            let fleet = try await Fleet.start(stores, now: "2027-01-04T00:00:00Z")
            defer { fleet.kill() }
            var readers: [ServiceProcess] = []
            defer { for reader in readers { reader.kill() } }
            for (place, moment) in Self.moments.enumerated() {
                readers.append(
                    try await ServiceProcess.start(
                        stores, .progress, name: "progress-\(place)",
                        settings: ["STRIDE_TEST_NOW": String(instant(moment)), "STRIDE_PROGRESS_STATEMENT_MS": "30000"])
                )
            }
            let begin = ContinuousClock.now
            let deck = Deck(next: first, end: first + count)
            let progress = readers
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<32 {
                    group.addTask {
                        while let number = deck.draw() {
                            let place = number % progress.count
                            let person = try fleet.person("case-\(number)", progress: progress[place])
                            let now = instant(Self.moments[place]) / 60_000
                            let faults = try await Self.differences(
                                person, now: now, seed: seed &* 1_000_003 &+ UInt64(number))
                            guard !faults.isEmpty else { continue }
                            deck.failed()
                            Issue.record("case \(number) of seed \(seed): \(faults.joined(separator: "\n"))")
                        }
                    }
                }
                try await group.waitForAll()
            }
            print("recount: \(count) cases in \(ContinuousClock.now - begin)")
            #expect(deck.draw() == nil)
        }
    }

    @Test("The recount finds a step too many on a day, a workout that is not there, and a goal that is another")
    func finds() async throws {
        try await TestStores.run { stores in
            let fleet = try await Fleet.start(
                stores, now: "2027-01-04T00:00:00Z", settings: ["STRIDE_PROGRESS_CHECK_MS": "0"])
            defer { fleet.kill() }
            let now = instant("2027-01-04T00:00:00Z") / 60_000
            let faults = [
                ("update daily_totals set steps = steps + 1", "days: "),
                ("update workouts set is_deleted = true", "count of workouts: "),
                ("update settings set plan_id = null, goal_steps = 3, goal_distance_mm = null", "summary: "),
            ]
            for (place, (fault, line)) in faults.enumerated() {
                let person = try fleet.person()
                var scene = Scene(person: person, now: now, seed: UInt64(place))
                try await scene.play()
                #expect(try await Expectation(scene, now: now).differences(person) == [])
                try await stores.database.run(
                    "insert into settings (user_id) values ('\(person.phone.user)') on conflict do nothing",
                    "\(fault) where user_id = '\(person.phone.user)'")
                try await stores.redis.send("UNLINK", TestRedis.daysKey(of: person.phone.user))
                let found = try await Expectation(scene, now: now).differences(person)
                #expect(found.contains { $0.hasPrefix(line) }, "\(fault): \(found)")
            }
        }
    }

    private static func differences(_ person: Person, now: Int, seed: UInt64) async throws -> [String] {
        var scene = Scene(person: person, now: now, seed: seed)
        try await scene.play()
        return try await Expectation(scene, now: now).differences(person)
    }
}

/// Gives out the numbers of cases, until five have failed.
private final class Deck: Sendable {
    private let state: Mutex<(next: Int, failures: Int)>
    private let end: Int

    init(next: Int, end: Int) {
        state = Mutex((next, 0))
        self.end = end
    }

    func draw() -> Int? {
        state.withLock { state in
            guard state.next < end, state.failures < 5 else { return nil }
            state.next += 1
            return state.next - 1
        }
    }

    func failed() { state.withLock { $0.failures += 1 } }
}
