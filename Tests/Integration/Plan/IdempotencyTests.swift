import Models
import Testing

extension PlanServiceTests {
    /// What a call that comes again does, and calls that come at the same time.
    @Suite struct IdempotencyTests {
        private static let path = "/v1/create_workout_plan"

        @Test("The same call again is 200 with the same plan and makes no other")
        func again() async throws {
            try await PlanStack.lend { stack in
                let id = newID()
                let first = try stack.call("ann", "POST", Self.path, plan(id))
                try #require(first.status == 201)
                for spelling in [id, id.uppercased()] {
                    let again = try stack.call("ann", "POST", Self.path, plan(spelling))
                    #expect(again.status == 200)
                    #expect(again.string("planId") == first.string("planId"))
                    #expect(again.string("requestId") == spelling)
                    #expect(again.json[member: "createdAt"] == first.json[member: "createdAt"])
                    #expect(again.json[member: "current"] == nil)
                }
                #expect(try await stack.query("select count(*)::text from plans") == [["1"]])
            }
        }

        @Test("A repeat after the plan was replaced or deleted is the plan as it was made, and not current")
        func notCurrent() async throws {
            try await PlanStack.lend { stack in
                let id = newID()
                let first = try stack.call("ann", "POST", Self.path, plan(id))
                let second = try stack.call("ann", "POST", Self.path, plan(steps: 5))
                let late = try stack.call("ann", "POST", Self.path, plan(id))
                #expect(late.status == 200 && late.string("planId") == first.string("planId"))
                #expect(late.text == String(first.text.dropLast()) + #","current":false}"#)
                #expect(try stack.call("ann", "GET", "/v1/plan").string("planId") == second.string("planId"))
                try #require(try stack.call("ann", "DELETE", "/v1/plan").status == 204)
                #expect(try stack.call("ann", "POST", Self.path, plan(id)).text == late.text)
                #expect(try stack.call("ann", "GET", "/v1/plan").code == "NO_PLAN")
                #expect(try await stack.query("select count(*)::text from plans") == [["2"]])
            }
        }

        @Test("The same requestId with other content is 422 and changes nothing")
        func reused() async throws {
            try await PlanStack.lend { stack in
                let id = newID()
                let first = try stack.call("ann", "POST", Self.path, plan(id))
                for other in [
                    plan(id, name: "other"), plan(id, start: "2026-12-01"), plan(id, steps: 7),
                    plan(id, steps: 7, more: #","replaces":null"#),
                    #"{"requestId":"\#(id)","planName":"10 000 steps","startDate":"2026-11-30","templateId":"beginner-walk"}"#,
                ] {
                    let answer = try stack.call("ann", "POST", Self.path, other)
                    #expect(answer.status == 422 && answer.code == "IDEMPOTENCY_KEY_REUSED")
                    #expect(answer["RateLimit"] != nil)
                }
                #expect(try stack.call("ann", "GET", "/v1/plan").string("planId") == first.string("planId"))
            }
        }

        @Test("A plan that replaces another than the current one is 409 with that one; a repeat is none")
        func conflict() async throws {
            try await PlanStack.lend { stack in
                func create(_ replaces: String, _ id: String = newID()) throws -> Answer {
                    try stack.call("ann", "POST", Self.path, plan(id, more: #","replaces":\#(replaces)"#))
                }
                let early = try create("\"\(newID())\"")
                #expect(early.status == 409 && early.code == "PLAN_CONFLICT")
                #expect(early.json[member: "currentPlan"] == .null)
                let id = newID()
                let first = try create("null", id)
                #expect(first.status == 201)
                let planID = try #require(first.string("planId"))
                for wrong in ["null", "\"\(newID())\""] {
                    let answer = try create(wrong)
                    #expect(answer.status == 409 && answer.code == "PLAN_CONFLICT")
                    #expect(answer.json[member: "currentPlan"] == first.json)
                    #expect(answer["Content-Type"] == "application/problem+json" && answer["RateLimit"] != nil)
                }
                #expect(try create("null", id).status == 200)
                let second = try create("\"\(planID.uppercased())\"")
                #expect(second.status == 201)
                // What the repeat was to replace is long gone.
                #expect(try create("null", id).json[member: "current"] == .bool(false))
                #expect(try stack.call("ann", "GET", "/v1/plan").string("planId") == second.string("planId"))
                #expect(try await stack.query("select count(*)::text from plans") == [["2"]])
            }
        }

        @Test("Twenty plans at once: all are made, one is current, everywhere the same")
        func manyPlans() async throws {
            try await PlanStack.lend { stack in
                let answers = try stack.calls("ann", "POST", Self.path, (0..<20).map { plan(steps: 100 + $0) })
                #expect(answers.map(\.status) == Array(repeating: 201, count: 20))
                let made = Set(answers.compactMap { $0.string("planId") })
                #expect(made.count == 20)
                let current = try #require(try stack.call("ann", "GET", "/v1/plan").string("planId"))
                #expect(made.contains(current))
                #expect(try await stack.query("select count(*)::text from plans") == [["20"]])
                #expect(try await stack.field("plan", of: "ann")?.contains(current) == true)
                let revisions = try await stack.query(
                    "select s.plan_revision::text, u.revision::text from settings s join users u using (user_id) "
                        + "where user_id = '\(try stack.user("ann"))'")
                #expect(revisions == [["20", "20"]])
            }
        }

        @Test("The same call twenty times at once makes one plan: one 201, the others 200 with its id")
        func manyRepeats() async throws {
            try await PlanStack.lend { stack in
                let body = plan(more: #","replaces":null"#)
                let answers = try stack.calls("ann", "POST", Self.path, Array(repeating: body, count: 20))
                #expect(answers.map(\.status).sorted() == Array(repeating: 200, count: 19) + [201])
                #expect(Set(answers.compactMap { $0.string("planId") }).count == 1)
                #expect(answers.allSatisfy { $0.json[member: "current"] == nil })
                #expect(try await stack.query("select count(*)::text from plans") == [["1"]])
            }
        }

        @Test("Twenty plans at once that each replace none: one wins, the others see it")
        func manyFirsts() async throws {
            try await PlanStack.lend { stack in
                let answers = try stack.calls(
                    "ann", "POST", Self.path, (0..<20).map { plan(steps: 100 + $0, more: #","replaces":null"#) })
                let winner = try #require(answers.first { $0.status == 201 })
                let losers = answers.filter { $0.status == 409 }
                #expect(losers.count == 19)
                #expect(
                    losers.allSatisfy {
                        $0.json[member: "currentPlan"]?[member: "planId"]?.string == winner.string("planId")
                    })
            }
        }
    }
}
