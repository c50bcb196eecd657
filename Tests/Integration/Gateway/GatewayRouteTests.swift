import Models
import StrideTestSupport
import Testing

/// Which service answers, and that it answers through the gateway as it does without.
@Suite(.serialized) struct GatewayRouteTests {
    @Test("A workout goes in by ingest, comes out by progress, and counts for the plan that the plan service made")
    func workoutAndPlan() async throws {
        try await GatewayStand.run { stand in
            let phone = try stand.phone()
            let today = String(try await phone.send("GET", "/v1/progressSummary").json["today"].string ?? "")
            let body = """
                {"requestId":"\(newRequestID())","planName":"Walks","startDate":"\(today)",\
                "weekly_goals":[{"week":0,"steps":70000}]}
                """
            #expect(try await phone.send("POST", "/v1/create_workout_plan", body: Array(body.utf8)).status == 201)
            #expect(try await phone.send("GET", "/v1/plan").json["planName"] == "Walks")
            #expect(try await phone.send("PUT", "/v1/weekly_goal", body: Array(#"{"steps":7}"#.utf8)).status == 200)

            let walk = workout(from: "\(today)T00:00:00Z", to: "\(today)T00:01:00Z", steps: 120, metres: 87.5)
            let stored = try await phone.post(walk)
            #expect(stored.status == 201)
            #expect(stored["RateLimit"] != nil)
            #expect(try await phone.postBatch([walk]).json["results"][0]["result"] == "duplicate")

            let listed = try await phone.send("GET", "/v1/workouts?limit=5")
            #expect(listed.json.elements.map { $0["steps"] } == [120])
            let summary = try await phone.send("GET", "/v1/progressSummary")
            #expect(summary.json["weekSteps"] == 120)
            #expect(summary.json["currentDayGoal"] == 10_000)
            #expect(["cache", "database"].contains(summary["X-Stride-Source"]))
            #expect(try await phone.send("HEAD", "/v1/progress").status == 200)
            let same = try await phone.send(
                "GET", "/v1/progressSummary", fields: [("If-None-Match", summary["ETag"] ?? "")])
            #expect(same.status == 304)

            #expect(try await phone.delete(stored.json["workout_id"].int ?? 0).status == 204)
            #expect(try await phone.send("GET", "/v1/days?from=\(today)&to=\(today)").json["days"][0]["steps"] == 0)
        }
    }

    @Test("OPTIONS and 405 say what the whole API takes on a path; other services' problems pass unchanged")
    func allow() async throws {
        try await GatewayStand.run { stand in
            let phone = try stand.phone()
            for entry in APIContract.paths where !entry.template.contains("/athletes") && !entry.template.contains("{c")
            {
                let path = entry.template.replacing("{workout_id}", with: "7")
                let answer = try await phone.send("OPTIONS", path)
                #expect(answer.status == 204, "\(path)")
                let allowed = Set((answer["Allow"] ?? "").split(separator: ", ").map(String.init))
                #expect(allowed.subtracting(["HEAD", "OPTIONS"]) == Set(entry.methods), "\(path)")
                let refused = try await phone.send("PATCH", path)
                #expect(refused.status == 405 && refused.json["code"] == "METHOD_NOT_ALLOWED", "\(path)")
                #expect(refused["Allow"] == answer["Allow"], "\(path)")
            }
            let stranger = try await stand.call("GET", "/v1/plan")
            #expect(stranger.status == 401 && stranger.json["code"] == "UNAUTHENTICATED")
            #expect(stranger["WWW-Authenticate"] != nil)
            #expect(try await phone.send("BREW", "/v1/plan").json["code"] == "NOT_IMPLEMENTED")
            #expect(
                try await phone.post(workout(from: "2025-06-10T08:00:00Z", to: "2025-06-10T07:00:00Z")).status == 400)
        }
    }

    @Test("What operators ask, and what is no path, is 404 in the form of every other problem")
    func unknownPaths() async throws {
        try await GatewayStand.run { stand in
            for path in [
                "/", "/metrics", "/readyz", "/livez", "/stats", "/problem/400", "/v1", "/v1/", "/v1/x", "/v2/plan",
            ] {
                let answer = try await stand.call("GET", path)
                #expect(answer.status == 404, "\(path)")
                #expect(answer["Content-Type"] == "application/problem+json", "\(path)")
                #expect(answer.json["code"] == "NOT_FOUND", "\(path)")
                #expect(answer.json["instance"].string == answer["X-Request-Id"], "\(path)")
            }
        }
    }

    @Test("A well-formed X-Request-Id is echoed by services and by the gateway, any other is replaced")
    func requestIDs() async throws {
        try await GatewayStand.run { stand in
            for path in ["/v1/plan_templates", "/nowhere", "/v1/athletes"] {
                for good in ["a", "trace-7/b", String(repeating: "x", count: 64)] {
                    let answer = try await stand.call("GET", path, fields: [("X-Request-Id", good)])
                    #expect(answer["X-Request-Id"] == good, "\(path)")
                    #expect(answer.status == 200 || answer.json["instance"].string == good, "\(path)")
                }
                for bad in ["a b", String(repeating: "x", count: 65), "\u{E9}"] {
                    let answer = try await stand.call("GET", path, fields: [("X-Request-Id", bad)])
                    #expect(answer["X-Request-Id"]?.isEmpty == false && answer["X-Request-Id"] != bad, "\(path)")
                }
                // One that JSON would have to escape is in the field, and the document stays one.
                let odd = try await stand.call("GET", path, fields: [("X-Request-Id", #"a"b\c"#)])
                #expect(odd["X-Request-Id"] == #"a"b\c"#, "\(path)")
                #expect(odd.json != .null, "\(path)")
            }
        }
    }
}
