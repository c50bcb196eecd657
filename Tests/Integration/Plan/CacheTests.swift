import Models
import Testing

@testable import Storage

extension PlanServiceTests {
    /// What Redis and PostgreSQL hold after a write.
    @Suite struct CacheTests {
        @Test("After every answered write the cache holds what PostgreSQL holds, with its revision")
        func agree() async throws {
            try await PlanStack.lend { stack in
                for (method, path, body) in [
                    ("POST", "create_workout_plan", plan()), ("PUT", "weekly_goal", #"{"steps":35000}"#),
                    ("PUT", "profile", #"{"week_start":"sunday"}"#), ("PUT", "weekly_goal", #"{"distance":25000.5}"#),
                    ("POST", "create_workout_plan", plan(name: "a:b \\u00e9 \\\"", steps: 3)),
                    ("PUT", "profile", #"{"time_zone":"Asia/Kathmandu"}"#), ("DELETE", "weekly_goal", nil),
                    ("DELETE", "plan", nil), ("PUT", "profile", "{}"),
                ] as [(String, String, String?)] {
                    let answer = try stack.call("ann", method, "/v1/\(path)", body)
                    try #require(answer.status < 300)
                    try await Self.compare(stack, "ann", after: "\(method) \(path)")
                }
                let user = try stack.user("ann")
                let revisions = try await stack.query(
                    "select plan_revision::text, goal_revision::text, profile_revision::text, u.revision::text "
                        + "from settings join users u using (user_id) where user_id = '\(user)'")
                #expect(revisions == [["8", "7", "9", "9"]])
            }
        }

        /// Compares each field that Redis holds with the row; a field that is not there was never set.
        private static func compare(_ stack: PlanStack, _ person: String, after: String) async throws {
            let user = try stack.user(person)
            let rows = try await stack.query(
                """
                select plan_revision || ':' || coalesce(p.content, ''),
                    goal_revision || ':' || case when goal_steps is null and goal_distance_mm is null then '' else
                        coalesce(goal_steps::text, '') || ':' || coalesce(goal_distance_mm::text, '') end,
                    profile_revision || ':' || coalesce(week_start, 0) || ':' || coalesce(time_zone, 'UTC')
                from settings s left join plans p on p.user_id = s.user_id and p.plan_id = s.plan_id
                where s.user_id = '\(user)'
                """)
            let row = try #require(rows.first)
            for (name, stored) in zip(["plan", "goal", "profile"], row) {
                let held = try await stack.field(name, of: person)
                #expect(held == (stored.hasPrefix("0:") ? nil : stored), "\(name) after \(after)")
            }
        }

        @Test("A repeat shows the current plan again, should Redis have lost it")
        func shownAgain() async throws {
            try await PlanStack.lend { stack in
                let body = plan()
                try #require(try stack.call("ann", "POST", "/v1/create_workout_plan", body).status == 201)
                let held = try #require(try await stack.field("plan", of: "ann"))
                try await stack.forget("ann")
                #expect(try stack.call("ann", "POST", "/v1/create_workout_plan", body).status == 200)
                #expect(try await stack.field("plan", of: "ann") == held)
            }
        }

        @Test("A second after a write no mark is left")
        func marks() async throws {
            try await PlanStack.lend { stack in
                for _ in 1...3 {
                    try #require(try stack.call("ann", "POST", "/v1/create_workout_plan", plan()).status == 201)
                }
                try #require(try stack.call("ann", "PUT", "/v1/profile", #"{"week_start":"sunday"}"#).status == 200)
                let user = try stack.user("ann")
                let count = "select count(*)::text from cache_marks where user_id = '\(user)'"
                // They are swept half a second after the first of them; the rest is for a busy machine.
                try await stack.eventually { try await stack.query(count) == [["0"]] }
            }
        }

        @Test("A conflict, a reused requestId and a fault leave no trace: neither row, nor revision, nor mark")
        func noTrace() async throws {
            try await PlanStack.lend { stack in
                let user = try stack.user("ann")
                #expect(
                    try stack.call("ann", "POST", "/v1/create_workout_plan", plan(more: #","replaces":"\#(newID())""#))
                        .status == 409)
                #expect(try await stack.query("select revision::text from users where user_id = '\(user)'").isEmpty)
                let id = newID()
                try #require(try stack.call("ann", "POST", "/v1/create_workout_plan", plan(id)).status == 201)
                #expect(try stack.call("ann", "POST", "/v1/create_workout_plan", plan(id, steps: 3)).status == 422)
                #expect(try stack.call("ann", "POST", "/v1/create_workout_plan", "{}").status == 400)
                #expect(try await stack.query("select revision::text from users where user_id = '\(user)'") == [["1"]])
                #expect(try await stack.query("select count(*)::text from plans") == [["1"]])
            }
        }
    }
}
