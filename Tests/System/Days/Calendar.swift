import StrideTestSupport
import Testing

/// Three services whose progress can be asked at any moment: each moment is a process of its own.
struct Calendar: Sendable {
    private let fleet: Fleet

    /// Lends one; ingest and plan live later than every moment that is asked about.
    static func run(_ body: @Sendable (Calendar) async throws -> Void) async throws {
        try await Fleet.run(now: "2027-02-01T00:00:00Z") { try await body(Calendar(fleet: $0)) }
    }

    /// A user with a profile.
    func person(in zone: String, weekStart: String = "monday") async throws -> Person {
        let person = try fleet.person()
        #expect(try await person.live(in: zone, weekStart: weekStart).status == 200)
        return person
    }

    /// Lends a person whose progress lives at a moment.
    func at(_ moment: String, _ person: Person, _ body: (Person) async throws -> Void) async throws {
        let progress = try await ServiceProcess.start(
            fleet.stores, .progress, name: "progress-\(moment)",
            settings: ["STRIDE_TEST_NOW": "\(instant(moment))", "STRIDE_PROGRESS_STATEMENT_MS": "30000"])
        defer { progress.kill() }
        var moved = person.phone
        moved.ports[2] = progress.port
        try await body(Person(phone: moved))
    }
}

/// What a summary says at a moment.
struct Stand: Sendable {
    let moment: String
    let expected: [String: JSON]
    /// The weeks of `GET /v1/progress`: steps, millimetres, met.
    var weeks: [[Int]]?
}

extension Calendar {
    /// Compares a person's summary and weeks at each moment with what was worked out by hand.
    func expect(
        _ person: Person, _ stands: [Stand], sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        for stand in stands {
            try await at(stand.moment, person) { person in
                let summary = try await person.summary()
                for (name, value) in stand.expected {
                    #expect(summary[name] == value, "\(name) at \(stand.moment)", sourceLocation: sourceLocation)
                }
                guard let weeks = stand.weeks else { return }
                let page = try await person.get("/v1/progress").json
                let found = page["progress"].elements.map { week in
                    [week["steps"].int ?? -1, week.millimetres("distance"), week["met"] == true ? 1 : 0]
                }
                #expect(found == weeks, "weeks at \(stand.moment)", sourceLocation: sourceLocation)
                #expect(page["planState"] == summary["planState"], sourceLocation: sourceLocation)
                #expect(page["currentWeek"] == summary["currentWeek"], sourceLocation: sourceLocation)
            }
        }
    }

    /// Compares a person's days with what was worked out by hand: steps and number of workouts.
    func expect(
        _ person: Person, days: [String: (steps: Int, workouts: Int)],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let (first, last) = (days.keys.min() ?? "", days.keys.max() ?? "")
        let page = try await person.get("/v1/days?from=\(first)&to=\(last)").json["days"].elements
        #expect(page.count == days.count, sourceLocation: sourceLocation)
        for day in page {
            let expected = days[day["day"].string ?? ""]
            #expect(day["steps"].int == expected?.steps, "\(day)", sourceLocation: sourceLocation)
            #expect(day["workouts"].int == expected?.workouts, "\(day)", sourceLocation: sourceLocation)
        }
    }
}

extension JSON {
    /// A distance in metres as whole millimetres; -1 when it is none.
    func millimetres(_ name: String) -> Int {
        switch self[name] {
        case .int(let metres): metres * 1000
        case .double(let metres): Int((metres * 1000).rounded())
        default: -1
        }
    }
}
