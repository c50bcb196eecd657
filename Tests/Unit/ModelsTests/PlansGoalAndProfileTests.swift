import Models
import Testing

@Suite struct PlansGoalAndProfileTests {
    @Test(
        "A recurring goal is steps or distance, and answered as it was put",
        arguments: [
            (#"{"steps":35000}"#, #"{"steps":35000}"#), (#"{"distance":25000,"steps":null}"#, #"{"distance":25000}"#),
            (#"{"steps":1e7,"x":1}"#, #"{"steps":10000000}"#), (#"{"distance":0.0005}"#, #"{"distance":0.001}"#),
            (#"{"distance":10000000}"#, #"{"distance":10000000}"#),
        ])
    func goal(sent: String, answered: String) throws {
        let goal = try #require(WeeklyGoalSubmission.decode(try json(sent)).value?.goal)
        #expect(text(goal.encode()) == answered)
    }

    @Test(
        "Both, neither, nothing to reach and too much are faults",
        arguments: [
            ("{}", [""]), (#"{"steps":null}"#, [""]), ("[]", [""]), (#"{"steps":1,"distance":1}"#, [""]),
            (#"{"steps":0,"distance":0}"#, ["", "/steps", "/distance"]), (#"{"steps":0}"#, ["/steps"]),
            (#"{"distance":0.0004}"#, ["/distance"]), (#"{"steps":10000001}"#, ["/steps"]),
            (#"{"steps":"1"}"#, ["/steps"]),
            (#"{"steps":1.5}"#, ["/steps"]), (#"{"distance":10000000.001}"#, ["/distance"]),
            (#"{"distance":-1}"#, ["/distance"]),
        ])
    func goalFaults(sent: String, pointers: [String]) throws {
        #expect(WeeklyGoalSubmission.decode(try json(sent)).pointers == pointers)
    }

    @Test(
        "A goal is met when reached exactly, not when a step or a millimetre is missing",
        arguments: [
            (1000, nil, 1000, 0, true), (1000, nil, 999, 9_999_999, false), (nil, 5000, 0, 5000, true),
            (nil, 5000, 99_999, 4999, false), (1000, 5000, 1000, 5000, true), (1000, 5000, 1000, 4999, false),
            (1000, 5000, 999, 5000, false), (0, 5000, 0, 5000, true),
        ] as [(Int64?, Int64?, Int64, Int64, Bool)])
    func met(goalSteps: Int64?, goalWay: Int64?, steps: Int64, way: Int64, isMet: Bool) {
        let goal = WeeklyGoal(steps: goalSteps, distance: goalWay.map { Millimetres($0) })
        #expect(goal.isMet(steps: steps, distance: Millimetres(way)) == isMet)
    }

    @Test(
        "The goal of a day is a seventh of the week's, rounded up",
        arguments: [(nil, 0), (0, 0), (1, 1), (7, 1), (8, 2), (35_000, 5000), (10_000_000, 1_428_572)]
            as [(Int64?, Int64)])
    func dayGoal(week: Int64?, day: Int64) {
        #expect(WeeklyGoal(steps: week, distance: Millimetres(1)).stepsOfDay == day)
    }

    private static func profile(_ text: String) throws -> Checked<ProfileSubmission> {
        ProfileSubmission.decode(try json(text)) { ["UTC", "Europe/Berlin"].contains($0) }
    }

    @Test("A profile keeps what is left out, and starts with UTC and Monday")
    func profile() throws {
        let old = Profile(timeZone: "Asia/Tokyo", weekStart: .saturday)
        #expect(try Self.profile("{}").value?.applied(to: old) == old)
        #expect(try Self.profile(#"{"time_zone":null,"week_start":null}"#).value?.applied(to: old) == old)
        #expect(
            try Self.profile(#"{"time_zone":"Europe/Berlin"}"#).value?.applied(to: old)
                == Profile(timeZone: "Europe/Berlin", weekStart: .saturday))
        #expect(
            try Self.profile(#"{"week_start":"sunday","x":0}"#).value?.applied(to: old)
                == Profile(timeZone: "Asia/Tokyo", weekStart: .sunday))
        #expect(text(Profile().encode()) == #"{"time_zone":"UTC","week_start":"monday"}"#)
        for start in WeekStart.allCases { #expect(WeekStart(word: start.word) == start) }
        #expect(WeekStart.allCases.map(\.rawValue) == [0, 1, 2])
    }

    @Test(
        "Unknown zones and weekdays are faults, all of them",
        arguments: [
            (#"{"time_zone":"Europe/Atlantis"}"#, ["/time_zone"]), (#"{"time_zone":""}"#, ["/time_zone"]),
            (#"{"time_zone":3600}"#, ["/time_zone"]), (#"{"week_start":"Monday"}"#, ["/week_start"]),
            (#"{"week_start":"tuesday","time_zone":"é"}"#, ["/time_zone", "/week_start"]), ("7", [""]),
        ])
    func profileFaults(sent: String, pointers: [String]) throws { #expect(try Self.profile(sent).pointers == pointers) }
}
