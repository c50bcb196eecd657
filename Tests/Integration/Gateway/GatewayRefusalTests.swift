import Models
import StrideTestSupport
import Testing

/// What the gateway itself refuses: problems in the form of the services', whatever is wrong.
@Suite(.serialized) struct GatewayRefusalTests {
    /// Checks everything that a problem of this code has to have.
    private func expect(
        _ answer: HTTPAnswer, _ status: Int, _ code: ProblemCode, _ what: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(answer.status == status, "\(what)", sourceLocation: sourceLocation)
        #expect(answer["Content-Type"] == "application/problem+json", "\(what)", sourceLocation: sourceLocation)
        let problem = answer.json
        #expect(problem["code"].string == code.rawValue, "\(what)", sourceLocation: sourceLocation)
        #expect(problem["type"].string == code.type, "\(what)", sourceLocation: sourceLocation)
        #expect(problem["title"].string == code.title, "\(what)", sourceLocation: sourceLocation)
        #expect(problem["status"].int == status, "\(what)", sourceLocation: sourceLocation)
        #expect(problem["detail"].string?.isEmpty == false, "\(what)", sourceLocation: sourceLocation)
        #expect(problem["instance"].string == answer["X-Request-Id"], "\(what)", sourceLocation: sourceLocation)
    }

    /// Checks that both ways of saying how long to wait are there and agree.
    private func expectWait(
        _ answer: HTTPAnswer, reason: Problem.Reason, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(answer.json["reason"].string == reason.rawValue, sourceLocation: sourceLocation)
        let wait = answer.json["retry_after_ms"].int ?? 0
        #expect((1...10_000).contains(wait), sourceLocation: sourceLocation)
        #expect(answer["Retry-After"] == String((wait + 999) / 1000), sourceLocation: sourceLocation)
    }

    @Test("A dead service is 503 TRY_AGAIN_LATER on its paths only, and answers again when it is back")
    func deadService() async throws {
        try await GatewayStand.run { stand in
            let phone = try stand.phone()
            let walk = workout(from: "2025-06-10T08:00:00Z", to: "2025-06-10T09:00:00Z", steps: 1)
            #expect(try await phone.post(walk).status == 201)
            stand.ingest.kill()
            for _ in 0..<3 {
                let answer = try await phone.post(walk)
                expect(answer, 503, .tryAgainLater, "ingest")
                expectWait(answer, reason: .overload)
                #expect(try await phone.send("GET", "/v1/workouts").status == 200)
            }
            let absent = try await stand.call("GET", "/v1/challenges/open/athletes")
            expect(absent, 503, .tryAgainLater, "leaderboard")
            expectWait(absent, reason: .overload)
            #expect(try await phone.send("HEAD", "/v1/athletes").status == 503)
            try await stand.ingest.start()
            try await eventually("it is asked again") {
                let again = try await phone.post(walk)
                return again.status == 200 && again.json["duplicate"] == true
            }
        }
    }

    @Test("A service that accepts connections and says nothing is 503 TRY_AGAIN_LATER")
    func silentService() async throws {
        let silence = try FreePort()
        silence.listenInSilence()
        defer { withExtendedLifetime(silence) {} }
        let settings = [
            "STRIDE_LEADERBOARD_ADDRESS": "127.0.0.1:\(silence.number)", "STRIDE_GATEWAY_ANSWER_SECONDS": "1",
        ]
        try await GatewayStand.run(gateway: settings) { stand in
            let answer = try await stand.call("GET", "/v1/athletes")
            expect(answer, 503, .tryAgainLater, "leaderboard")
            expectWait(answer, reason: .overload)
        }
    }

    @Test(
        "More requests of one address at once than are allowed are 503 TRY_AGAIN_LATER, and it is let in again afterwards"
    )
    func atOnce() async throws {
        let silence = try FreePort()
        silence.listenInSilence()
        defer { withExtendedLifetime(silence) {} }
        let settings = [
            "STRIDE_LEADERBOARD_ADDRESS": "127.0.0.1:\(silence.number)", "STRIDE_GATEWAY_CONNECTIONS": "1",
        ]
        try await GatewayStand.run(gateway: settings) { stand in
            let phone = try stand.phone()
            var waiting: [HTTPLine] = []
            defer { for line in waiting { line.close() } }
            // Whichever of the two comes first is let in, so both are sent until it was the one that is not answered.
            try await eventually("a request is being answered") {
                let line = try await HTTPLine.open(stand.gateway.port, on: stand.stores.loop)
                waiting.append(line)
                try await line.send(phone.call("GET", "/v1/athletes").bytes)
                return try await phone.send("GET", "/v1/plan_templates").status == 503
            }
            let answer = try await phone.send("GET", "/v1/plan_templates")
            expect(answer, 503, .tryAgainLater, "at once")
            expectWait(answer, reason: .overload)
            for line in waiting { line.close() }
            try await eventually("it has ended") {
                try await phone.send("GET", "/v1/plan_templates").status == 200
            }
        }
    }

    @Test("Bodies above 1 MiB are 413, with a length and in chunks; one of 1 MiB reaches the service")
    func bodies() async throws {
        try await GatewayStand.run { stand in
            let phone = try stand.phone()
            let most = 1024 * 1024
            let full = try await phone.send("POST", "/v1/workouts", body: [UInt8](repeating: 0x20, count: most))
            #expect(full.status == 400 && full["RateLimit"] != nil)
            let head = "POST /v1/workouts HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
            let long = try await stand.answer(to: head + "Content-Length: \(most + 1)\r\n\r\n")
            expect(long, 413, .payloadTooLarge, "with a length")
            let chunk = "20000\r\n" + String(repeating: " ", count: 0x20000) + "\r\n"
            let chunks = String(repeating: chunk, count: 8) + "1\r\n \r\n0\r\n\r\n"
            let chunked = try await stand.answer(to: head + "Transfer-Encoding: chunked\r\n\r\n" + chunks)
            expect(chunked, 413, .payloadTooLarge, "in chunks")
        }
    }

    @Test(
        "Long lines are 414, large fields 431, and what is no request 400, whether the service or the gateway sees it")
    func heads() async throws {
        try await GatewayStand.run { stand in
            func letters(_ count: Int) -> String { String(repeating: "a", count: count) }
            for count in [9_000, 17_000, 60_000] {
                let answer = try await stand.answer(to: "GET /v1/plan?\(letters(count)) HTTP/1.1\r\nHost: a\r\n\r\n")
                expect(answer, 414, .uriTooLong, "\(count) bytes")
                let fields = try await stand.answer(
                    to: "GET /v1/plan HTTP/1.1\r\nHost: a\r\nA: \(letters(count))\r\nB: \(letters(9_000))\r\n\r\n")
                expect(fields, 431, .headersTooLarge, "\(count) bytes")
            }
            // A hundred with the three that the gateway adds.
            for (count, status) in [(97, 401), (98, 431), (120, 431)] {
                let others = (1..<count).map { "F\($0): 1\r\n" }.joined()
                let fields = try await stand.answer(to: "GET /v1/plan HTTP/1.1\r\nHost: a\r\n\(others)\r\n")
                expect(fields, status, status == 431 ? .headersTooLarge : .unauthenticated, "\(count) fields")
            }
            for bytes in [
                "GET\r\n\r\n", "\u{1}\u{2}\r\n\r\n", "GET /v1/plan HTTP/1.1\r\n\r\n",
                "GET /../x HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET /v1/%zz HTTP/1.1\r\nHost: a\r\n\r\n", "GET /v1/plan HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
                "POST /v1/workouts HTTP/1.1\r\nHost: a\r\nContent-Length: +5\r\n\r\n",
                "POST /v1/workouts HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
            ] {
                expect(try await stand.answer(to: bytes), 400, .invalidRequest, bytes)
            }
            let coding = "POST /v1/workouts HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n"
            expect(try await stand.answer(to: coding), 501, .notImplemented, "gzip")
            let trace = "TRACE /v1/plan HTTP/1.1\r\nHost: a\r\n\r\n"
            expect(try await stand.answer(to: trace), 501, .notImplemented, "TRACE")
        }
    }

    @Test("Without a token an address gets its budget and then 429 user_rate; with a token nobody is counted")
    func withoutToken() async throws {
        // One a minute, so that nothing comes back while the test runs.
        let settings = ["STRIDE_GATEWAY_RATE_PER_MINUTE": "1", "STRIDE_GATEWAY_BURST": "4"]
        try await GatewayStand.run(gateway: settings) { stand in
            let phone = try stand.phone()
            for _ in 0..<20 { #expect(try await phone.send("GET", "/v1/plan_templates").status == 200) }
            for _ in 0..<5 { #expect(try await stand.call("GET", "/v1/plan_templates").status == 200) }
            for path in ["/v1/plan_templates", "/v1/plan", "/v1/workouts"] {
                let answer = try await stand.call("GET", path)
                expect(answer, 429, .tryAgainLater, path)
                expectWait(answer, reason: .userRate)
            }
            #expect(try await phone.send("GET", "/v1/plan_templates").status == 200)
            // What has not the form of a token is none.
            let (head, claims) = ("eyJhbGciOiJIUzI1NiJ9", "eyJzdWIiOiJ3YWxrZXIifQ")
            let signature = String(repeating: "A", count: 43)
            for field in [
                "x", "Bearer x", "Basic YTpi", "Bearer a.b.c", "Bearer \(head).\(claims).AAAA",
                "Bearer \(head).\(signature).\(signature)", "Bearer \(signature).\(claims).\(signature)",
                "Bearer  \(head).\(claims).\(signature)", "Bearer \(head).\(claims).\(signature).",
            ] {
                let answer = try await stand.call("GET", "/v1/plan_templates", fields: [("Authorization", field)])
                #expect(answer.status == 429, "\(field)")
            }
        }
    }

    @Test("A well-formed id is echoed in the field and in the body, also one that JSON has to escape")
    func requestIDs() async throws {
        try await GatewayStand.run { stand in
            for id in ["a", "\"", "\\", "a\"b", "\"\\\"", "{\"id\":7}", "x\\\"y", "!#$&'()*+,-./:;<=>?@[]^_`{|}~"] {
                let answer = try await stand.call("GET", "/nowhere", fields: [("X-Request-Id", id)])
                expect(answer, 404, .notFound, id)
                #expect(answer["X-Request-Id"] == id)
            }
            let many = try await stand.call("GET", "/nowhere", fields: [("X-Request-Id", "\"\"\"\"")])
            #expect(many["X-Request-Id"] == "\"\"\"\"" && many.json["instance"] == "" && many.json["status"] == 404)
        }
    }

    @Test("S4: the log has one JSON object a request, and neither tokens nor queries are in it")
    func log() async throws {
        try await GatewayStand.run { stand in
            let phone = try stand.phone()
            _ = try await phone.send("GET", "/v1/days?from=secret", fields: [("X-Request-Id", "look-for-me")])
            _ = try await stand.answer(to: "GET\r\n\r\n")
            try await eventually("the request is in the log") { stand.gateway.log.contains("look-for-me") }
            for line in stand.gateway.log.split(separator: "\n") where line.hasPrefix("{") {
                let entry = try JSON(parsing: Array(line.utf8))
                #expect(entry["status"].int != nil)
                #expect(!line.contains("secret") && !line.contains(phone.token.suffix(20)))
            }
        }
    }
}
