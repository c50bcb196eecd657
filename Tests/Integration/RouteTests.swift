import StrideTestSupport
import Testing

/// HTTP on every route of ingest: methods, media types, order, and input that is meant to hurt.
@Suite(.serialized, .stand())
struct RouteTests {
    private static let walk = workout(from: "2025-06-10T08:00:00Z", to: "2025-06-10T09:00:00Z", steps: 1)

    private func call(_ call: HTTPCall) async throws -> HTTPAnswer {
        let stand = try Stand.ofSuite()
        var call = call
        call.fields.append(("Authorization", "Bearer \(try stand.phone("router").token)"))
        return try await stand.stores.client.send(call, to: stand.ingest.port)
    }

    @Test("H6: what the whole API takes on a path is in Allow, also on the paths of other services")
    func methods() async throws {
        let cases = [
            ("PUT", "/v1/workouts", "GET, HEAD, POST, OPTIONS"), ("DELETE", "/v1/workouts", "GET, HEAD, POST, OPTIONS"),
            ("GET", "/v1/workouts/batch", "POST, OPTIONS"), ("GET", "/v1/workouts/7", "DELETE, OPTIONS"),
            ("POST", "/v1/plan", "GET, HEAD, DELETE, OPTIONS"),
        ]
        for (method, path, allow) in cases {
            let answer = try await call(HTTPCall(method, path))
            #expect(answer.status == 405)
            #expect(answer.json["code"] == "METHOD_NOT_ALLOWED")
            #expect(Set((answer["Allow"] ?? "").split(separator: ", ")) == Set(allow.split(separator: ", ")))
            let options = try await call(HTTPCall("OPTIONS", path))
            #expect(options.status == 204)
            #expect(options["Allow"] == answer["Allow"])
            #expect(options["Content-Length"] == nil)
        }
    }

    @Test("H6: unknown paths are 404, unknown methods 501, other bodies 415, other wishes 406")
    func refusals() async throws {
        for path in [
            "/", "/v1", "/v1/", "/v1/workout", "/v1/workouts/", "/v1/workouts/1/2", "/v2/workouts", "/metrics",
        ] {
            let answer = try await call(HTTPCall("GET", path))
            #expect(answer.status == 404, "\(path)")
            #expect(answer.json["code"] == "NOT_FOUND")
        }
        #expect(try await call(HTTPCall("BREW", "/v1/workouts")).status == 501)
        let body = Array(Self.walk.text.utf8)
        for path in ["/v1/workouts", "/v1/workouts/batch"] {
            for type in ["text/plain", "application/jsonp", "application/x-www-form-urlencoded", ""] {
                let answer = try await call(HTTPCall("POST", path, fields: [("Content-Type", type)], body: body))
                #expect(answer.status == 415, "\(type)")
                #expect(answer.json["code"] == "UNSUPPORTED_MEDIA_TYPE")
            }
            let json = ("Content-Type", "Application/JSON; charset=utf-8")
            let unwanted = HTTPCall("POST", path, fields: [json, ("Accept", "text/html")], body: body)
            #expect(try await call(unwanted).status == 406)
            let wanted = HTTPCall("POST", path, fields: [json, ("Accept", "application/*;q=0.1")], body: body)
            #expect([200, 201, 400].contains(try await call(wanted).status))
        }
    }

    @Test("A body of more than 1 MiB is 413; one of nearly that is read")
    func bodySize() async throws {
        let json = ("Content-Type", "application/json")
        let padding = String(repeating: " ", count: (1 << 20) - Self.walk.text.utf8.count)
        let largest = Array((Self.walk.text + padding).utf8)
        #expect(
            [200, 201].contains(try await call(HTTPCall("POST", "/v1/workouts", fields: [json], body: largest)).status))
        let larger = HTTPCall("POST", "/v1/workouts", fields: [json], body: largest + [0x20])
        let answer = try await call(larger)
        #expect(answer.status == 413)
        #expect(answer.json["code"] == "PAYLOAD_TOO_LARGE")
    }

    @Test("H7: pipelined requests are answered in order; a fault in the first leaves the second intact")
    func pipelined() async throws {
        let stand = try Stand.ofSuite()
        let phone = try stand.phone()
        let line = try await HTTPLine.open(stand.ingest.port, on: stand.stores.loop)
        let fields = [("Authorization", "Bearer \(phone.token)"), ("Content-Type", "application/json")]
        let bodies = ["{", Self.walk.text, "[]", Self.walk.text]
        var bytes: [UInt8] = []
        for (number, body) in bodies.enumerated() {
            let id = ("X-Request-Id", "number-\(number)")
            bytes += HTTPCall("POST", "/v1/workouts", fields: fields + [id], body: Array(body.utf8)).bytes
        }
        try await line.send(bytes)
        for (number, status) in [400, 201, 400, 200].enumerated() {
            let answer = try await line.answer()
            #expect(answer.status == status)
            #expect(answer["X-Request-Id"] == "number-\(number)")
        }
        line.close()
    }

    @Test("H7: Expect: 100-continue without a good token gets its 401 before the body, with one its 100")
    func expectation() async throws {
        let stand = try Stand.ofSuite()
        let phone = try stand.phone()
        let body = Array(Self.walk.text.utf8)
        func head(_ token: String) -> String {
            "POST /v1/workouts HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(token)\r\nContent-Type: application/json\r\n"
                + "Content-Length: \(body.count)\r\nExpect: 100-continue\r\n\r\n"
        }
        let stranger = try await HTTPLine.open(stand.ingest.port, on: stand.stores.loop)
        try await stranger.send(head("x"))
        let refusal = try await stranger.answer()
        #expect(refusal.status == 401 && refusal.isLast)
        #expect(refusal["WWW-Authenticate"] != nil)
        let line = try await HTTPLine.open(stand.ingest.port, on: stand.stores.loop)
        try await line.send(head(phone.token))
        #expect(try await line.answer().status == 100)
        try await line.send(body)
        #expect(try await line.answer().status == 201)
        line.close()
    }

    @Test("H1: a request that hides behind an ambiguous length is never executed")
    func smuggled() async throws {
        let stand = try Stand.ofSuite()
        let phone = try stand.phone()
        let fields = [("Authorization", "Bearer \(phone.token)"), ("Content-Type", "application/json")]
        let hidden = HTTPCall("POST", "/v1/workouts", fields: fields, body: Array(Self.walk.text.utf8)).bytes
        let lengths = [
            "Content-Length: 0\r\nTransfer-Encoding: chunked", "Content-Length: 0\r\nContent-Length: 5",
            "Content-Length: +0", "Content-Length: 0, 0, 5", "Transfer-Encoding: chunked, identity",
            "Transfer-Encoding : chunked", "Content-Length: 0x0",
        ]
        for length in lengths {
            let line = try await HTTPLine.open(stand.ingest.port, on: stand.stores.loop)
            let head =
                "POST /v1/workouts HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(phone.token)\r\n\(length)\r\n\r\n"
            try await line.send(Array((head + "0\r\n\r\n").utf8) + hidden)
            let answer = try await line.answer()
            #expect([400, 501].contains(answer.status) && answer.isLast, "\(length)")
            #expect(try await line.ends())
        }
        #expect(try await stand.stores.database.workoutCount(of: phone.user) == 0)
    }

    @Test("H8: nothing that a client sends ends the process", arguments: 1...4)
    func survives(_ seed: UInt64) async throws {
        let stand = try Stand.ofSuite()
        let phone = try stand.phone()
        var generator = SeededGenerator(seed: seed)
        let hostile: [[UInt8]] = [
            Array("{\"steps\":1e999}".utf8), Array("{\"steps\":\(String(repeating: "9", count: 5000))}".utf8),
            Array("{\"steps\":-1e-999999999999}".utf8), Array("{\"distance\":1e2147483648}".utf8),
            Array(String(repeating: "[", count: 500_000).utf8), Array("{\"\\ud800\":1}".utf8),
            Array("{\"a\\u0000b\":\"\\u0000\"}".utf8), [0x7B, 0x22, 0xFF, 0xFE, 0x22, 0x3A, 0x31, 0x7D],
            Array(
                "{\"start_time\":-9223372036854775808,\"end_time\":9223372036854775807,\"steps\":0,\"distance\":0}".utf8
            ),
            Array(Self.walk.with(["start_time": .raw("9223372036854775807")]).text.utf8),
            Array(Self.walk.with(["time_zone": .string(String(repeating: "A/", count: 30))]).text.utf8),
            Array(Self.walk.with(["device_id": "\u{0}"]).text.utf8),
        ]
        let original = Array(Self.walk.text.utf8)
        let mutated = (0..<150).map { _ in
            var bytes = original
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            return bytes
        }
        for body in hostile + mutated {
            for path in ["/v1/workouts", "/v1/workouts/batch"] {
                let answer = try await phone.send("POST", path, body: body)
                #expect([200, 201, 400, 422].contains(answer.status), "\(String(decoding: body, as: UTF8.self))")
                #expect(answer.json != .null)
            }
        }
        // Gone in the middle of a request and of its answer.
        let head = HTTPCall(
            "POST", "/v1/workouts",
            fields: [("Authorization", "Bearer \(phone.token)"), ("Content-Type", "application/json")],
            body: original
        ).bytes
        for length in stride(from: 1, through: head.count, by: 37) {
            let line = try await HTTPLine.open(stand.ingest.port, on: stand.stores.loop)
            try await line.send(Array(head[..<length]))
            line.reset()
        }
        #expect([200, 201].contains(try await phone.post(Self.walk).status))
    }

    @Test("H9: nothing that a client sends comes back in a header with CR, LF or NUL")
    func notReflected() async throws {
        let stand = try Stand.ofSuite()
        for value in ["a%0d%0aX-Evil:%201", "a\\r\\nX-Evil: 1", "%00", "\u{1}x"] {
            let phone = try stand.phone()
            let answer = try await phone.send(
                "DELETE", "/v1/workouts/\(value.replacing(" ", with: "%20"))",
                fields: [("X-Request-Id", value), ("traceparent", value)])
            #expect(answer["X-Evil"] == nil)
            for field in answer.fields {
                #expect(!field.value.utf8.contains { $0 < 0x20 || $0 == 0x7F })
            }
        }
    }
}
