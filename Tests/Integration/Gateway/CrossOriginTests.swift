import StrideTestSupport
import Testing

/// Pages of other origins: those of the list may call and read, whoever answers; nobody else may.
@Suite(.serialized) struct CrossOriginTests {
    private static let listed = "https://app.example,http://localhost:3000"

    /// The fields that let a page read an answer.
    private func permission(_ answer: HTTPAnswer) -> [String?] {
        [
            answer["Access-Control-Allow-Origin"], answer["Access-Control-Expose-Headers"],
            answer["Access-Control-Allow-Credentials"], answer["Access-Control-Allow-Methods"], answer["Vary"],
        ]
    }

    @Test("Answers and problems, of services and of the gateway, may be read by pages of listed origins")
    func readable() async throws {
        let settings = [
            "STRIDE_CORS_ORIGINS": Self.listed, "STRIDE_GATEWAY_RATE_PER_MINUTE": "1", "STRIDE_GATEWAY_BURST": "9",
        ]
        try await GatewayStand.run(gateway: settings) { stand in
            let phone = try stand.phone()
            for origin in ["https://app.example", "http://localhost:3000"] {
                let page = [("Origin", origin)]
                let large = [UInt8](repeating: 0x20, count: 1024 * 1024 + 1)
                let answers = [
                    try await phone.send("GET", "/v1/plan_templates", fields: page),
                    try await phone.send("GET", "/v1/plan", fields: page),
                    try await phone.send("DELETE", "/v1/plan", fields: page),
                    try await phone.send("GET", "/v1/athletes", fields: page),
                    try await phone.send("GET", "/nowhere", fields: page),
                    try await phone.send("POST", "/v1/workouts", body: large, fields: page),
                    try await stand.call("GET", "/v1/profile", fields: page),
                ]
                #expect(answers.map(\.status) == [200, 404, 204, 503, 404, 413, 401])
                for answer in answers {
                    let fields = try #require(answer["Access-Control-Expose-Headers"])
                    #expect(permission(answer) == [origin, fields, nil, nil, "Origin"], "\(answer)")
                    for name in ["ETag", "Link", "RateLimit", "Retry-After", "X-Request-Id", "X-Stride-Source"] {
                        #expect(fields.split(separator: ", ").contains { $0 == name }, "\(name)")
                    }
                }
            }
            // Beyond the budget of the address: a page learns that it has to wait.
            try await eventually("429") {
                let answer = try await stand.call("GET", "/v1/plan", fields: [("Origin", "https://app.example")])
                #expect(answer["Access-Control-Allow-Origin"] == "https://app.example")
                return answer.status == 429 && answer["Retry-After"] != nil
            }
        }
    }

    @Test("Who is not listed as a whole gets answers that no page may read, and so does everybody without a list")
    func strangers() async throws {
        try await GatewayStand.run(gateway: ["STRIDE_CORS_ORIGINS": Self.listed]) { stand in
            let strangers = [
                "https://evil.example", "https://app.example.evil.example", "https://app.exampl", "http://app.example",
                "https://app.example:444", "app.example", "null", "*", Self.listed, ",", "|", "x|https://app.example",
                ",x,|x", "https://app.example,", "https://app.example/", "HTTPS://APP.EXAMPLE",
            ]
            for origin in strangers {
                for path in ["/v1/plan_templates", "/nowhere"] {
                    let answer = try await stand.call("GET", path, fields: [("Origin", origin)])
                    #expect(permission(answer) == [nil, nil, nil, nil, "Origin"], "\(origin) \(path)")
                }
                let asked = [("Origin", origin), ("Access-Control-Request-Method", "POST")]
                let preflight = try await stand.call("OPTIONS", "/v1/workouts", fields: asked)
                #expect(permission(preflight) == [nil, nil, nil, nil, "Origin"], "\(origin)")
                #expect(preflight["Allow"]?.contains("POST") == true, "\(origin): the service has answered")
            }
            #expect(try await permission(stand.call("GET", "/v1/plan_templates")) == [nil, nil, nil, nil, "Origin"])
        }
        try await GatewayStand.run { stand in
            let page = [("Origin", "https://app.example"), ("Access-Control-Request-Method", "POST")]
            for method in ["GET", "OPTIONS"] {
                let answer = try await stand.call(method, "/v1/plan_templates", fields: page)
                #expect(permission(answer) == [nil, nil, nil, nil, nil], "\(method)")
            }
        }
    }

    @Test("What a browser asks beforehand is answered by the gateway, also for a dead service and beyond the budget")
    func preflight() async throws {
        let settings = [
            "STRIDE_CORS_ORIGINS": Self.listed, "STRIDE_GATEWAY_RATE_PER_MINUTE": "1", "STRIDE_GATEWAY_BURST": "1",
        ]
        try await GatewayStand.run(gateway: settings) { stand in
            let asked = [
                ("Origin", "https://app.example"), ("Access-Control-Request-Method", "PUT"),
                ("Access-Control-Request-Headers", "authorization,content-type"),
            ]
            for path in ["/v1/athletes/51", "/v1/workouts?limit=5", "/v1/athletes/52", "/v1/profile"] {
                let answer = try await stand.call("OPTIONS", path, fields: asked)
                #expect(answer.status == 204 && answer.body.isEmpty, "\(path)")
                #expect(answer["Access-Control-Allow-Origin"] == "https://app.example", "\(path)")
                #expect(answer["Access-Control-Allow-Methods"] == "GET, HEAD, POST, PUT, DELETE", "\(path)")
                let fields = answer["Access-Control-Allow-Headers"]?.lowercased() ?? ""
                for name in ["authorization", "content-type", "if-none-match"] { #expect(fields.contains(name)) }
                #expect(answer["Access-Control-Max-Age"] == "7200" && answer["Vary"] == "Origin")
                #expect(answer["Access-Control-Allow-Credentials"] == nil)
                #expect(answer["X-Request-Id"]?.isEmpty == false)
            }
            // Without the question it is an ordinary OPTIONS, which the service answers.
            let phone = try stand.phone()
            let plain = try await phone.send("OPTIONS", "/v1/profile", fields: [("Origin", "https://app.example")])
            #expect(plain.status == 204 && plain["Allow"] == "GET, HEAD, PUT, OPTIONS")
            #expect(plain["Access-Control-Allow-Methods"] == nil)
        }
    }

    @Test(
        "A list that names no origins keeps the gateway from starting", arguments: ["*", "app.example", "https://a b"])
    func badLists(list: String) async throws {
        let folder = try TestFolder()
        let words = ["BIND", "GATEWAY_PORT", "GATEWAY_RATE_PER_MINUTE", "GATEWAY_BURST", "GATEWAY_CONNECTIONS"]
        let addresses = ["INGEST", "PLAN", "PROGRESS", "LEADERBOARD"].map { $0 + "_ADDRESS" }
        let names = words + addresses + ["GATEWAY_ANSWER_SECONDS"]
        let settings = Dictionary(uniqueKeysWithValues: names.map { ("STRIDE_" + $0, "1") })
        let render = try ChildProcess(
            "Scripts/render-gateway.sh", environment: settings.merging(["STRIDE_CORS_ORIGINS": list]) { $1 },
            log: folder.path + "/render.log")
        #expect(try await render.wait(within: .seconds(60)) == .exited(1))
        #expect(render.log.hasPrefix("render-gateway: STRIDE_CORS_ORIGINS"))
    }
}
