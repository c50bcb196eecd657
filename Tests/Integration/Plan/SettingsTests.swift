import Models
import Testing

extension PlanServiceTests {
    /// The recurring goal and the profile over the wire.
    @Suite struct SettingsTests {
        @Test("A weekly goal is put, read, replaced and deleted; it has exactly one of its parts")
        func goal() async throws {
            try await PlanStack.lend { stack in
                let none = try stack.call("ann", "GET", "/v1/weekly_goal")
                #expect(none.status == 404 && none.code == "NOT_FOUND")
                for (sent, kept) in [
                    (#"{"steps":35000}"#, #"{"steps":35000}"#), (#"{"distance":25000}"#, #"{"distance":25000}"#),
                    (#"{"distance":0.0005,"steps":null}"#, #"{"distance":0.001}"#),
                    (#"{"steps":10000000,"note":1}"#, #"{"steps":10000000}"#),
                ] {
                    let put = try stack.call("ann", "PUT", "/v1/weekly_goal", sent)
                    #expect(put.status == 200 && put.text == kept)
                    #expect(try stack.call("ann", "GET", "/v1/weekly_goal").text == kept)
                }
                for _ in 1...2 {
                    #expect(try stack.call("ann", "DELETE", "/v1/weekly_goal").status == 204)
                    #expect(try stack.call("ann", "GET", "/v1/weekly_goal").code == "NOT_FOUND")
                }
            }
        }

        @Test("Every broken rule of goal and profile is a fault at its place, and nothing changes")
        func faults() async throws {
            try await PlanStack.lend { stack in
                try #require(try stack.call("ann", "PUT", "/v1/weekly_goal", #"{"steps":7}"#).status == 200)
                for (path, body, pointers) in [
                    ("weekly_goal", "{}", [""]), ("weekly_goal", #"{"steps":1,"distance":1}"#, [""]),
                    ("weekly_goal", "[]", [""]), ("weekly_goal", "null", [""]),
                    ("weekly_goal", #"{"steps":0}"#, ["/steps"]), ("weekly_goal", #"{"steps":-1}"#, ["/steps"]),
                    ("weekly_goal", #"{"steps":1.5}"#, ["/steps"]), ("weekly_goal", #"{"steps":"1"}"#, ["/steps"]),
                    ("weekly_goal", #"{"steps":10000001}"#, ["/steps"]),
                    ("weekly_goal", #"{"distance":0.0004}"#, ["/distance"]),
                    ("weekly_goal", #"{"distance":1e400}"#, ["/distance"]),
                    ("weekly_goal", #"{"steps":"x","distance":-1}"#, ["", "/steps", "/distance"]),
                    ("profile", "7", [""]), ("profile", #"{"time_zone":"Mars/Olympus"}"#, ["/time_zone"]),
                    ("profile", #"{"time_zone":"GMT+5"}"#, ["/time_zone"]),
                    ("profile", #"{"time_zone":7}"#, ["/time_zone"]),
                    ("profile", #"{"time_zone":"../etc/passwd"}"#, ["/time_zone"]),
                    ("profile", #"{"time_zone":""}"#, ["/time_zone"]),
                    ("profile", #"{"week_start":"Monday"}"#, ["/week_start"]),
                    ("profile", #"{"time_zone":"x/y","week_start":1}"#, ["/time_zone", "/week_start"]),
                ] {
                    let answer = try stack.call("ann", "PUT", "/v1/\(path)", body)
                    #expect(answer.status == 400 && answer.code == "INVALID_REQUEST", "\(body)")
                    #expect(answer.pointers == pointers, "\(body)")
                }
                #expect(try stack.call("ann", "GET", "/v1/weekly_goal").text == #"{"steps":7}"#)
                #expect(
                    try stack.call("ann", "GET", "/v1/profile").text == #"{"time_zone":"UTC","week_start":"monday"}"#)
            }
        }

        @Test("A profile has defaults, and what is left out keeps its value")
        func profile() async throws {
            try await PlanStack.lend { stack in
                #expect(
                    try stack.call("ann", "GET", "/v1/profile").text == #"{"time_zone":"UTC","week_start":"monday"}"#)
                for (sent, kept) in [
                    ("{}", #"{"time_zone":"UTC","week_start":"monday"}"#),
                    (#"{"week_start":"sunday"}"#, #"{"time_zone":"UTC","week_start":"sunday"}"#),
                    (#"{"time_zone":"Europe/Berlin"}"#, #"{"time_zone":"Europe/Berlin","week_start":"sunday"}"#),
                    (
                        #"{"week_start":"saturday","time_zone":null}"#,
                        #"{"time_zone":"Europe/Berlin","week_start":"saturday"}"#
                    ),
                    (
                        #"{"time_zone":"America/Argentina/ComodRivadavia","week_start":"monday"}"#,
                        #"{"time_zone":"America/Argentina/ComodRivadavia","week_start":"monday"}"#
                    ),
                ] {
                    let put = try stack.call("ann", "PUT", "/v1/profile", sent)
                    #expect(put.status == 200 && put.text == kept)
                    #expect(try stack.call("ann", "GET", "/v1/profile").text == kept)
                }
                // Plan, goal and profile stand in one row and leave each other alone.
                try #require(try stack.call("ann", "PUT", "/v1/weekly_goal", #"{"steps":9}"#).status == 200)
                try #require(try stack.call("ann", "POST", "/v1/create_workout_plan", plan()).status == 201)
                try #require(try stack.call("ann", "DELETE", "/v1/plan").status == 204)
                #expect(try stack.call("ann", "GET", "/v1/weekly_goal").text == #"{"steps":9}"#)
                #expect(try stack.call("ann", "GET", "/v1/profile").string("week_start") == "monday")
            }
        }
    }
}
