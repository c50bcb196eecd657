import StrideTestSupport
import Testing

/// What the gateway keeps of people: as little as lets an operator find who floods.
@Suite(.serialized) struct GatewayLogTests {
    @Test("The log has the address of who was refused for it, nobody else's, and no query and no token of anybody")
    func addresses() async throws {
        let settings = ["STRIDE_GATEWAY_BURST": "2", "STRIDE_GATEWAY_RATE_PER_MINUTE": "1"]
        try await GatewayStand.run(gateway: settings) { stand in
            let phone = try stand.phone()
            for _ in 0..<3 {
                #expect(try await phone.send("GET", "/v1/days?from=2025-06-10&to=2025-06-11").status == 200)
            }
            var statuses: [Int] = []
            for number in 0..<5 {
                let answer = try await stand.call(
                    "GET", "/v1/plan_templates?lines=hidden", fields: [("X-Request-Id", "stranger-\(number)")])
                statuses.append(answer.status)
            }
            #expect(statuses.suffix(2) == [429, 429])
            func lines() throws -> [JSON] {
                try stand.gateway.log.split(separator: "\n").filter { $0.hasPrefix("{") }
                    .map { try JSON(parsing: Array($0.utf8)) }
            }
            try await eventually("the last line is written") {
                try lines().contains { $0["request_id"] == "stranger-4" }
            }
            for line in try lines() {
                #expect(line["client"] == (line["status"] == 429 ? "127.0.0.1" : ""))
            }
            #expect(try lines().contains { $0["path"] == "/v1/days" && $0["upstream_status"] == "200" })
            let log = stand.gateway.log
            #expect(!log.contains("hidden") && !log.contains("2025-06-10") && !log.contains(phone.token))
            #expect(!log.contains("limiting requests"))
        }
    }
}
