import StrideTestSupport
import Testing

/// What is promised: five seconds after all processes are up again, what progress answers equals PostgreSQL.
enum Promise {
    /// The moment at which the services of these tests believe to live, and its day.
    static let now = "2026-12-02T12:00:00Z"

    /// Lets the promised time go by, without a call of anybody, and asks the judge.
    static func expectKept(_ fleet: Fleet, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        for process in [fleet.ingest, fleet.plan, fleet.progress] {
            try await eventually("\(process.kind) is ready", within: .seconds(60)) { await process.isReady() }
        }
        try await Task.sleep(for: .seconds(5))
        try await expectAgreement(fleet, sourceLocation: sourceLocation)
    }

    /// Asks the judge now.
    static func expectAgreement(_ fleet: Fleet, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let (ending, output) = try await fleet.verify()
        #expect(ending == .exited(0), "\(output)", sourceLocation: sourceLocation)
    }

    /// A person with 5 000 steps today, a plan and a profile, all of it in the cache.
    static func warm(_ fleet: Fleet, steps: Int = 5000) async throws -> Person {
        let person = try fleet.person()
        #expect(try await person.live(in: "UTC").status == 200)
        #expect(try await person.follow("before", from: "2026-11-30", [["steps": 20_000]]).status == 201)
        #expect(try await person.post(workout(at: "08", steps: steps)).status == 200)
        try await eventually("the cache answers") {
            try await person.get("/v1/progressSummary")["X-Stride-Source"] == "cache"
        }
        #expect(try await Self.steps(of: person) == steps)
        return person
    }

    /// A workout of one minute at a full hour of today.
    static func workout(at hour: String, day: String = "2026-12-02", steps: Int) -> JSON {
        StrideTestSupport.workout(
            from: "\(day)T\(hour):00:00Z", to: "\(day)T\(hour):01:00Z", steps: steps, zone: "UTC")
    }

    /// Today's steps, as progress answers them.
    static func steps(of person: Person) async throws -> Int? { try await person.summary()["currentDaySteps"].int }
}
