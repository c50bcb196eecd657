import StrideTestSupport
import Testing

/// What users send and what services are trusted with, and where it must never turn up.
@Suite(.serialized) struct SecrecyTests {
    /// Words that stand nowhere else, each sent in a place of its own.
    private enum Marker: String, CaseIterable {
        case latitude = "52.520812345"
        case longitude = "13.409412345"
        case faultyBody = "unreadable-kiwi"
        case unknownMember = "overripe-papaya"
        case planName = "quiet-mango"
        case queryValue = "hidden-lychee"
        case forgedToken = "sour-gooseberry"
        case foreignCookie = "stolen-quince"
    }

    @Test("S4, S5: no token, position, body, query or secret is in a log, in metrics or among arguments")
    func nothingTold() async throws {
        try await Fleet.run(settings: ["STRIDE_LOG_LEVEL": "debug"]) { fleet in
            let person = try fleet.person()
            try await Self.use(person)
            let secrets = try Self.secrets(of: fleet, person)
            for process in [fleet.ingest, fleet.plan, fleet.progress] {
                var told = [
                    "log": process.logText, "metrics": try await process.askAdmin("/metrics").text,
                    "arguments": try Self.arguments(of: process),
                ]
                // It was listening, and what is looked through is not empty.
                #expect(told["log"]?.contains("\"level\"") == true)
                #expect(told["metrics"]?.contains("http_server_request_duration_seconds_count") == true)
                #expect(told["arguments"]?.contains(process.kind.rawValue) == true)
                told["end of the log"] = try await Self.end(of: process)
                for (place, text) in told {
                    for secret in secrets {
                        #expect(!text.contains(secret), "\(secret.prefix(8))… in \(place) of \(process.kind)")
                    }
                }
            }
        }
    }

    /// Good and faulty calls on every service, with a marker wherever a client can write one.
    private static func use(_ person: Person) async throws {
        let walk = workout(from: "2026-11-01T08:00:00Z", to: "2026-11-01T09:00:00Z", steps: 5).with([
            "latitude": .string(Marker.latitude.rawValue), "note": .string(Marker.unknownMember.rawValue),
            "route": [[.string(Marker.latitude.rawValue), .string(Marker.longitude.rawValue)]],
        ])
        #expect(try await person.phone.post(walk).status == 201)
        #expect(try await person.post(walk, walk.with(["steps": .string(Marker.faultyBody.rawValue)])).status == 200)
        let broken = Array("{\"\(Marker.faultyBody)\": \(Marker.faultyBody.rawValue)".utf8)
        #expect(try await person.phone.send("POST", "/v1/workouts", body: broken).status == 400)
        #expect(try await person.follow(Marker.planName.rawValue, from: "2026-11-02", [["steps": 1]]).status == 201)
        var stranger = person.phone
        stranger.token = "\(person.phone.token).\(Marker.forgedToken.rawValue)"
        for place in 0..<3 {
            #expect(try await stranger.send("GET", "/v1/none", via: place).status == 404)
            let query = "/v1/progressSummary?time_zone=\(Marker.queryValue.rawValue)"
            let fields = [("Cookie", Marker.foreignCookie.rawValue), ("Referer", Marker.queryValue.rawValue)]
            _ = try await person.phone.send("GET", query, fields: fields, via: place)
            _ = try await person.phone.send("GET", "/v1/workouts?access_token=\(person.phone.token)", via: place)
        }
        #expect(try await stranger.post(walk).status == 401)
    }

    private static func secrets(of fleet: Fleet, _ person: Person) throws -> [String] {
        let url = fleet.stores.environment([:])["STRIDE_POSTGRES_URL"] ?? ""
        let password = url.split(separator: "@").first?.split(separator: ":").last.map(String.init) ?? ""
        let secret = try fleet.stores.folder.read("token-secret").split(separator: "\n").map(String.init)
        let signature = person.phone.token.split(separator: ".").last.map(String.init) ?? ""
        #expect(password.count >= 16 && secret.count == 1 && signature.count >= 32)
        return Marker.allCases.map(\.rawValue) + secret + [password, signature]
    }

    private static func arguments(of process: ServiceProcess) throws -> String {
        try TestFolder.contents(of: "/proc/\(process.process?.id ?? 0)/cmdline")
    }

    /// What it says when it stops.
    private static func end(of process: ServiceProcess) async throws -> String {
        #expect(try await process.terminate() == .exited(0))
        return process.logText
    }
}
