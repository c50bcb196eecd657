import Testing

@testable import HTTP

/// Seeded mutations of good and bad requests: the parser never dies, and never says something else for other pieces.
@Suite("Fuzz")
struct FuzzTests {
    /// SplitMix64, so that a failure can be run again.
    struct Random: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var bits = state
            bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
            bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
            return bits ^ (bits >> 31)
        }
    }

    private static let seeds: [[UInt8]] = [
        "GET /v1/things?a=1&b=%20c HTTP/1.1\r\nHost: a\r\nX-Request-Id: r1\r\nAccept: */*\r\nX:\r\n\r\nGET / HTTP/1.1\r\nHost: b\r\n\r\n",
        "POST /v1/things HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 5\r\n\r\nhelloGET / HTTP/1.1\r\nHost: b\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5;a=b\r\nhello\r\nA\r\n0123456789\r\n0\r\nX: y\r\nZ: \r\n\r\nGET / HTTP/1.1\r\nHost: b\r\n\r\n",
        "\r\nPUT http://a/b%2Fc HTTP/1.0\r\nConnection: keep-alive\r\nContent-Length: 0\r\n\r\nDELETE /%C3%BC HTTP/1.1\r\nHost: [::1]:1\r\n\r\n",
        "OPTIONS * HTTP/1.1\r\nHost: a\r\nUpgrade: h2c\r\nConnection: upgrade, close\r\nExpect: 100-continue\r\n\r\nGET / HTTP/1.1\r\n\r\n",
    ].map { Array($0.utf8) }

    private static let tokens: [[UInt8]] = [
        "\r\n", "\n", "\r", " ", "\t", ":", "\0", "\r\n ", "Content-Length: 5\r\n", "Transfer-Encoding: chunked\r\n",
        "chunked",
        "Host: c\r\n", "0\r\n\r\n", "HTTP/1.0", ";", ",", "%", "%zz", "\u{FF}", "FFFFFFFFFFFFFFFFF",
        "GET / HTTP/1.1\r\n",
    ].map { Array($0.utf8) }

    private static func mutate(_ bytes: [UInt8], _ random: inout Random) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            let index = Int.random(in: 0..<max(1, bytes.count), using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0 where !bytes.isEmpty: bytes[index] = UInt8.random(in: 0...255, using: &random)
            case 1 where !bytes.isEmpty: bytes.remove(at: index)
            case 2: bytes.insert(contentsOf: tokens.randomElement(using: &random) ?? [], at: index)
            case 3 where !bytes.isEmpty: bytes.insert(bytes[index], at: index)
            default: bytes.removeSubrange(index..<min(bytes.count, index + Int.random(in: 0...12, using: &random)))
            }
        }
        return bytes
    }

    @Test("Any pieces of any bytes say the same as the whole", arguments: 1...8)
    func doesNotDependOnPieces(_ seed: Int) {
        var random = Random(state: UInt64(seed))
        for round in 0..<500 {
            let bytes = Self.mutate(Self.seeds.randomElement(using: &random) ?? [], &random)
            let whole = ParserDriver.transcript(bytes, pieces: [])
            let pieces = (0..<20).map { _ in Int.random(in: 1...40, using: &random) }
            #expect(ParserDriver.transcript(bytes, pieces: pieces) == whole, "seed \(seed), round \(round), \(pieces)")
            #expect(ParserDriver.transcript(bytes, pieces: [1]) == whole, "seed \(seed), round \(round), byte by byte")
        }
    }

    @Test("Good requests say the same at every split")
    func splitsEverywhere() {
        for bytes in Self.seeds {
            let whole = ParserDriver.transcript(bytes, pieces: [])
            for split in 1..<bytes.count {
                #expect(ParserDriver.transcript(bytes, pieces: [split, bytes.count]) == whole, "split at \(split)")
            }
        }
    }

    @Test("A request cut anywhere is never executed")
    func executesOnlyWholeRequests() {
        for bytes in Self.seeds.dropFirst().prefix(2) {
            let lines = ParserDriver.transcript(bytes, pieces: [])
            let first = lines.firstIndex { $0.hasPrefix("body") } ?? 0
            let end = bytes.count - "GET / HTTP/1.1\r\nHost: b\r\n\r\n".utf8.count
            for count in 0..<end {
                let cut = ParserDriver.transcript(Array(bytes[..<count]), pieces: [])
                #expect(!cut.contains { $0.hasPrefix("body") }, "cut at \(count)")
            }
            #expect(ParserDriver.transcript(Array(bytes[..<end]), pieces: []) == Array(lines[...first]))
        }
    }

    @Test("H8: a server that is fed mutations over sockets still answers")
    func survivesOverSockets() async throws {
        try await TestServer.run { running async throws in
            try await offLoop { [port = running.port] in
                var random = Random(state: 42)
                for round in 0..<300 {
                    let client = try RawClient(port: port)
                    client.send(Self.mutate(Self.seeds.randomElement(using: &random) ?? [], &random))
                    if round % 2 == 0 { client.endWriting() } else { client.reset() }
                    if round % 2 == 0 { _ = client.receiveAll() }
                }
            }
            let last = "GET /v1/things HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
            #expect(try await running.responses(to: last).map(\.status) == [200])
            #expect(running.record.inFlight == 0)
        }
    }
}
