import Models
import Testing

extension PlanServiceTests {
    /// The budget of calls that write.
    @Suite struct BudgetTests {
        @Test("Sixty writes at once are admitted, the next is 429 with the true wait; reads and others go on")
        func burst() async throws {
            try await PlanStack.lend { stack in
                let first = try stack.call("ann", "PUT", "/v1/profile", "{}")
                #expect(first["RateLimit-Policy"] == #""plans";q=60;w=60"#)
                #expect(first["RateLimit"] == #""plans";r=59;t=1"#)
                var refused: Answer?
                for number in 2...75 where refused == nil {
                    let answer = try stack.call("ann", "DELETE", "/v1/plan")
                    // One is earned back each second that this takes.
                    if answer.status == 429 { refused = answer } else { #expect(answer.status == 204) }
                    if number <= 60 { #expect(answer.status == 204) }
                }
                let answer = try #require(refused)
                #expect(answer.code == "TRY_AGAIN_LATER" && answer.string("reason") == "user_rate")
                let wait = try #require(answer.json[member: "retry_after_ms"]?.integer)
                #expect((1...1501).contains(wait))
                #expect(answer["Retry-After"] == String((wait + 999) / 1000))
                #expect(answer["RateLimit"] == #""plans";r=0;t=1"#)
                #expect(try stack.call("ann", "GET", "/v1/profile").status == 200)
                #expect(try stack.call("bob", "PUT", "/v1/profile", "{}").status == 200)
                try await Task.sleep(for: .milliseconds(wait))
                #expect(try stack.call("ann", "PUT", "/v1/profile", "{}").status == 200)
            }
        }

        @Test("While Redis is away each loop counts by itself, and writes go on")
        func local() async throws {
            try await PlanStack.lend(["STRIDE_REDIS_URL": "redis://127.0.0.1:1", "STRIDE_LOOPS": "1"]) { stack in
                try await stack.eventually { try stack.call("bob", "PUT", "/v1/profile", "{}").status == 200 }
                let first = try stack.call("ann", "PUT", "/v1/weekly_goal", #"{"steps":7}"#)
                #expect(first.status == 200 && first["RateLimit"] == #""plans";r=59;t=1"#)
                #expect(
                    try stack.call("ann", "PUT", "/v1/weekly_goal", #"{"steps":8}"#)["RateLimit"]?.contains("r=58")
                        == true)
                #expect(try stack.call("ann", "GET", "/v1/weekly_goal").text == #"{"steps":8}"#)
                let metrics = try stack.call(nil, "GET", "/metrics", port: stack.adminPort).text
                #expect(metrics.contains("stride_plan_cache_write_failures_total 3"))
                #expect(metrics.contains(#"stride_plan_limiter_decisions_total{mode="local"} 3"#))
                // The marks stay, for whoever has a Redis.
                let user = try stack.user("ann")
                let marks = try await stack.query("select count(*)::text from cache_marks where user_id = '\(user)'")
                #expect(marks == [["2"]])
            }
        }
    }
}
