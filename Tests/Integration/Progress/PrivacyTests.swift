import Models
import StrideTestSupport
import Testing

@testable import Storage

/// S3: nobody sees anything of anybody else.
@Suite(.serialized)
struct PrivacyTests {
    static let routes = [
        "/v1/progressSummary", "/v1/progress", "/v1/days?from=2026-11-18&to=2026-12-02", "/v1/workouts", "/v1/changes",
    ]

    @Test("what one user does changes nothing in any answer to another, cold and warm, also with the other's cursors")
    func strangers() async throws {
        try await World.run { world in
            var empty: [String] = []
            for route in Self.routes { empty.append(try await world.get(route, as: "otto").text) }
            try await AnswerTests.someone(world)
            for _ in 0..<2 {
                for (route, expected) in zip(Self.routes, empty) {
                    #expect(try await world.get(route, as: "anna").text != expected)
                    #expect(try await world.get(route, as: "otto").text == expected, "\(route)")
                }
            }
            let page = try #require(try await world.get("/v1/workouts?limit=1", as: "anna")["Link"])
            let link = String(page.dropFirst().prefix { $0 != ">" })
            #expect(try await world.get(link, as: "otto").text == "[]")
            #expect(try await world.get(link, as: "anna").ids.count == 1)
        }
    }

    @Test("without a good token every route is 401, whatever its query")
    func withoutToken() async throws {
        try await World.run { world in
            for route in Self.routes + ["/v1/days", "/v1/workouts?limit=0"] {
                for headers in [[:], ["Authorization": "Bearer nonsense"]] {
                    let answer = try await world.get(route, as: nil, headers: headers)
                    #expect(answer.status == 401, "\(route)")
                    #expect(answer.code == "UNAUTHENTICATED")
                    #expect(answer["WWW-Authenticate"] != nil)
                    #expect(answer["ETag"] == nil)
                }
            }
        }
    }
}
