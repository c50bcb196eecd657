import EventLoops
import Models
import ServiceKit
import Telemetry
import Testing

@testable import IngestService

extension PlanServiceTests {
    /// The zone of workouts that name none: plan keeps it, ingest uses it.
    @Suite struct ProfileZoneTests {
        /// Lends ingest beside the plan service, on the same stores.
        private static func lend(_ body: @escaping @Sendable (PlanStack, UInt16) async throws -> Void) async throws {
            try await PlanStack.lend { stack in
                var reader = Settings(stack.settings)
                let ingest = try await IngestApplication.start(
                    try IngestConfiguration(from: &reader), logger: .discarding, registry: MetricRegistry())
                let port = ingest.address.port
                let result = await Task {
                    try await stack.eventually {
                        try stack.call("settling", "POST", "/v1/workouts", workout(), port: port).status < 300
                    }
                    try await body(stack, port)
                }.result
                await ingest.drain()
                try result.get()
            }
        }

        /// 2025-11-30T16:00:00Z to 16:01: in Tokyo (+9) it is the 1st of December.
        private static func workout(_ id: String = newID(), zone: String? = nil, steps: Int = 120) -> String {
            #"{"requestId":"\#(id)","start_time":1764518400000,"end_time":1764518460000,"steps":\#(steps),"distance":1"#
                + (zone.map { #","time_zone":"\#($0)"}"# } ?? "}")
        }

        private static func days(_ stack: PlanStack, _ person: String) async throws -> [[String]] {
            try await stack.query(
                "select day::text, steps::text from daily_totals where user_id = '\(try stack.user(person))' order by day"
            )
        }

        @Test("A workout without a zone counts in the profile's, from the next one after the change on; history stays")
        func profile() async throws {
            try await Self.lend { stack, port in
                func post(_ body: String) throws -> Answer {
                    try stack.call("ann", "POST", "/v1/workouts", body, port: port)
                }
                let first = newID()
                #expect(try post(Self.workout(first, steps: 1)).status == 201)
                #expect(try await Self.days(stack, "ann") == [["2025-11-30", "1"]])
                try #require(try stack.call("ann", "PUT", "/v1/profile", #"{"time_zone":"Asia/Tokyo"}"#).status == 200)
                #expect(try post(Self.workout(steps: 2)).status == 201)
                #expect(try await Self.days(stack, "ann") == [["2025-11-30", "1"], ["2025-12-01", "2"]])
                // A zone that is sent wins, and another user has another profile.
                #expect(try post(Self.workout(zone: "UTC", steps: 4)).status == 201)
                #expect(try await Self.days(stack, "ann") == [["2025-11-30", "5"], ["2025-12-01", "2"]])
                #expect(try stack.call("bob", "POST", "/v1/workouts", Self.workout(), port: port).status == 201)
                #expect(try await Self.days(stack, "bob") == [["2025-11-30", "120"]])
                // A repeat is compared as sent; one that now names the zone it counts in is not what was sent.
                let again = try post(Self.workout(first, steps: 1))
                #expect(again.status == 200 && again.json[member: "duplicate"] == .bool(true))
                #expect(try post(Self.workout(first, zone: "UTC", steps: 1)).status == 422)
                #expect(try await Self.days(stack, "ann") == [["2025-11-30", "5"], ["2025-12-01", "2"]])
            }
        }

        @Test("In a batch each workout counts in its own zone or the profile's")
        func batch() async throws {
            try await Self.lend { stack, port in
                try #require(try stack.call("ann", "PUT", "/v1/profile", #"{"time_zone":"Asia/Tokyo"}"#).status == 200)
                let items = [
                    Self.workout(steps: 1), Self.workout(zone: "UTC", steps: 2), "{}", Self.workout(zone: "X/Y"),
                    Self.workout(steps: 4),
                ]
                let answer = try stack.call(
                    "ann", "POST", "/v1/workouts/batch", #"{"workouts":[\#(items.joined(separator: ","))]}"#, port: port
                )
                let results = answer.json[member: "results"]?.elements.compactMap { $0[member: "result"]?.string }
                #expect(results == ["created", "created", "rejected", "rejected", "created"])
                #expect(try await Self.days(stack, "ann") == [["2025-11-30", "2"], ["2025-12-01", "5"]])
            }
        }

        @Test(
            "A workout that names its zone never asks for the profile: it is taken where there are no profiles at all")
        func unasked() async throws {
            try await Self.lend { stack, port in
                _ = try await stack.query("alter table settings rename to settings_away")
                func post(_ person: String, _ path: String, _ body: String) throws -> Answer {
                    try stack.call(person, "POST", path, body, port: port)
                }
                #expect(try post("ann", "/v1/workouts", Self.workout(zone: "Asia/Tokyo")).status == 201)
                let unzoned = try post("ann", "/v1/workouts", Self.workout())
                #expect(unzoned.status == 500 && unzoned.code == "INTERNAL")
                let batch = #"{"workouts":[\#(Self.workout()),\#(Self.workout(zone: "X/Y"))]}"#
                let answer = try post("ann", "/v1/workouts/batch", batch)
                let codes = answer.json[member: "results"]?.elements.compactMap { $0[member: "code"]?.string }
                #expect(codes == ["INTERNAL", "INVALID_REQUEST"])
                _ = try await stack.query("alter table settings_away rename to settings")
                #expect(try post("ann", "/v1/workouts", Self.workout()).status == 201)
                #expect(try await Self.days(stack, "ann") == [["2025-11-30", "120"], ["2025-12-01", "120"]])
            }
        }

        @Test("Many users at once, half of them without a zone, each count in their own")
        func many() async throws {
            try await Self.lend { stack, port in
                let people = (0..<30).map { "p\($0)" }
                for person in people where person.hasSuffix("0") || person.hasSuffix("5") {
                    try #require(
                        try stack.call(person, "PUT", "/v1/profile", #"{"time_zone":"Asia/Tokyo"}"#).status == 200)
                }
                let requests = try people.map { person in
                    Wire.request(
                        "POST", "/v1/workouts", fields: ["Authorization: Bearer \(try stack.token(person))"],
                        body: Self.workout())
                }
                #expect(try Wire.exchange(requests, port: port).allSatisfy { $0.status == 201 })
                for person in people {
                    let isInTokyo = person.hasSuffix("0") || person.hasSuffix("5")
                    #expect(try await Self.days(stack, person) == [[isInTokyo ? "2025-12-01" : "2025-11-30", "120"]])
                }
            }
        }
    }
}
