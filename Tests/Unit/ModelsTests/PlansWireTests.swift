import Models
import Testing

@Suite struct PlansWireTests {
    private static let plan = WorkoutPlan(
        planID: UUIDValue(high: 1, low: 2), requestID: RequestID(UUIDValue(high: 0xAB00_0000_0000_0000, low: 4)),
        name: "A \"plan\"", startDate: Day(number: 20_787),
        weeks: [WeeklyGoal(steps: 20_000, distance: Millimetres(5_000_500)), WeeklyGoal(distance: Millimetres(1))],
        createdAt: Timestamp(milliseconds: 1_764_500_000_000), templateID: nil)

    @Test("A plan in an answer, written by hand")
    func answer() {
        let body =
            #"{"planId":"00000000-0000-0001-0000-000000000002","requestId":"ab000000-0000-0000-0000-000000000004","#
            + #""planName":"A \"plan\"","startDate":"2026-11-30","weekly_goals":"#
            + #"[{"week":0,"steps":20000,"distance":5000.5},{"week":1,"steps":null,"distance":0.001}],"#
            + #""createdAt":1764500000000,"templateId":null"#
        #expect(text(Self.plan.encode()) == body + "}")
        #expect(text(Self.plan.encode(isCurrent: false)) == body + #","current":false}"#)
        var other = Self.plan
        other.templateID = "t"
        #expect(text(other.encode(requestIDText: "AB")).contains(#""requestId":"AB","planName""#))
        #expect(text(other.encode()).hasSuffix(#""templateId":"t"}"#))
    }

    @Test("The stored form, written by hand, is read back as the same plan")
    func stored() {
        let form =
            #"[1,"00000000-0000-0001-0000-000000000002","ab000000-0000-0000-0000-000000000004","A \"plan\"",false,"#
            + #""2026-11-30",[[20000,5000500],[null,1]],1764500000000,null]"#
        #expect(text(Self.plan.storedForm()) == form)
        #expect(WorkoutPlan(storedForm: Array(form.utf8)) == Self.plan)
        var other = Self.plan
        (other.templateID, other.isNameOfTemplate) = ("beginner-walk", true)
        #expect(WorkoutPlan(storedForm: other.storedForm()) == other)
        #expect(WeeklyGoal.weeks(storedForm: WeeklyGoal.storedForm(other.weeks)) == other.weeks)
    }

    @Test("A stored form that is cut short or of another version is no plan")
    func damaged() {
        let form = Self.plan.storedForm()
        for length in 0..<form.count { #expect(WorkoutPlan(storedForm: Array(form.prefix(length))) == nil) }
        #expect(WorkoutPlan(storedForm: Array("[2,".utf8) + form.dropFirst(3)) == nil)
        for weeks in [
            "[]", "[[null,null]]", "[[0,0]]", "[[1]]", "[[-1,1]]", "[[10000001,1]]", "[[1,10000000001]]", "7",
        ] {
            #expect(WeeklyGoal.weeks(storedForm: Array(weeks.utf8)) == nil)
        }
    }

    @Test(
        "A stored form is read wherever it begins, and spelt otherwise than it is written it is read or refused as JSON"
    )
    func spellings() {
        var plan = Self.plan
        plan.name = "Plan"
        let form = plan.storedForm()
        #expect(WorkoutPlan(storedForm: (Array("7:".utf8) + form)[2...]) == plan)
        #expect(WorkoutPlan(storedForm: form + Array(" ".utf8)) == plan)
        #expect(WorkoutPlan(storedForm: form + Array("]".utf8)) == nil)
        func replacing(_ text: String, _ other: String) -> WorkoutPlan? {
            let spelt = String(decoding: form, as: UTF8.self).replacing(text, with: other)
            #expect(spelt != String(decoding: form, as: UTF8.self))
            return WorkoutPlan(storedForm: Array(spelt.utf8))
        }
        #expect(replacing("[20000,", "[ 20000 ,") == plan)
        #expect(replacing("Plan", #"\u0050lan"#) == plan)
        #expect(replacing("[20000,", "[020000,") == nil)
        #expect(replacing("[20000,", "[-20000,") == nil)
        #expect(replacing("[20000,", "[10000001,") == nil)
        #expect(replacing("[null,1]", "[null,null]") == nil)
        #expect(replacing("[null,1]", "[null,10000000001]") == nil)
        #expect(replacing("2026-11-30", "2026-11-31") == nil)
        #expect(replacing("[1,", "[2,") == nil)
        let many = Array(repeating: WeeklyGoal(steps: 1), count: 105)
        plan.weeks = Array(many.dropLast())
        #expect(WorkoutPlan(storedForm: plan.storedForm()) == plan)
        plan.weeks = many
        #expect(WorkoutPlan(storedForm: plan.storedForm()) == nil)
    }

    @Test("A conflict carries the current plan, or null")
    func conflict() {
        let problem = Problem.planConflict(current: Self.plan, instance: "r")
        #expect(problem.status == 409)
        #expect(
            text(problem.encode()).hasSuffix(#""code":"PLAN_CONFLICT","currentPlan":"# + text(Self.plan.encode()) + "}")
        )
        #expect(text(Problem.planConflict(current: nil).encode()).hasSuffix(#""currentPlan":null}"#))
        #expect(!text(Problem(.planConflict, detail: "d").encode()).contains("currentPlan"))
    }

    @Test("At least five templates, each with rising goals, at most a tenth a week, that a client could send itself")
    func templates() throws {
        let templates = PlanTemplate.all
        #expect(templates.count >= 5 && Set(templates.map(\.id)).count == templates.count)
        for id in ["beginner-walk", "ten-thousand-steps", "return-from-break"] {
            #expect(PlanTemplate.named(id) != nil)
        }
        #expect(PlanTemplate.named("ten-thousand-steps")?.weeks.last?.stepsOfDay == 10_000)
        #expect(PlanTemplate.named("ten-thousand-steps")?.weeks.count == 10)
        for template in templates {
            #expect(TextRule.accepts(template.name) && TextRule.accepts(template.description, upTo: 600))
            #expect((2...104).contains(template.weeks.count))
            for (earlier, later) in zip(template.weeks, template.weeks.dropFirst()) {
                let before = try #require(earlier.steps ?? earlier.distance?.count)
                let after = try #require(later.steps ?? later.distance?.count)
                #expect(before < after && after * 10 <= before * 11, "\(template.id): \(before) to \(after)")
                #expect((earlier.steps == nil) == (later.steps == nil))
            }
        }
        let list = try JSONValue.parse(PlanTemplate.listBody)
        guard case .array(let items)? = list[member: "templates"] else { throw Missing() }
        #expect(items.count == templates.count)
        #expect(items[0][member: "templateId"] == .string(templates[0].id))
        #expect(
            text(PlanTemplate.encodeList(Array(templates.prefix(1)))).hasPrefix(
                #"{"templates":[{"templateId":"return-from-break","planName":"Back after a break","description":"For "#)
        )
        for (template, item) in zip(templates, items) {
            guard case .array(let weeks)? = item[member: "weekly_goals"] else { throw Missing() }
            #expect(weeks.count == template.weeks.count && weeks[1][member: "week"] == .number(JSONNumber(1)))
        }
    }
}
