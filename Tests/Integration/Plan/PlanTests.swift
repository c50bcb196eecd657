import Models
import Testing

extension PlanServiceTests {
    /// The current plan over the wire: 2026-11-20T12:00:00Z, a Friday, unless a test says otherwise.
    @Suite struct PlanTests {
        private static let now = ["STRIDE_TEST_NOW": "1795176000000"]

        @Test("A new plan is answered with 201 as it was sent, with an id and the moment of the server's clock")
        func created() async throws {
            try await PlanStack.lend(Self.now) { stack in
                let id = newID()
                let answer = try stack.call("ann", "POST", "/v1/create_workout_plan", plan(id.uppercased()))
                #expect(answer.status == 201 && answer["Content-Type"] == "application/json")
                let planID = try #require(answer.string("planId"))
                #expect(UUIDValue(parsing: planID) != nil)
                let end =
                    #""planName":"10 000 steps","startDate":"2026-11-30","weekly_goals":["#
                    + #"{"week":0,"steps":20000,"distance":5000.5},{"week":1,"steps":20001,"distance":null}],"#
                    + #""createdAt":1795176000000,"templateId":null}"#
                #expect(answer.text == #"{"planId":"\#(planID)","requestId":"\#(id.uppercased())","# + end)

                let current = try stack.call("ann", "GET", "/v1/plan")
                #expect(current.status == 200)
                #expect(current.text == #"{"planId":"\#(planID)","requestId":"\#(id)","# + end)
                #expect(current["ETag"] == "\"\(planID)\"")
                #expect(current["Cache-Control"] == "private, no-cache")
                #expect(current["RateLimit"] == nil)
            }
        }

        @Test("A copy that still holds is answered with 304 and no body; after another plan it no longer holds")
        func notModified() async throws {
            try await PlanStack.lend { stack in
                try #require(try stack.call("ann", "POST", "/v1/create_workout_plan", plan()).status == 201)
                let tag = try #require(try stack.call("ann", "GET", "/v1/plan")["ETag"])
                for list in [tag, "W/\(tag)", "\"x\", \(tag)", "*", "\"x\" ,\t\(tag) "] {
                    let held = try stack.call("ann", "GET", "/v1/plan", fields: ["If-None-Match: \(list)"])
                    #expect(held.status == 304 && held.body.isEmpty && held["ETag"] == tag, "\(list)")
                }
                for list in ["\"x\"", String(tag.dropLast()), "w/\(tag)"] {
                    #expect(try stack.call("ann", "GET", "/v1/plan", fields: ["If-None-Match: \(list)"]).status == 200)
                }
                try #require(try stack.call("ann", "POST", "/v1/create_workout_plan", plan()).status == 201)
                let other = try stack.call("ann", "GET", "/v1/plan", fields: ["If-None-Match: \(tag)"])
                #expect(other.status == 200 && other["ETag"] != tag)
            }
        }

        @Test("Without a plan the answer is 404 NO_PLAN, also after it was deleted; deleting is 204 each time")
        func noPlan() async throws {
            try await PlanStack.lend { stack in
                let none = try stack.call("ann", "GET", "/v1/plan", fields: ["If-None-Match: *"])
                #expect(none.status == 404 && none.code == "NO_PLAN")
                #expect(none["Content-Type"] == "application/problem+json")
                #expect(try stack.call("ann", "DELETE", "/v1/plan").status == 204)
                try #require(try stack.call("ann", "POST", "/v1/create_workout_plan", plan()).status == 201)
                for _ in 1...2 {
                    let deleted = try stack.call("ann", "DELETE", "/v1/plan")
                    #expect(deleted.status == 204 && deleted.body.isEmpty)
                    #expect(try stack.call("ann", "GET", "/v1/plan").code == "NO_PLAN")
                }
            }
        }

        @Test("A template brings its goals and its name; a name that is sent wins")
        func template() async throws {
            try await PlanStack.lend { stack in
                let list = try stack.call(nil, "GET", "/v1/plan_templates")
                #expect(list.status == 200)
                let templates = list.json[member: "templates"]?.elements ?? []
                #expect(templates.count >= 5)
                let template = try #require(templates.first)
                let id = try #require(template[member: "templateId"]?.string)
                let body = #"{"requestId":"\#(newID())","templateId":"\#(id)","startDate":"2026-11-30""#
                let unnamed = try stack.call("ann", "POST", "/v1/create_workout_plan", body + "}")
                #expect(unnamed.status == 201)
                #expect(unnamed.json[member: "weekly_goals"] == template[member: "weekly_goals"])
                #expect(unnamed.json[member: "planName"] == template[member: "planName"])
                #expect(unnamed.string("templateId") == id)
                let named =
                    #"{"requestId":"\#(newID())","templateId":"\#(id)","startDate":"2026-11-30","planName":" Mine "}"#
                #expect(try stack.call("ann", "POST", "/v1/create_workout_plan", named).string("planName") == " Mine ")
            }
        }

        @Test("`today` of the 400 days is that of the profile's zone")
        func lastStart() async throws {
            // At 12:00Z on the 20th Kiritimati (+14) has the 21st; 400 days after the 20th is 2027-12-25.
            try await PlanStack.lend(Self.now) { stack in
                func status(_ person: String, _ start: String) throws -> Answer {
                    try stack.call(person, "POST", "/v1/create_workout_plan", plan(start: start))
                }
                #expect(try status("ann", "2027-12-24").status == 201)
                #expect(try status("ann", "2027-12-25").status == 201)
                let late = try status("ann", "2027-12-26")
                #expect(late.status == 400 && late.pointers == ["/startDate"])
                try #require(
                    try stack.call("bob", "PUT", "/v1/profile", #"{"time_zone":"Pacific/Kiritimati"}"#).status == 200)
                #expect(try status("bob", "2027-12-26").status == 201)
                #expect(try status("bob", "2027-12-27").pointers == ["/startDate"])
            }
            // At 02:00Z on the 20th Honolulu (-10) still has the 19th.
            try await PlanStack.lend(["STRIDE_TEST_NOW": "1795140000000"]) { stack in
                try #require(
                    try stack.call("cem", "PUT", "/v1/profile", #"{"time_zone":"Pacific/Honolulu"}"#).status == 200)
                func answer(_ start: String) throws -> Answer {
                    try stack.call("cem", "POST", "/v1/create_workout_plan", plan(start: start))
                }
                #expect(try answer("2027-12-24").status == 201)
                #expect(try answer("2027-12-25").pointers == ["/startDate"])
            }
        }

        @Test("Every broken rule of a plan is a fault at its place")
        func faults() async throws {
            try await PlanStack.lend { stack in
                for (number, (body, pointers)) in Self.faulty.enumerated() {
                    let answer = try stack.call("p\(number)", "POST", "/v1/create_workout_plan", body)
                    #expect(answer.status == 400 && answer.code == "INVALID_REQUEST", "\(body)")
                    #expect(answer.pointers == pointers, "\(body)")
                    #expect(answer["RateLimit"] == #""plans";r=59;t=1"#)
                    #expect(answer["RateLimit-Policy"] == #""plans";q=60;w=60"#)
                }
                #expect(try await stack.query("select count(*)::text from plans") == [["0"]])
            }
        }

        private static let faulty: [(String, [String])] = [
            (#"[]"#, [""]), (#"{}"#, ["/requestId", "/planName", "/startDate", "/weekly_goals"]),
            (plan("x"), ["/requestId"]), (plan(name: "  "), ["/planName"]), (plan(name: #"\u0000"#), ["/planName"]),
            (plan(name: String(repeating: "a", count: 101)), ["/planName"]),
            (plan(start: "2026-02-30"), ["/startDate"]), (plan(start: "1999-12-31"), ["/startDate"]),
            (plan(start: "2199-01-01"), ["/startDate"]), (plan(steps: 10_000_000), ["/weekly_goals/1/steps"]),
            (plan(steps: -1), ["/weekly_goals/0/steps", "/weekly_goals/1"]),
            (plan(more: #","templateId":"beginner-walk""#), ["/templateId"]),
            (plan(more: #","templateId":"no-such""#), ["/templateId", "/templateId"]),
            (plan(more: #","replaces":"none""#), ["/replaces"]), (plan(more: #","replaces":7"#), ["/replaces"]),
            (weeks("[]"), ["/weekly_goals"]), (weeks("null"), ["/weekly_goals"]), (weeks("{}"), ["/weekly_goals"]),
            (weeks(#"[{"week":0,"steps":0}]"#), ["/weekly_goals/0"]),
            (weeks(#"[{"week":0}]"#), ["/weekly_goals/0"]), (weeks(#"[{"steps":1}]"#), ["/weekly_goals/0/week"]),
            (weeks(#"[{"week":0,"steps":1},{"week":2,"steps":1}]"#), ["/weekly_goals/1/week"]),
            (weeks(#"[{"week":0,"steps":1.5}]"#), ["/weekly_goals/0/steps"]),
            (weeks(#"[{"week":0,"distance":10000000.001}]"#), ["/weekly_goals/0/distance"]),
            (weeks(#"[{"week":0,"distance":"5"}]"#), ["/weekly_goals/0/distance"]),
            (
                #"{"requestId":7,"startDate":"x","weekly_goals":[{"week":0,"steps":"9"}],"replaces":0}"#,
                ["/requestId", "/planName", "/startDate", "/weekly_goals/0/steps", "/replaces"]
            ),
        ]

        private static func weeks(_ weeks: String) -> String {
            #"{"requestId":"\#(newID())","planName":"p","startDate":"2026-11-30","weekly_goals":\#(weeks)}"#
        }

        @Test("A plan of 104 weeks is taken and comes back whole, one of 105 is not")
        func longest() async throws {
            try await PlanStack.lend { stack in
                func body(_ count: Int) -> String {
                    let weeks = (0..<count).map { #"{"week":\#($0),"steps":\#($0 + 1),"distance":\#($0 + 1).125}"# }
                    return Self.weeks("[" + weeks.joined(separator: ",") + "]")
                }
                #expect(
                    try stack.call("ann", "POST", "/v1/create_workout_plan", body(105)).pointers == ["/weekly_goals"])
                #expect(try stack.call("ann", "POST", "/v1/create_workout_plan", body(104)).status == 201)
                let weeks = try stack.call("ann", "GET", "/v1/plan").json[member: "weekly_goals"]?.elements ?? []
                #expect(weeks.count == 104)
                #expect(weeks.last?[member: "distance"] == .number(try number("104.125")))
            }
        }

        private func number(_ text: String) throws -> JSONNumber {
            guard case .number(let number) = try JSONValue.parse(Array(text.utf8)) else {
                throw Wire.Failure(call: text)
            }
            return number
        }
    }
}
