import StrideTestSupport
import Testing

/// The budget is told on every answer to a write with a good token, also where no handler was asked.
@Suite(.serialized) struct RefusalBudgetTests {
    /// A request that is refused, and how.
    private static func refusals(
        of path: String, _ method: String,
        json: [(name: String, value: String)] = [("Content-Type", "application/json")]
    ) -> [(status: Int, method: String, path: String, fields: [(name: String, value: String)], body: [UInt8]?)] {
        let (small, large) = (Array("{}".utf8), [UInt8](repeating: 0x20, count: 1024 * 1024 + 1))
        return [
            (404, method, "/v1/nowhere", json, small), (405, "PATCH", path, json, small),
            (406, method, path, json + [("Accept", "text/html")], small), (413, method, path, json, large),
            (415, method, path, [("Content-Type", "text/plain")], small),
        ]
    }

    @Test("404, 405, 406, 413 and 415 tell the budget, which they do not use; strangers and reads are told nothing")
    func refusals() async throws {
        try await TestStores.run { stores in
            for (kind, policy, path, method, quota) in [
                (ServiceProcess.Kind.ingest, "workouts", "/v1/workouts", "POST", 7),
                (.plan, "plans", "/v1/profile", "PUT", 8),
                (.leaderboard, "leaderboard", "/v1/athletes/batch", "POST", 9),
            ] {
                let process = try await ServiceProcess.start(
                    stores, kind,
                    settings: [
                        "STRIDE_USER_BURST": "7", "STRIDE_PLAN_BURST": "8", "STRIDE_LEADERBOARD_BURST": "9",
                        "STRIDE_USER_RATE_PER_MINUTE": "60", "STRIDE_PLAN_RATE_PER_MINUTE": "60",
                        "STRIDE_LEADERBOARD_RATE_PER_MINUTE": "60",
                    ])
                defer { process.kill() }
                let phone = try stores.phone(newRequestID(), ports: [process.port])
                for refusal in Self.refusals(of: path, method) {
                    let call = HTTPCall(refusal.method, refusal.path, fields: refusal.fields, body: refusal.body)
                    let stranger = try await stores.client.send(call, to: process.port)
                    #expect(stranger.status == refusal.status, "\(kind)")
                    #expect(stranger["RateLimit"] == nil, "\(kind) \(refusal.status)")
                    let answer = try await phone.send(
                        refusal.method, refusal.path, body: refusal.body, fields: refusal.fields)
                    #expect(answer.status == refusal.status, "\(kind)")
                    #expect(answer["RateLimit-Policy"] == "\"\(policy)\";q=\(quota);w=\(quota)", "\(refusal.status)")
                    #expect(answer["RateLimit"] == "\"\(policy)\";r=\(quota);t=0", "\(kind) \(refusal.status)")
                }
                let read = try await phone.send("GET", path, fields: [("Accept", "text/html")])
                #expect(read.status >= 400 && read["RateLimit"] == nil, "\(kind)")
            }
        }
    }
}
