import Models
import Testing

extension PlanServiceTests {
    /// Who may call, and what the paths take.
    @Suite struct AccessTests {
        private static let calls: [(method: String, path: String, body: String?)] = [
            ("POST", "/v1/create_workout_plan", plan()), ("GET", "/v1/plan", nil), ("DELETE", "/v1/plan", nil),
            ("GET", "/v1/weekly_goal", nil), ("PUT", "/v1/weekly_goal", #"{"steps":1}"#),
            ("DELETE", "/v1/weekly_goal", nil),
            ("GET", "/v1/profile", nil), ("PUT", "/v1/profile", "{}"),
        ]

        @Test("Without a good token everything but the templates is 401, and nothing is counted")
        func unauthenticated() async throws {
            try await PlanStack.lend { stack in
                for call in Self.calls {
                    for fields in [[], ["Authorization: Bearer x.y.z"]] {
                        let answer = try stack.call(nil, call.method, call.path, call.body, fields: fields)
                        #expect(answer.status == 401 && answer.code == "UNAUTHENTICATED", "\(call.method) \(call.path)")
                        #expect(answer["WWW-Authenticate"] != nil && answer["RateLimit"] == nil)
                    }
                }
                #expect(try stack.call(nil, "GET", "/v1/plan_templates").status == 200)
                #expect(try await stack.query("select count(*)::text from plans") == [["0"]])
            }
        }

        @Test("S3: nothing of another user is read, changed or inferred")
        func others() async throws {
            try await PlanStack.lend { stack in
                let id = newID()
                let hers = try stack.call("ann", "POST", "/v1/create_workout_plan", plan(id))
                try #require(hers.status == 201)
                try #require(try stack.call("ann", "PUT", "/v1/weekly_goal", #"{"steps":35000}"#).status == 200)
                try #require(try stack.call("ann", "PUT", "/v1/profile", #"{"time_zone":"Asia/Tokyo"}"#).status == 200)
                let before = try await stack.query(
                    "select settings::text from settings where user_id = '\(try stack.user("ann"))'")

                #expect(try stack.call("bob", "GET", "/v1/plan").code == "NO_PLAN")
                let tag = try #require(try stack.call("ann", "GET", "/v1/plan")["ETag"])
                #expect(try stack.call("bob", "GET", "/v1/plan", fields: ["If-None-Match: \(tag)"]).code == "NO_PLAN")
                #expect(try stack.call("bob", "GET", "/v1/weekly_goal").code == "NOT_FOUND")
                #expect(try stack.call("bob", "GET", "/v1/profile").string("time_zone") == "UTC")
                #expect(try stack.call("bob", "DELETE", "/v1/plan").status == 204)
                #expect(try stack.call("bob", "DELETE", "/v1/weekly_goal").status == 204)
                // Her plan is none of his: naming it conflicts with having none, and shows nothing.
                let planID = try #require(hers.string("planId"))
                let conflict = try stack.call(
                    "bob", "POST", "/v1/create_workout_plan", plan(more: #","replaces":"\#(planID)""#))
                #expect(conflict.status == 409 && conflict.json[member: "currentPlan"] == .null)
                // Her requestId is free for him.
                let his = try stack.call("bob", "POST", "/v1/create_workout_plan", plan(id, steps: 1))
                #expect(his.status == 201 && his.string("planId") != planID)

                #expect(try stack.call("ann", "GET", "/v1/plan").string("planId") == planID)
                let after = try await stack.query(
                    "select settings::text from settings where user_id = '\(try stack.user("ann"))'")
                #expect(after == before)
            }
        }

        @Test("HEAD is GET without a body, OPTIONS and 405 name what the whole API takes")
        func methods() async throws {
            try await PlanStack.lend { stack in
                try #require(try stack.call("ann", "POST", "/v1/create_workout_plan", plan()).status == 201)
                try #require(try stack.call("ann", "PUT", "/v1/weekly_goal", #"{"steps":1}"#).status == 200)
                for path in ["plan_templates", "plan", "weekly_goal", "profile"] {
                    let get = try stack.call("ann", "GET", "/v1/\(path)")
                    let head = try stack.call("ann", "HEAD", "/v1/\(path)")
                    #expect(head.status == 200 && head.body.isEmpty)
                    #expect(head["Content-Length"] == String(get.body.count) && head["ETag"] == get["ETag"])
                }
                #expect(try stack.call("bob", "HEAD", "/v1/plan").status == 404)
                for (path, allow) in [
                    ("plan_templates", "GET, HEAD, OPTIONS"), ("create_workout_plan", "POST, OPTIONS"),
                    ("plan", "GET, HEAD, DELETE, OPTIONS"), ("weekly_goal", "GET, HEAD, PUT, DELETE, OPTIONS"),
                    ("profile", "GET, HEAD, PUT, OPTIONS"), ("workouts", "GET, HEAD, POST, OPTIONS"),
                ] {
                    let options = try stack.call(nil, "OPTIONS", "/v1/\(path)")
                    #expect(options.status == 204 && options["Allow"] == allow)
                    let patch = try stack.call("ann", "PATCH", "/v1/\(path)", "{}")
                    #expect(patch.status == 405 && patch.code == "METHOD_NOT_ALLOWED" && patch["Allow"] == allow)
                }
                #expect(try stack.call("ann", "BREW", "/v1/plan").status == 501)
                #expect(try stack.call("ann", "GET", "/v1/plan/x").code == "NOT_FOUND")
            }
        }

        @Test("Bodies that are no JSON, no JSON by their type, or too large, are refused, and the budget is told")
        func bodies() async throws {
            try await PlanStack.lend { stack in
                for (method, path) in [
                    ("POST", "/v1/create_workout_plan"), ("PUT", "/v1/weekly_goal"), ("PUT", "/v1/profile"),
                ] {
                    for body in ["", "{", #"{"steps":1}x"#, #"{"steps":1,"steps":2}"#, "\u{FEFF}{}", "[[[[NaN]]]]"] {
                        let answer = try stack.call("cem", method, path, body)
                        #expect(answer.status == 400 && answer.code == "INVALID_REQUEST" && answer["RateLimit"] != nil)
                    }
                    let deep = String(repeating: "[", count: 33) + String(repeating: "]", count: 33)
                    #expect(try stack.call("ann", method, path, deep).status == 400)
                    #expect(try stack.call("ann", method, path).status == 415)
                    let large = "[" + String(repeating: " ", count: 1_048_576) + "]"
                    #expect(try stack.call("ann", method, path, large).status == 413)
                    let unacceptable = try stack.call("ann", method, path, "{}", fields: ["Accept: text/html"])
                    #expect(unacceptable.status == 406)
                }
            }
        }
    }
}
