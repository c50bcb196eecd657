import Testing

@testable import HTTP

@Suite("Observation")
struct ObserverTests {
    @Test("The observer learns method, template and status of every request, and random paths bring no new template")
    func observesEveryRequest() async throws {
        try await TestServer.run { running async throws in
            let host = "HTTP/1.1\r\nHost: a\r\n\r\n"
            _ = try await running.exchange(
                "GET /v1/things/1 \(host)GET /v1/things/2 \(host)GET /random/1 \(host)PATCH /v1/things \(host)"
                    + "OPTIONS /v1/things \(host)HEAD /v1/things/summary \(host)BREW / \(host)")
            let seen = running.record.exchanges.map { "\($0.method?.name ?? "-") \($0.route ?? "-") \($0.status)" }
            #expect(
                seen == [
                    "GET /v1/things/{id} 200", "GET /v1/things/{id} 200", "GET - 404", "PATCH /v1/things 405",
                    "OPTIONS /v1/things 204", "HEAD /v1/things/summary 200", "- - 501",
                ])
            #expect(running.record.inFlight == 0)
            #expect(running.record.exchanges.allSatisfy { $0.duration >= .zero && !$0.wasDropped })
        }
    }

    @Test("The duration is the handler's, and the request id is the answer's")
    func measures() async throws {
        try await TestServer.run { running async throws in
            let responses = try await running.responses(
                to: "GET /slow?ms=100 HTTP/1.1\r\nHost: a\r\nX-Request-Id: abc\r\nConnection: close\r\n\r\n")
            let exchange = running.record.exchanges.first
            #expect(responses.first?["X-Request-Id"] == "abc")
            #expect(exchange?.requestID == "abc")
            #expect((exchange?.duration ?? .zero) >= .milliseconds(95))
        }
    }

    @Test("An idle connection holds no buffer and well below 4 KiB")
    func isSmallWhenIdle() {
        let parser = HTTPParser(limits: HTTPLimits())
        let bytes = Array("POST /a?b=c HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello".utf8)
        var consumed = 0
        reading: while true {
            switch parser.next(bytes.span.extracting(consumed...), consumed: &consumed) {
            case .needsMore: break reading
            case .head, .complete, .refused: continue
            }
        }
        #expect(consumed == bytes.count)
        #expect(parser.headBytes.capacity == 0 && parser.fields.capacity == 0 && parser.body.capacity == 0)
        #expect(!parser.isInsideRequest)
        let size =
            MemoryLayout<HTTPLimits>.size + MemoryLayout<HTTPHeadScanner>.size
            + MemoryLayout<HTTPConnectionState>.size + MemoryLayout<HTTPConnection.Current>.size
        #expect(size < 1024)
    }
}
