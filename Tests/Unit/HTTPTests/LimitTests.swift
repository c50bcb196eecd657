import Testing

@testable import HTTP

/// H4: what is too long is refused before it is stored.
@Suite("Limits")
struct LimitTests {
    /// A request line of exactly this many bytes without its CRLF.
    private func line(_ count: Int) -> String {
        "GET /" + String(repeating: "a", count: count - "GET / HTTP/1.1".utf8.count) + " HTTP/1.1\r\n"
    }

    /// Header lines of exactly this many bytes, each with its CRLF.
    private func block(_ count: Int) -> String {
        "Host: a\r\nX: " + String(repeating: "b", count: count - "Host: a\r\nX: \r\n".utf8.count) + "\r\n"
    }

    @Test("H4: a request line of 8 KiB passes, one byte more is 414")
    func limitsTheRequestLine() {
        #expect(ParserDriver.refusal(Array((line(8192) + "Host: a\r\n\r\n").utf8)) == nil)
        #expect(ParserDriver.refusal(Array((line(8193) + "Host: a\r\n\r\n").utf8)) == 414)
        // Without an end in sight, too.
        #expect(ParserDriver.refusal(Array("GET /".utf8) + [UInt8](repeating: 0x61, count: 9000)) == 414)
        #expect(ParserDriver.refusal([UInt8](repeating: 0x41, count: 9000)) == 414)
    }

    @Test("H4: a header block of 16 KiB passes, one byte more is 431")
    func limitsTheHeaderBlock() {
        let start = "GET / HTTP/1.1\r\n"
        #expect(ParserDriver.refusal(Array((start + block(16_384) + "\r\n").utf8)) == nil)
        #expect(ParserDriver.refusal(Array((start + block(16_385) + "\r\n").utf8)) == 431)
        let spaces = [UInt8](repeating: 0x20, count: 17_000)
        #expect(ParserDriver.refusal(Array("GET / HTTP/1.1\r\nHost: a\r\nX:".utf8) + spaces) == 431)
    }

    @Test("H4: 100 fields pass, 101 are 431, also when they are as small as can be")
    func limitsTheFields() {
        let start = "GET / HTTP/1.1\r\nHost: a\r\n"
        #expect(ParserDriver.refusal(Array((start + String(repeating: "a:\r\n", count: 99) + "\r\n").utf8)) == nil)
        #expect(ParserDriver.refusal(Array((start + String(repeating: "a:\r\n", count: 100) + "\r\n").utf8)) == 431)
    }

    @Test("H4: a body of 1 MiB passes, one byte more is 413 before any of it is read")
    func limitsTheBodyByLength() {
        let head = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: "
        let full = [UInt8](repeating: 0x61, count: 1_048_576)
        #expect(ParserDriver.refusal(Array((head + "1048576\r\n\r\n").utf8) + full) == nil)
        #expect(ParserDriver.refusal(Array((head + "1048577\r\n\r\n").utf8)) == 413)
        #expect(ParserDriver.refusal(Array((head + "18446744073709551615\r\n\r\n").utf8)) == 413)
    }

    @Test("H4: chunks that add up to more than 1 MiB are 413 as soon as one is announced that cannot fit")
    func limitsTheBodyInChunks() {
        let head = Array("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)
        let half = Array("80000\r\n".utf8) + [UInt8](repeating: 0x61, count: 0x80000) + Array("\r\n".utf8)
        #expect(ParserDriver.refusal(head + half + half + Array("0\r\n\r\n".utf8)) == nil)
        #expect(ParserDriver.refusal(head + half + half + Array("1\r\n".utf8)) == 413)
        #expect(ParserDriver.refusal(head + half + Array("80001\r\n".utf8)) == 413)
        // Many tiny chunks are allowed: each has its due of framing.
        let tiny = (0..<5000).flatMap { _ in Array("1\r\nx\r\n".utf8) }
        #expect(ParserDriver.refusal(head + tiny + Array("0\r\n\r\n".utf8)) == nil)
    }

    @Test("H4: over a socket a client that sends far too much still reads its answer")
    func answersOverASocket() async throws {
        try await TestServer.run { running async throws in
            let head = "POST /v1/things HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
            let body = [UInt8](repeating: 0x61, count: 3_000_000)
            let cases: [([UInt8], Int)] = [
                (Array((head + "Content-Length: 3000000\r\n\r\n").utf8) + body, 413),
                (Array((head + "Transfer-Encoding: chunked\r\n\r\n2DC6C0\r\n").utf8) + body, 413),
                (Array((self.line(8193) + "Host: a\r\n\r\n").utf8) + body, 414),
                (Array(("GET / HTTP/1.1\r\n" + self.block(16_385) + "\r\n").utf8) + body, 431),
            ]
            for (bytes, status) in cases {
                let responses = RawResponse.all(in: try await running.exchange(bytes) ?? "")
                #expect(responses.map(\.status) == [status])
                #expect(responses.first?["Connection"] == "close")
            }
            #expect(running.record.calls.isEmpty)
        }
    }
}
