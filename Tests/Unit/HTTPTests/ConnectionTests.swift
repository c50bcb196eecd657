import Testing

@testable import HTTP

/// H7 over sockets: order, errors in between, expectations, and how a connection ends.
@Suite("Connections")
struct ConnectionTests {
    private static func get(_ path: String, _ headers: String = "") -> String {
        "GET \(path) HTTP/1.1\r\nHost: a\r\n\(headers)\r\n"
    }

    private static let last = get("/v1/things", "Connection: close\r\n")
    private static let json = "Host: a\r\nContent-Type: application/json\r\n"

    @Test("H7: pipelined requests are answered one at a time and in order, also when the first is slow")
    func keepsOrder() async throws {
        try await TestServer.run { running async throws in
            let text = Self.get("/slow?ms=150") + Self.get("/v1/things/1") + Self.get("/v1/things/2") + Self.last
            let responses = try await running.responses(to: text)
            #expect(responses.map(\.body) == ["\"slow\"", "\"thing 1\"", "\"thing 2\"", "\"list\""])
            #expect(responses.map { $0["Connection"] } == [nil, nil, nil, "close"])
            #expect(running.record.calls == ["GET /slow", "GET /v1/things/1", "GET /v1/things/2", "GET /v1/things"])
        }
    }

    @Test("H7: far more pipelined input than the server holds is answered in order")
    func holdsLittle() async throws {
        try await TestServer.run { running async throws in
            let count = 5000
            let text = (0..<count).map { Self.get("/v1/things/\($0)") }.joined() + Self.last
            // Sent from another thread, because neither side takes everything before the other reads.
            let client = try Shared(RawClient(port: running.port))
            async let sent = offLoop { client.value.send(text) }
            let answer = try await offLoop { client.value.receiveAll() }
            #expect(try await sent)
            let responses = RawResponse.all(in: answer ?? "")
            #expect(responses.count == count + 1)
            #expect(responses.dropLast().enumerated().allSatisfy { $1.body == "\"thing \($0)\"" })
        }
    }

    @Test(
        "H7: a request that is refused in step leaves the next one intact",
        arguments: [
            (get("/nowhere"), 404),
            ("POST /nowhere HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello", 404),
            ("POST /nowhere HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", 404),
            ("PATCH /v1/things HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello", 405),
            ("POST /v1/things HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello", 415),
            (get("/v1/things", "Accept: image/png\r\n"), 406),
        ])
    func staysInStep(_ first: String, _ status: Int) async throws {
        try await TestServer.run { running async throws in
            let responses = try await running.responses(to: first + first + Self.last)
            #expect(responses.map(\.status) == [status, status, 200])
            #expect(responses.map { $0["Connection"] } == [nil, nil, "close"])
            #expect(running.record.calls == ["GET /v1/things"])
        }
    }

    @Test("H7: who waits for 100 Continue gets it, then the answer")
    func continues() async throws {
        try await TestServer.run { running async throws in
            let answer = try await offLoop { [port = running.port] in
                let client = try RawClient(port: port)
                client.send(
                    "POST /v1/things HTTP/1.1\r\n\(Self.json)Authorization: x\r\nExpect: 100-Continue\r\nContent-Length: 2\r\n\r\n"
                )
                guard client.receive(until: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n" else { return "no 100" }
                client.send("{}" + Self.last)
                return client.receiveAll() ?? "no end"
            }
            #expect(RawResponse.all(in: answer).map(\.status) == [201, 200])
            #expect(running.record.bodies.first == Array("{}".utf8))
        }
    }

    @Test(
        "H7: who waits for 100 Continue gets its final 4xx before the body, and the connection ends",
        arguments: [
            ("POST /nowhere HTTP/1.1\r\n\(json)Expect: 100-continue\r\nContent-Length: 2\r\n\r\n", 404),
            ("PATCH /v1/things HTTP/1.1\r\n\(json)Expect: 100-continue\r\nContent-Length: 2\r\n\r\n", 405),
            ("POST /v1/things HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n", 415),
            (
                "POST /v1/things HTTP/1.1\r\n\(json)Accept: a/b\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n",
                406
            ),
            ("POST /v1/things HTTP/1.1\r\n\(json)Expect: 100-continue\r\nContent-Length: 2\r\n\r\n", 401),
            ("POST /v1/things HTTP/1.1\r\n\(json)Expect: 100-continue\r\nContent-Length: 1048577\r\n\r\n", 413),
            ("POST /nowhere HTTP/1.1\r\n\(json)Expect: 100-continue\r\nTransfer-Encoding: chunked\r\n\r\n", 404),
            ("POST /v1/things HTTP/1.1\r\n\(json)Expect: something\r\nContent-Length: 2\r\n\r\n", 417),
            ("GET /v1/things HTTP/1.1\r\n\(json)Expect: 100-continue, more\r\n\r\n", 417),
        ])
    func refusesBeforeTheBody(_ head: String, _ status: Int) async throws {
        try await TestServer.run { running async throws in
            let responses = RawResponse.all(in: try await running.exchange(head) ?? "")
            #expect(responses.map(\.status) == [status])
            #expect(responses.first?["Connection"] == "close")
            #expect(running.record.calls.isEmpty)
        }
    }

    @Test("H7: an expectation without a body, or in HTTP/1.0, is met by the answer alone")
    func ignoresEmptyExpectations() async throws {
        try await TestServer.run { running async throws in
            let noBody = Self.get("/v1/things", "Expect: 100-continue\r\nConnection: close\r\n")
            #expect(try await running.responses(to: noBody).map(\.status) == [200])
            let old = "POST /v1/things HTTP/1.0\r\n\(Self.json)Expect: 100-continue\r\nContent-Length: 2\r\n\r\n{}"
            #expect(try await running.responses(to: old).map(\.status) == [201])
        }
    }

    @Test("H7: HTTP/1.0 closes after the answer unless it asked to go on")
    func servesHTTP10() async throws {
        try await TestServer.run { running async throws in
            let once = try await running.responses(to: "GET /v1/things HTTP/1.0\r\n\r\n" + Self.last)
            #expect(once.map(\.status) == [200])
            #expect(once.first?["Connection"] == "close")
            let kept = try await running.responses(
                to: "GET /v1/things HTTP/1.0\r\nConnection: keep-alive\r\n\r\n" + "GET /v1/things HTTP/1.0\r\n\r\n")
            #expect(kept.map { $0["Connection"] } == ["keep-alive", "close"])
        }
    }

    @Test("H7: nothing behind a request with Connection: close is read")
    func endsWhenAsked() async throws {
        try await TestServer.run { running async throws in
            let responses = try await running.responses(to: Self.last + Self.get("/v1/things/7"))
            #expect(responses.map(\.status) == [200])
            #expect(running.record.calls == ["GET /v1/things"])
        }
    }

    @Test("H6: HEAD gets GET's head without its body; 204 and 304 have neither body nor length")
    func sendsTheRightHeads() async throws {
        try await TestServer.run { running async throws in
            let head = "HEAD /v1/things HTTP/1.1\r\nHost: a\r\n\r\n"
            let delete = "DELETE /v1/things/7 HTTP/1.1\r\nHost: a\r\n\r\n"
            let text =
                head + "HEAD /nowhere HTTP/1.1\r\nHost: a\r\n\r\n" + delete + Self.get("/unchanged")
                + "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n" + Self.last
            let responses = try await running.responses(to: text, withoutBody: [0, 1])
            #expect(responses.map(\.status) == [200, 404, 204, 304, 204, 200])
            #expect(responses.map { $0["Content-Length"] != nil } == [true, true, false, false, false, true])
            #expect(responses.first?["Content-Length"] == "6")
            #expect(responses.last?.body == "\"list\"")
            #expect(responses.allSatisfy { $0["Date"]?.hasSuffix(" GMT") == true && $0["Date"]?.utf8.count == 29 })
            #expect(responses.allSatisfy { $0["X-Request-Id"]?.isEmpty == false })
        }
    }

    @Test("A request that comes byte by byte is answered like any other")
    func readsByteByByte() async throws {
        try await TestServer.run { running async throws in
            let text =
                "POST /v1/things HTTP/1.1\r\n\(Self.json)Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
                + "2\r\n[1\r\n1\r\n]\r\n0\r\nX: y\r\n\r\n"
            let answer = try await offLoop { [port = running.port] in
                let client = try RawClient(port: port)
                for byte in text.utf8 { client.send([byte]) }
                return client.receiveAll() ?? ""
            }
            #expect(RawResponse.all(in: answer).first?.body == "[1]")
        }
    }

    @Test("Who half-closes after a request still gets the answer; in the middle of one it gets 400")
    func answersHalfClosed() async throws {
        try await TestServer.run { running async throws in
            let whole = try await running.exchange(Self.get("/slow?ms=50") + Self.get("/v1/things"), endWriting: true)
            #expect(RawResponse.all(in: whole ?? "").map(\.status) == [200, 200])
            let cut = try await running.exchange(
                "POST /v1/things HTTP/1.1\r\n\(Self.json)Content-Length: 5\r\n\r\nhe", endWriting: true)
            #expect(RawResponse.all(in: cut ?? "").map(\.status) == [400])
            #expect(try await running.exchange("", endWriting: true) == "")
            #expect(running.record.calls.count == 2)
        }
    }

    @Test("When the client has gone, its handler finishes and the answer is dropped")
    func finishesWithoutAClient() async throws {
        try await TestServer.run { running async throws in
            try await offLoop { [port = running.port, record = running.record] in
                let client = try RawClient(port: port)
                client.send(Self.get("/slow?ms=200"))
                while record.calls.isEmpty { pause(milliseconds: 1) }
                client.reset()
            }
            while running.record.exchanges.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
            #expect(running.record.exchanges.first?.wasDropped == true)
            #expect(running.record.exchanges.first?.status == 200)
            #expect(running.record.inFlight == 0)
            #expect(try await running.responses(to: Self.last).map(\.status) == [200])
        }
    }

    @Test("H8: connections reset while an answer is written, or in the middle of a request, do no harm")
    func survivesResets() async throws {
        try await TestServer.run { running async throws in
            try await offLoop { [port = running.port] in
                for round in 0..<30 {
                    let client = try RawClient(port: port)
                    client.send(Self.get("/big?bytes=4000000"))
                    if round % 3 == 0 { _ = client.receive() }
                    client.reset()
                    let other = try RawClient(port: port)
                    other.send("POST /v1/things HTTP/1.1\r\n\(Self.json)Content-Length: 50\r\n\r\n{")
                    other.reset()
                }
            }
            #expect(try await running.responses(to: Self.last).map(\.status) == [200])
        }
    }

    @Test("Beyond its maximum of connections the server waits with accepting until one closes")
    func limitsConnections() async throws {
        var limits = HTTPLimits.quick
        limits.connections = 2
        try await TestServer.run(limits: limits) { running async throws in
            let order = try await offLoop { [port = running.port] in
                let first = try RawClient(port: port)
                let second = try RawClient(port: port)
                for client in [first, second] {
                    client.send(Self.get("/v1/things"))
                    _ = client.receive(until: "list\"")
                }
                let third = try RawClient(port: port)
                third.send(Self.get("/slow?ms=0", "Connection: close\r\n"))
                first.send(Self.get("/v1/things/1"))
                let whileFull = first.receive(until: "thing 1\"") != nil
                first.close()
                return (whileFull, third.receiveAll()?.contains("slow") == true)
            }
            #expect(order == (true, true))
            // The third was only looked at after the first had made room.
            #expect(running.record.calls == ["GET /v1/things", "GET /v1/things", "GET /v1/things/1", "GET /slow"])
        }
    }
}

/// Lets two tasks use one socket, one for sending and one for receiving, as the system allows.
final class Shared<Value>: @unchecked Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
}
