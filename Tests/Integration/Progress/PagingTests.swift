import Models
import Postgres
import StrideTestSupport
import Testing

@testable import Storage

/// Pages of workouts, whatever happens between them.
@Suite(.serialized)
struct PagingTests {
    /// Follows the links; `between` runs after each page.
    static func all(
        _ world: World, from target: String, between: (Int) async throws -> Void = { _ in }
    ) async throws -> [String] {
        var ids: [String] = []
        var next: String? = target
        var page = 0
        while let target = next {
            let answer = try await world.get(target, as: "anna")
            #expect(answer.status == 200)
            ids += answer.ids
            page += 1
            next = answer["Link"].map { link in
                #expect(link.hasPrefix("</v1/workouts?") && link.hasSuffix(">; rel=\"next\""), "\(link)")
                return String(link.dropFirst().prefix { $0 != ">" })
            }
            try #require(page < 100)
            try await between(page)
        }
        return ids
    }

    @Test("1 500 workouts of one millisecond: none is lost or repeated while others arrive between the pages")
    func sameMillisecond() async throws {
        try await World.run { world in
            var expected: Set<String> = []
            for _ in 0..<3 {
                let writes = try (0..<500).map { _ in
                    try world.workout("anna", at: "2026-12-02T08:00:00Z", steps: 1)
                }
                expected.formUnion(writes.map(\.submission.requestIDText))
                try await world.write(writes)
            }
            var added: Set<String> = []
            let ids = try await Self.all(world, from: "/v1/workouts") { _ in
                let writes = try (0..<20).map { _ in
                    try world.workout("anna", at: "2026-12-02T08:00:00Z", steps: 1)
                }
                added.formUnion(writes.map(\.submission.requestIDText))
                try await world.write(writes)
            }
            #expect(expected.count == 1500)
            #expect(Set(ids).count == ids.count, "something came twice")
            #expect(expected.isSubset(of: ids), "something is missing")
            #expect(Set(ids).subtracting(expected).isSubset(of: added))
            let after = try await Self.all(world, from: "/v1/workouts?limit=1000")
            #expect(Set(after) == expected.union(added))
        }
    }

    @Test("a page behind a workout that was deleted in the meantime loses nothing")
    func deletedInBetween() async throws {
        try await World.run { world in
            let writes = try (0..<10).map { try world.workout("anna", at: "2026-12-02T08:0\($0):00Z", steps: 1) }
            let outcomes = try await world.write(writes)
            let ids = try await Self.all(world, from: "/v1/workouts?limit=3") { page in
                if page == 1 { try await world.delete(try #require(outcomes[2].workoutID), of: "anna") }
            }
            #expect(ids == writes.map(\.submission.requestIDText))
            #expect(try await Self.all(world, from: "/v1/workouts?limit=3").count == 9)
        }
    }

    @Test("the bounds and the limit travel with the link; a full last page has none")
    func links() async throws {
        try await World.run { world in
            try await world.write(
                try (0..<6).map { try world.workout("anna", at: "2026-12-02T08:0\($0):00Z", steps: 1) })
            let target = "/v1/workouts?start_time=1796198460000&end_time=1796198700000&limit=2&unknown=1"
            let first = try await world.get(target, as: "anna")
            let link = try #require(first["Link"])
            #expect(link.hasPrefix("</v1/workouts?start_time=1796198460000&end_time=1796198700000&limit=2&cursor="))
            // 08:01 … 08:04: four workouts, two full pages.
            #expect(try await Self.all(world, from: target).count == 4)
            let second = try await world.get(String(link.dropFirst().prefix { $0 != ">" }), as: "anna")
            #expect(second.ids.count == 2)
            #expect(second["Link"] == nil)
        }
    }

    @Test("A page late in a long history reads only itself")
    func readsOnlyThePage() async throws {
        try await World.run { world in
            let user = try world.user("anna")
            // A minute each, from 1 January 2020 on: 50 000 of them.
            let first: Int64 = 1_577_836_800_000
            _ = try await world.connection.query(
                PostgresStatement(
                    "",
                    """
                    insert into workouts (user_id, request_id, start_ms, end_ms, steps, distance_mm, time_zone,
                        zone_was_sent, status, source, day, revision)
                    select $1, gen_random_uuid(), $2 + n::bigint * 60000, $2 + (n::bigint + 1) * 60000, 10, 0, 'UTC', true, 1, 0,
                        '2020-01-01', 1
                    from generate_series(0, 49999) as n
                    """, [.uuid(user.postgres), .int8(first)], effect: .write), timeout: .seconds(60))
            _ = try await world.connection.query(.simple("vacuum analyze workouts"), timeout: .seconds(60))
            let query = WorkoutsQuery(start: Timestamp(milliseconds: first + 49_900 * 60_000), limit: 10)
            let page = try await WorkoutPages(timeout: .seconds(20)).page(query, of: user, on: world.connection)
            #expect(
                page.workouts.map(\.start.milliseconds) == (49_900..<49_910).map { first + Int64($0) * 60_000 })
            let statement = WorkoutPages.statement(query, of: user)
            let plan = try await world.connection.query(
                PostgresStatement("", "explain (analyze, buffers) " + statement.sql, statement.parameters),
                timeout: .seconds(20))
            let lines = try (0..<plan.rowCount).map { try plan.text($0, 0) }
            // The first line with buffers is that of the whole statement; three levels of an index and eleven rows.
            let total = try #require(lines.first { $0.contains("Buffers:") })
            let pages = total.split { !$0.isNumber }.compactMap { Int($0) }.reduce(0, +)
            #expect(pages > 0 && pages < 30, "\(lines)")
        }
    }
}
