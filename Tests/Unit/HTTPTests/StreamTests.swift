import Testing

@testable import HTTP

/// Bodies that are made while they are sent.
@Suite("Streams")
struct StreamTests {
    private static func get(_ path: String, _ fields: String = "", version: String = "1.1") -> String {
        "GET \(path) HTTP/\(version)\r\nHost: a\r\n\(fields)\r\n"
    }

    @Test("A stream comes in chunks, and what was pipelined behind it is answered after it")
    func comesInChunks() async throws {
        try await TestServer.run { running async throws in
            let text = Self.get("/stream?pieces=2&bytes=20") + Self.get("/v1/things", "Connection: close\r\n")
            let answer = try #require(try await running.exchange(text))
            let letters = String(repeating: "a", count: 20)
            #expect(
                answer.contains(
                    "Transfer-Encoding: chunked\r\n\r\n14\r\n\(letters)\r\n14\r\n\(letters)\r\n0\r\n\r\nHTTP/1.1 200"))
            #expect(!answer.prefix(400).contains("Content-Length: 0"))
            #expect(answer.hasSuffix("\"list\""))
            #expect(try await running.record.exchanges(awaiting: 2).map(\.wasDropped) == [false, false])
        }
    }

    @Test("HTTP/1.0 gets the bytes as they are, and the connection ends with them")
    func endsWithTheConnection() async throws {
        try await TestServer.run { running async throws in
            let text = Self.get("/stream?pieces=3&bytes=5", "Connection: keep-alive\r\n", version: "1.0")
            let answer = try #require(try await running.exchange(text))
            #expect(answer.hasSuffix("\r\n\r\naaaaaaaaaaaaaaa") && answer.contains("Connection: close"))
            #expect(!answer.contains("chunked"))
        }
    }

    @Test("HEAD gets the head of a stream and nothing of it is made")
    func headOnly() async throws {
        try await TestServer.run { running async throws in
            let text = "HEAD /stream?pieces=3&bytes=5 HTTP/1.1\r\nHost: a\r\n\r\n"
            let answer = try #require(
                try await running.exchange(text + Self.get("/v1/things", "Connection: close\r\n")))
            #expect(answer.contains("Transfer-Encoding: chunked\r\n\r\nHTTP/1.1 200"))
            #expect(running.record.pieces == 0)
        }
    }

    @Test("A stream that fails half-way ends in a reset, never in a last chunk")
    func failsAloud() async throws {
        try await TestServer.run { running async throws in
            #expect(try await running.exchange(Self.get("/stream?pieces=9&bytes=10&fails=3")) == nil)
            #expect(try await running.record.exchanges(awaiting: 1).map(\.wasDropped) == [true])
        }
    }

    @Test("Who does not read has a few pieces made for it, is reset in time, and holds nothing any more")
    func waitsForTheReader() async throws {
        var limits = HTTPLimits.quick
        limits.responseTimeout = .seconds(1)
        try await TestServer.run(limits: limits) { running async throws in
            let isReset = try await offLoop { [port = running.port, record = running.record] in
                let client = try RawClient(port: port, receiveBuffer: 4096)
                client.send(Self.get("/stream?pieces=1000&bytes=100000"))
                while record.exchanges.isEmpty { pause(milliseconds: 10) }
                return client.receiveAll() == nil
            }
            #expect(isReset)
            // A hundred megabytes were asked for; the system's buffers would take four.
            #expect(running.record.pieces < 10)
            #expect(try await running.record.exchanges(awaiting: 1).map(\.wasDropped) == [true])
            #expect(running.record.inFlight == 0)
        }
    }

    @Test("A client that leaves ends the stream; one that reads slowly gets all of it")
    func servesSlowReaders() async throws {
        // Nobody is late here, however busy the machine is.
        var limits = HTTPLimits.quick
        limits.headTimeout = .seconds(60)
        limits.responseTimeout = .seconds(120)
        try await TestServer.run(limits: limits) { running async throws in
            let total = try await offLoop { [port = running.port] in
                let client = try RawClient(port: port, receiveBuffer: 4096)
                client.send(Self.get("/stream?pieces=40&bytes=100000", "Connection: close\r\n"))
                return client.receiveAll()?.utf8.filter { $0 == 0x61 }.count
            }
            // The letter is in none of the sizes, 186a0, but it is in the head: X-Request-Id and field names are counted out.
            #expect(try #require(total) >= 4_000_000)
            try await offLoop { [port = running.port, record = running.record] in
                let client = try RawClient(port: port)
                client.send(Self.get("/stream?pieces=1000000&bytes=100000"))
                _ = client.receive()
                client.reset()
                while record.exchanges.count < 2 { pause(milliseconds: 10) }
            }
            #expect(running.record.exchanges.map(\.wasDropped) == [false, true])
        }
    }

    @Test("A body that never waits keeps nobody waiting, and ends with its connection")
    func servesOthersMeanwhile() async throws {
        var limits = HTTPLimits.quick
        limits.responseTimeout = .seconds(120)
        try await TestServer.run(limits: limits) { running async throws in
            // Its window stays open, so nothing but the loop itself stops the writing.
            async let piecesBehind = offLoop { [port = running.port, record = running.record] in
                let reader = try RawClient(port: port)
                reader.send(Self.get("/stream?pieces=50000000&bytes=1"))
                while record.exchanges.isEmpty { _ = reader.receive() }
                let pieces = record.pieces
                reader.reset()
                while record.exchanges.count < 2 { pause(milliseconds: 10) }
                return pieces
            }
            try await offLoop { [port = running.port, record = running.record] in
                while record.pieces == 0 { pause(milliseconds: 10) }
                let other = try RawClient(port: port)
                other.send(Self.get("/unchanged", "Connection: close\r\n"))
                _ = other.receiveAll()
            }
            let pieces = try await piecesBehind
            #expect(pieces < 50_000_000)
            #expect(running.record.exchanges.map(\.status) == [304, 200])
            #expect(running.record.exchanges.map(\.wasDropped) == [false, true])
        }
    }
}
