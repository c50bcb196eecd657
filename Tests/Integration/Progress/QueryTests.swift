import Models
import StrideTestSupport
import Testing

/// Queries that break rules: 400 with a pointer, never an empty list, never 500.
@Suite(.serialized)
struct QueryTests {
    /// A target and the pointers of its faults, in order.
    static let faulty: [(target: String, pointers: [String])] = [
        ("/v1/workouts?limit=0", ["/query/limit"]),
        ("/v1/workouts?limit=1001", ["/query/limit"]),
        ("/v1/workouts?limit=-1", ["/query/limit"]),
        ("/v1/workouts?limit=ten", ["/query/limit"]),
        ("/v1/workouts?limit=", ["/query/limit"]),
        ("/v1/workouts?limit=%2B5", ["/query/limit"]),
        ("/v1/workouts?limit=1.0", ["/query/limit"]),
        ("/v1/workouts?limit=99999999999999999999", ["/query/limit"]),
        ("/v1/workouts?start_time=yesterday", ["/query/start_time"]),
        ("/v1/workouts?start_time=1764460800", ["/query/start_time"]),
        ("/v1/workouts?end_time=9223372036854775808", ["/query/end_time"]),
        ("/v1/workouts?start_time=1764460800000&end_time=1764460800000", ["/query/end_time"]),
        ("/v1/workouts?start_time=1764460800001&end_time=1764460800000", ["/query/end_time"]),
        ("/v1/workouts?start_time=2026-12-01T00:00:00%2B07:00", ["/query/start_time"]),
        ("/v1/workouts?end_time=2026-12-01T00:00:00+07:00", ["/query/end_time"]),
        ("/v1/workouts?cursor=garbage", ["/query/cursor"]),
        ("/v1/workouts?cursor=abc", ["/query/cursor"]),
        ("/v1/workouts?cursor=", ["/query/cursor"]),
        ("/v1/workouts?cursor=%00", ["/query/cursor"]),
        ("/v1/workouts?limit=0&start_time=x&cursor=y", ["/query/start_time", "/query/limit", "/query/cursor"]),
        ("/v1/progress?limit=0", ["/query/limit"]),
        ("/v1/progress?cursor=1", ["/query/cursor"]),
        ("/v1/progress?limit=-1", ["/query/limit"]),
        ("/v1/progress?cursor=garbage", ["/query/cursor"]),
        ("/v1/progressSummary?time_zone=%2B07:00", ["/query/time_zone"]),
        ("/v1/progressSummary?time_zone=UTC%2B7", ["/query/time_zone"]),
        ("/v1/days?from=2026-12-01T00:00:00%2B07:00&to=2026-12-01", ["/query/from"]),
        ("/v1/progressSummary?time_zone=Mars/Olympus", ["/query/time_zone"]),
        ("/v1/progressSummary?time_zone=", ["/query/time_zone"]),
        ("/v1/progressSummary?time_zone=PST", ["/query/time_zone"]),
        ("/v1/progressSummary?time_zone=../../etc/passwd", ["/query/time_zone"]),
        ("/v1/days", ["/query/from", "/query/to"]),
        ("/v1/days?from=2026-12-01", ["/query/to"]),
        ("/v1/days?from=2026-02-29&to=2026-03-01", ["/query/from"]),
        ("/v1/days?from=2026-12-02&to=2026-12-01", ["/query/to"]),
        ("/v1/days?from=2025-01-01&to=2026-02-05", ["/query/to"]),
        ("/v1/days?from=1764460800000&to=now", ["/query/from", "/query/to"]),
        ("/v1/changes?limit=1001", ["/query/limit"]),
        ("/v1/changes?limit=-1", ["/query/limit"]),
        ("/v1/changes?cursor=0", ["/query/cursor"]),
        ("/v1/changes?cursor=garbage", ["/query/cursor"]),
        ("/v1/changes?cursor=%FF%FE", []),
        ("/v1/workouts?cursor=%zz", []),
    ]

    @Test("every malformed query is 400 and names each parameter at fault")
    func faults() async throws {
        try await World.run { world in
            try await AnswerTests.someone(world)
            for (target, pointers) in Self.faulty {
                let answer = try await world.get(target, as: "anna")
                #expect(answer.status == 400, "\(target): \(answer.text)")
                #expect(answer.code == "INVALID_REQUEST", "\(target)")
                #expect(answer["Content-Type"] == "application/problem+json")
                let named = answer.text.split(separator: "\"pointer\":\"").dropFirst()
                    .map { String($0.prefix { $0 != "\"" }) }
                #expect(named == pointers, "\(target)")
            }
        }
    }

    @Test("a cursor of one list is not taken by another, nor one that was changed by a byte")
    func foreignCursors() async throws {
        try await World.run { world in
            try await AnswerTests.someone(world)
            let link = try #require(try await world.get("/v1/workouts?limit=1", as: "anna")["Link"])
            let workouts = try #require(link.split(separator: "cursor=").last?.prefix { $0 != ">" })
            let changes = try #require(try await world.get("/v1/changes?limit=1", as: "anna").member("nextCursor"))
            let progress = try #require(try await world.get("/v1/progress?limit=1", as: "anna").member("nextCursor"))
            let digit = workouts.last == "0" ? "1" : "0"
            let targets = [
                "/v1/workouts?cursor=\(changes)", "/v1/workouts?cursor=\(progress)", "/v1/changes?cursor=\(workouts)",
                "/v1/changes?cursor=\(progress)", "/v1/progress?cursor=\(workouts)",
                "/v1/workouts?cursor=\(workouts.dropLast(2))", "/v1/workouts?cursor=\(workouts.dropLast())\(digit)",
                "/v1/workouts?cursor=\(workouts)00",
            ]
            for target in targets { #expect(try await world.get(target, as: "anna").status == 400, "\(target)") }
            #expect(try await world.get("/v1/workouts?cursor=\(workouts)", as: "anna").status == 200)
        }
    }

    @Test("a cursor of a plan that was replaced or deleted is 410, and fits again only its own")
    func replacedPlan() async throws {
        try await World.run { world in
            let (old, new) = (
                try plan("old", start: "2026-11-11", steps: [1, 2, 3, 4], number: 1),
                try plan("new", start: "2026-11-18", steps: [5, 6, 7], number: 2)
            )
            try await world.set(plan: old, of: "anna")
            let first = try await world.get("/v1/progress?limit=1", as: "anna")
            let cursor = try #require(first.member("nextCursor"))
            let target = "/v1/progress?limit=1&cursor=\(cursor)"
            #expect(try await world.get(target, as: "anna").text.contains("\"progress\":[{\"week\":1,"))
            for current in [new, nil] {
                try await world.set(plan: current, of: "anna")
                let answer = try await world.get(target, as: "anna")
                #expect(answer.status == 410, "\(answer.text)")
                #expect(answer.code == "CURSOR_EXPIRED")
            }
            // Nobody else has the plan, so nobody else gets a page for it.
            #expect(try await world.get(target, as: "otto").status == 410)
        }
    }

    @Test("parameters that nobody knows are ignored; other methods and paths are refused")
    func others() async throws {
        try await World.run { world in
            for route in PrivacyTests.routes {
                let mark = route.contains("?") ? "&" : "?"
                #expect(try await world.get("\(route)\(mark)utm_source=x&_=1", as: "anna").status == 200)
                let head = try await world.get(route, as: "anna", method: "HEAD")
                #expect(head.status == 200)
                #expect(head.text.isEmpty)
                #expect(try await world.get(route, as: "anna", headers: ["Accept": "text/html"]).status == 406)
                #expect(try await world.get(route, as: "anna", method: "PATCH").status == 405)
            }
            #expect(try await world.get("/v1/nothing", as: "anna").status == 404)
            #expect(try await world.get("/v1/workouts", as: "anna", method: "PATCH")["Allow"]?.contains("POST") == true)
        }
    }
}
