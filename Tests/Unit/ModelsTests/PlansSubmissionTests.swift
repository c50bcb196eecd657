import Models
import Testing

@Suite struct PlansSubmissionTests {
    private static let id = #""7B0f1c1e-4b0c-4b5e-9a3e-0f3b1c2d4e5f""#

    /// A valid call with other or further members; a member that comes again takes the place of the first.
    private static func body(_ members: [(String, String?)] = []) -> String {
        var all: [(String, String?)] = [
            ("requestId", id), ("planName", #"" My plan ""#), ("startDate", #""2026-11-30""#),
            ("weekly_goals", #"[{"week":0,"steps":20000,"distance":5000.0},{"week":1,"distance":0.0005}]"#),
        ]
        for (name, value) in members {
            all.removeAll { $0.0 == name }
            all.append((name, value))
        }
        return "{" + all.compactMap { name, value in value.map { "\"\(name)\":\($0)" } }.joined(separator: ",") + "}"
    }

    private static func decode(_ members: (String, String?)...) throws -> Checked<PlanSubmission> {
        PlanSubmission.decode(try json(body(members)), today: try day("2026-11-28"))
    }

    @Test("A plan is read member by member, its name as sent")
    func example() throws {
        #expect(
            try Self.decode()
                == .valid(
                    PlanSubmission(
                        requestID: RequestID(UUIDValue(high: 0x7b0f_1c1e_4b0c_4b5e, low: 0x9a3e_0f3b_1c2d_4e5f)),
                        requestIDText: "7B0f1c1e-4b0c-4b5e-9a3e-0f3b1c2d4e5f", name: " My plan ",
                        startDate: Day(number: 20_787),
                        weeks: [
                            WeeklyGoal(steps: 20_000, distance: Millimetres(5_000_000)),
                            WeeklyGoal(distance: Millimetres(1)),
                        ])))
    }

    @Test("A template brings its goals, and its name where none is sent")
    func template() throws {
        let unnamed = try #require(
            Self.decode(("weekly_goals", nil), ("planName", nil), ("templateId", #""beginner-walk""#)).value)
        #expect(unnamed.weeks == PlanTemplate.named("beginner-walk")?.weeks)
        #expect(unnamed.name == "First walks" && unnamed.isNameOfTemplate && unnamed.templateID == "beginner-walk")
        let named = try #require(
            Self.decode(("weekly_goals", "null"), ("templateId", #""beginner-walk""#)).value)
        #expect(named.name == " My plan " && !named.isNameOfTemplate)
    }

    @Test("The plan to replace may be unsaid, none, or one")
    func replaces() throws {
        let (mine, other) = (UUIDValue(high: 0, low: 1), UUIDValue(high: 0, low: 2))
        let unsaid = try #require(Self.decode().value).replaces
        #expect(unsaid == .unstated && unsaid.agrees(with: nil) && unsaid.agrees(with: other))
        let none = try #require(Self.decode(("replaces", "null")).value).replaces
        #expect(none == .noPlan && none.agrees(with: nil) && !none.agrees(with: other))
        let one = try #require(Self.decode(("replaces", "\"\(mine)\"")).value).replaces
        #expect(one == .plan(mine) && one.agrees(with: mine) && !one.agrees(with: other) && !one.agrees(with: nil))
    }

    @Test(
        "Values at the edge of a rule are accepted",
        arguments: [
            ("startDate", #""2000-01-01""#), ("startDate", #""2028-01-02""#), ("startDate", #""2024-02-29""#),
            ("weekly_goals", #"[{"week":0,"steps":10000000}]"#), ("weekly_goals", #"[{"week":0,"distance":1e7}]"#),
            ("weekly_goals", #"[{"week":0.0,"steps":0,"distance":0.001}]"#), ("weekly_goals", weeks(104)),
            ("weekly_goals", #"[{"week":0,"steps":1,"distance":null,"note":[]}]"#), ("templateId", "null"),
        ])
    func edges(member: String, value: String) throws { #expect(try Self.decode((member, value)).value != nil) }

    private static func weeks(_ count: Int) -> String {
        "[" + (0..<count).map { "{\"week\":\($0),\"steps\":7}" }.joined(separator: ",") + "]"
    }

    @Test(
        "Every broken rule is a fault at its place",
        arguments: [
            ("requestId", nil, ["/requestId"]), ("requestId", "1", ["/requestId"]),
            ("requestId", #""x""#, ["/requestId"]),
            ("planName", nil, ["/planName"]), ("planName", "7", ["/planName"]), ("planName", #"" ""#, ["/planName"]),
            ("planName", #""a\u0000""#, ["/planName"]),
            ("startDate", nil, ["/startDate"]), ("startDate", "20261130", ["/startDate"]),
            ("startDate", #""2026-02-29""#, ["/startDate"]), ("startDate", #""2026-11-3""#, ["/startDate"]),
            ("startDate", #""1999-12-31""#, ["/startDate"]), ("startDate", #""2028-01-03""#, ["/startDate"]),
            ("startDate", #""2026-11-30T00:00:00Z""#, ["/startDate"]),
            ("weekly_goals", nil, ["/weekly_goals"]), ("weekly_goals", "null", ["/weekly_goals"]),
            ("weekly_goals", "[]", ["/weekly_goals"]), ("weekly_goals", "{}", ["/weekly_goals"]),
            ("weekly_goals", weeks(105), ["/weekly_goals"]),
            ("weekly_goals", "[7]", ["/weekly_goals/0"]), ("weekly_goals", #"[{"week":0}]"#, ["/weekly_goals/0"]),
            ("weekly_goals", #"[{"week":0,"steps":0,"distance":0.0004}]"#, ["/weekly_goals/0"]),
            ("weekly_goals", #"[{"steps":1}]"#, ["/weekly_goals/0/week"]),
            ("weekly_goals", #"[{"week":1,"steps":1}]"#, ["/weekly_goals/0/week"]),
            ("weekly_goals", #"[{"week":"0","steps":1}]"#, ["/weekly_goals/0/week"]),
            ("weekly_goals", #"[{"week":0,"steps":1},{"week":2,"steps":1}]"#, ["/weekly_goals/1/week"]),
            ("weekly_goals", #"[{"week":0,"steps":1},{"week":0,"steps":1}]"#, ["/weekly_goals/1/week"]),
            ("weekly_goals", #"[{"week":0,"steps":1.5}]"#, ["/weekly_goals/0/steps"]),
            ("weekly_goals", #"[{"week":0,"steps":10000001}]"#, ["/weekly_goals/0/steps"]),
            ("weekly_goals", #"[{"week":0,"steps":9223372036854775808}]"#, ["/weekly_goals/0/steps"]),
            (
                "weekly_goals", #"[{"week":0,"steps":-1,"distance":-1}]"#,
                ["/weekly_goals/0/steps", "/weekly_goals/0/distance"]
            ),
            ("weekly_goals", #"[{"week":0,"distance":10000000.0001}]"#, ["/weekly_goals/0/distance"]),
            ("weekly_goals", #"[{"week":0,"distance":1e400}]"#, ["/weekly_goals/0/distance"]),
            ("templateId", #""beginner-walk""#, ["/templateId"]), ("templateId", "8", ["/templateId", "/templateId"]),
            ("replaces", "7", ["/replaces"]), ("replaces", #""none""#, ["/replaces"]),
        ] as [(String, String?, [String])])
    func faults(member: String, value: String?, pointers: [String]) throws {
        #expect(try Self.decode((member, value)).pointers == pointers)
    }

    @Test("An unknown template is a fault, and what is no object is one of the document")
    func unknown() throws {
        #expect(try Self.decode(("weekly_goals", nil), ("templateId", #""Beginner-walk""#)).pointers == ["/templateId"])
        #expect(PlanSubmission.decode(try json("[]"), today: Day(number: 0)).pointers == [""])
    }

    @Test("All faults of a document are listed together, in the order of its members")
    func together() throws {
        let text = #"{"startDate":"x","weekly_goals":[{"week":0},{"week":7,"steps":"9"}],"replaces":0}"#
        #expect(
            PlanSubmission.decode(try json(text), today: Day(number: 0)).pointers == [
                "/requestId", "/planName", "/startDate", "/weekly_goals/0", "/weekly_goals/1/week",
                "/weekly_goals/1/steps", "/replaces",
            ])
    }

    @Test("A repeat is equal as sent: not by replaces, by the bytes of the name, by the template's id")
    func content() throws {
        let first = try #require(Self.decode().value)
        #expect(try Self.decode(("replaces", "null")).value?.content == first.content)
        let same = #"[{"distance":5e3,"steps":20000.0,"week":0},{"week":1,"steps":null,"distance":0.001}]"#
        #expect(try Self.decode(("weekly_goals", same)).value?.content == first.content)
        for (member, value) in [
            ("planName", #""My plan""#), ("startDate", #""2026-12-01""#),
            ("weekly_goals", #"[{"week":0,"steps":20000,"distance":5000}]"#),
        ] {
            #expect(try Self.decode((member, value)).value?.content != first.content)
        }
        let composed = try Self.decode(("planName", #""\u00e9""#)).value?.content
        #expect(try Self.decode(("planName", #""e\u0301""#)).value?.content != composed)
        let unnamed = try Self.decode(("weekly_goals", nil), ("planName", nil), ("templateId", #""highly-active""#))
        let named = try Self.decode(
            ("weekly_goals", nil), ("planName", #""12 500 steps""#), ("templateId", #""highly-active""#))
        #expect(unnamed.value?.name == named.value?.name && unnamed.value?.content != named.value?.content)
        let plan = unnamed.value?.plan(id: UUIDValue(high: 0, low: 0), createdAt: Timestamp(milliseconds: 0))
        #expect(plan?.content == unnamed.value?.content)
    }

    @Test("No change of a valid document makes decoding trap, and what is accepted keeps the rules")
    func fuzz() throws {
        var random = SeededGenerator(seed: 11)
        let original = Array(Self.body([("replaces", Self.id)]).utf8)
        var accepted = 0
        for _ in 0..<4000 {
            guard let value = try? JSONValue.parse(random.mutated(original)) else { continue }
            guard let plan = PlanSubmission.decode(value, today: Day(number: 20_785)).value else { continue }
            accepted += 1
            #expect(TextRule.accepts(plan.name) && !plan.weeks.isEmpty && plan.startDate <= Day(number: 21_185))
            #expect(plan.weeks.allSatisfy { ($0.steps ?? 0) > 0 || ($0.distance ?? .zero) > .zero })
        }
        #expect(accepted > 50)
    }
}
