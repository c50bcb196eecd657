import Models
import ServiceKit
import Testing

extension PlanServiceTests {
    /// PostgreSQL is away.
    @Suite struct AwayTests {
        @Test("Without PostgreSQL every call but the templates is 503 at once, and faults are still named")
        func away() async throws {
            try await PlanStack.lend(["STRIDE_POSTGRES_URL": "postgresql://stride@127.0.0.1:1/stride"]) { stack in
                // The first attempt to connect has failed once an answer is 503.
                try await stack.eventually { try stack.call("ann", "GET", "/v1/plan").status == 503 }
                for (method, path, body) in [
                    ("POST", "create_workout_plan", plan()), ("GET", "plan", nil), ("DELETE", "plan", nil),
                    ("GET", "weekly_goal", nil), ("PUT", "weekly_goal", #"{"steps":1}"#),
                    ("DELETE", "weekly_goal", nil),
                    ("GET", "profile", nil), ("PUT", "profile", "{}"),
                ] as [(String, String, String?)] {
                    let begin = ContinuousClock.now
                    let answer = try stack.call("ann", method, "/v1/\(path)", body)
                    #expect(answer.status == 503 && answer.code == "TRY_AGAIN_LATER", "\(method) \(path)")
                    #expect(answer.string("reason") == "store_unavailable" && answer["Retry-After"] != nil)
                    #expect((answer.json[member: "retry_after_ms"]?.integer ?? 0) >= 2000)
                    #expect((answer["RateLimit"] != nil) == (method != "GET"))
                    #expect(ContinuousClock.now - begin < .seconds(5))
                }
                #expect(try stack.call("ann", "POST", "/v1/create_workout_plan", "{}").pointers.count == 4)
                #expect(try stack.call("ann", "PUT", "/v1/weekly_goal", "{}").status == 400)
                #expect(try stack.call(nil, "GET", "/v1/plan_templates").status == 200)
            }
        }

        @Test("Sessions that the server has ended are not noticed by those who read")
        func endedSessions() async throws {
            try await PlanStack.lend { stack in
                try #require(try stack.call("ann", "PUT", "/v1/weekly_goal", #"{"steps":1}"#).status == 200)
                for _ in 1...3 {
                    let ended = try await stack.query(
                        "select pg_terminate_backend(pid)::text from pg_stat_activity "
                            + "where datname = current_database() and application_name = 'stride-plan'")
                    #expect(!ended.isEmpty)
                    for _ in 1...4 {
                        #expect(try stack.call("ann", "GET", "/v1/weekly_goal").text == #"{"steps":1}"#)
                    }
                }
            }
        }

        @Test("A user whose row somebody else holds gets 503 in time, nothing is written, and then it works again")
        func heldRow() async throws {
            try await PlanStack.lend(["STRIDE_PLAN_STATEMENT_MS": "300"]) { stack in
                try #require(try stack.call("ann", "PUT", "/v1/weekly_goal", #"{"steps":1}"#).status == 200)
                _ = try await stack.query("begin")
                _ = try await stack.query(
                    "select revision::text from users where user_id = '\(try stack.user("ann"))' for update")
                for (method, path, body) in [
                    ("PUT", "weekly_goal", #"{"steps":2}"#), ("POST", "create_workout_plan", plan()),
                ] {
                    let answer = try stack.call("ann", method, "/v1/\(path)", body)
                    #expect(answer.status == 503 && answer.string("reason") == "store_unavailable")
                }
                #expect(try stack.call("bob", "PUT", "/v1/weekly_goal", #"{"steps":3}"#).status == 200)
                _ = try await stack.query("rollback")
                #expect(try stack.call("ann", "GET", "/v1/weekly_goal").text == #"{"steps":1}"#)
                #expect(try stack.call("ann", "GET", "/v1/plan").code == "NO_PLAN")
                #expect(try stack.call("ann", "PUT", "/v1/weekly_goal", #"{"steps":4}"#).status == 200)
            }
        }
    }
}
