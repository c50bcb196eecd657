import Testing

@testable import HTTP

/// RFC 9112 §6: where a body ends, and what must never be guessed.
@Suite("Framing")
struct FramingTests {
    private static let chunked = "5\r\nhello\r\n0\r\n\r\n"

    static let badLengths: [BadRequest] = [
        .post("a plus sign", "Content-Length: +5\r\n"),
        .post("minus zero", "Content-Length: -0\r\n"),
        .post("hexadecimal", "Content-Length: 0x5\r\n"),
        .post("a list of equal lengths", "Content-Length: 5, 5\r\n"),
        .post("two numbers", "Content-Length: 5 5\r\n"),
        .post("no number", "Content-Length:\r\n"),
        .post("only a space", "Content-Length: \r\n"),
        .post("a letter behind", "Content-Length: 5a\r\n"),
        .post("a comma behind", "Content-Length: 5,\r\n"),
        .post("a fraction", "Content-Length: 5.0\r\n"),
        .post("the same twice", "Content-Length: 5\r\nContent-Length: 5\r\n"),
        .post("two lengths", "Content-Length: 5\r\nContent-Length: 6\r\n"),
        .post("zero and a length", "Content-Length: 0\r\nContent-Length: 5\r\n"),
        .post("names in two cases", "Content-Length: 5\r\ncontent-length: 5\r\n"),
        .post("2^64 and more", "Content-Length: 99999999999999999999999\r\n"),
        .post("a folded length", "Content-Length: 5\r\n 5\r\n"),
        .post("a space before the colon", "Content-Length : 5\r\n"),
    ]

    static let badCodings: [BadRequest] = [
        .post("length, then coding", "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", chunked),
        .post("coding, then length", "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n", chunked),
        .post("length and an unknown coding", "Content-Length: 5\r\nTransfer-Encoding: xchunked\r\n"),
        .post("chunked twice", "Transfer-Encoding: chunked, chunked\r\n", chunked),
        .post("chunked in two fields", "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", chunked),
        .post("chunked is not the last", "Transfer-Encoding: chunked, gzip\r\n", chunked),
        .post("chunked, then another field", "Transfer-Encoding: chunked\r\nTransfer-Encoding: gzip\r\n", chunked),
        .post("gzip alone", "Transfer-Encoding: gzip\r\n", chunked),
        .post("gzip, then chunked", "Transfer-Encoding: gzip, chunked\r\n", chunked, 501),
        .post(
            "gzip and chunked in two fields", "Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n", chunked, 501),
        .post("an unknown coding", "Transfer-Encoding: xchunked\r\n", chunked, 501),
        .post("an unknown coding, then chunked", "Transfer-Encoding: foo, chunked\r\n", chunked, 501),
        .post("identity", "Transfer-Encoding: identity\r\n", chunked, 501),
        .post("a letter behind chunked", "Transfer-Encoding: chunkedx\r\n", chunked, 501),
        .post("a parameter", "Transfer-Encoding: chunked;q=1\r\n", chunked),
        .post("quotes", "Transfer-Encoding: \"chunked\"\r\n", chunked),
        .post("an empty list element", "Transfer-Encoding: ,chunked\r\n", chunked),
        .post("nothing", "Transfer-Encoding:\r\n", chunked),
        .post("a vertical tab", "Transfer-Encoding:\u{B}chunked\r\n", chunked),
        .post("a folded coding", "Transfer-Encoding:\r\n chunked\r\n", chunked),
        .post("a space before the colon", "Transfer-Encoding : chunked\r\n", chunked),
        .line("a coding in HTTP/1.0", "POST /v1/things HTTP/1.0\r\nTransfer-Encoding: chunked\r\n"),
    ]

    static let badChunks: [BadRequest] = [
        .chunks("no hexadecimal digit", "G\r\nhello\r\n0\r\n\r\n"),
        .chunks("no digit", "\r\nhello\r\n0\r\n\r\n"),
        .chunks("0x", "0x5\r\nhello\r\n0\r\n\r\n"),
        .chunks("a plus sign", "+5\r\nhello\r\n0\r\n\r\n"),
        .chunks("a minus sign", "-5\r\nhello\r\n0\r\n\r\n"),
        .chunks("a space before", " 5\r\nhello\r\n0\r\n\r\n"),
        .chunks("a space behind", "5 \r\nhello\r\n0\r\n\r\n"),
        .chunks("a tab behind", "5\t\r\nhello\r\n0\r\n\r\n"),
        .chunks("a space before the extension", "5 ;a=b\r\nhello\r\n0\r\n\r\n"),
        .chunks("2^64 and more", "FFFFFFFFFFFFFFFFF\r\nhello\r\n0\r\n\r\n"),
        .chunks("2^64 - 1", "FFFFFFFFFFFFFFFF\r\nhello\r\n0\r\n\r\n", 413),
        .chunks("a bare LF behind the size", "5\nhello\r\n0\r\n\r\n"),
        .chunks("a bare CR behind the size", "5\rXhello\r\n0\r\n\r\n"),
        .chunks("no CRLF behind the data", "5\r\nhello0\r\n\r\n"),
        .chunks("other bytes behind the data", "5\r\nhelloXX0\r\n\r\n"),
        .chunks("a bare LF behind the data", "5\r\nhello\n0\r\n\r\n"),
        .chunks("a bare CR behind the data", "5\r\nhello\rX0\r\n\r\n"),
        .chunks("more data than announced", "3\r\nhello\r\n0\r\n\r\n"),
        .chunks("LF in an extension's name", "5;a\nb\r\nhello\r\n0\r\n\r\n"),
        .chunks("CR in an extension's name", "5;a\rb\r\nhello\r\n0\r\n\r\n"),
        .chunks("LF in an extension's value", "5;a=b\nc\r\nhello\r\n0\r\n\r\n"),
        .chunks("CR in an extension's value", "5;a=b\rc\r\nhello\r\n0\r\n\r\n"),
        .chunks("LF in a quoted extension", "5;a=\"b\nc\"\r\nhello\r\n0\r\n\r\n"),
        .chunks("CR in a quoted extension", "5;a=\"b\rc\"\r\nhello\r\n0\r\n\r\n"),
        .chunks("an escaped LF in a quoted extension", "5;a=\"\\\n\"\r\nhello\r\n0\r\n\r\n"),
        .chunks("NUL in an extension", "5;a=b\0c\r\nhello\r\n0\r\n\r\n"),
        .chunks("an unnamed extension", "5;\r\nhello\r\n0\r\n\r\n"),
        .chunks("extensions of 17 KiB", "5;a=\(String(repeating: "b", count: 17 * 1024))\r\nhello\r\n0\r\n\r\n"),
        .chunks(
            "extensions of 300 bytes on 100 chunks",
            String(repeating: "1;a=\(String(repeating: "b", count: 300))\r\nx\r\n", count: 100) + "0\r\n\r\n"),
        .chunks(
            "a size with 17 KiB of leading zeros", String(repeating: "0", count: 17 * 1024) + "5\r\nhello\r\n0\r\n\r\n"),
        .chunks("a folded trailer", "0\r\nX: a\r\n b\r\n\r\n"),
        .chunks("a space before a trailer's colon", "0\r\nX : a\r\n\r\n"),
        .chunks("an unnamed trailer", "0\r\n: a\r\n\r\n"),
        .chunks("a bare LF in the trailers", "0\r\nX: a\nY: b\r\n\r\n"),
        .chunks("a bare LF as the last line", "0\r\n\n"),
        .chunks("a bare LF behind the trailers", "0\r\nX: a\r\n\n"),
        .chunks("a bare CR as the last line", "0\r\n\rX"),
        .chunks("NUL in a trailer", "0\r\nX: a\0\r\n\r\n"),
        .chunks("a coding in the trailers", "0\r\nTransfer-Encoding: chunked\r\n\r\n"),
        .chunks("trailers of 17 KiB", "0\r\nX: \(String(repeating: "b", count: 17 * 1024))\r\n\r\n", 431),
        .chunks("101 trailers", "0\r\n\(String(repeating: "X: a\r\n", count: 101))\r\n", 431),
    ]

    @Test("H1: a length or coding that could be read in two ways is refused", arguments: badLengths + badCodings)
    func refusesAmbiguousFraming(_ bad: BadRequest) {
        expectRefused(bad)
    }

    @Test("H2: a malformed chunk, extension or trailer is refused", arguments: badChunks)
    func refusesMalformedChunks(_ bad: BadRequest) {
        expectRefused(bad)
    }

    /// Whole and in all splits: the same status, and the request behind it never appears.
    private func expectRefused(_ bad: BadRequest) {
        let bytes = Array((bad.bytes + "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n").utf8)
        let whole = ParserDriver.transcript(bytes, pieces: [])
        #expect(whole.last?.hasPrefix("refused \(bad.status)") == true, "\(whole)")
        #expect(!whole.contains { $0.contains("smuggled") })
        let step = bytes.count > 2000 ? 499 : 1
        for split in stride(from: 1, to: bytes.count, by: step) {
            let parts = ParserDriver.transcript(bytes, pieces: [split, bytes.count])
            #expect(parts.last?.hasPrefix("refused \(bad.status)") == true, "split at \(split): \(parts)")
            #expect(!parts.contains { $0.contains("smuggled") })
        }
    }

    @Test("H1, H2: over a socket the answer comes, the connection closes, and nothing behind it runs")
    func refusesOverASocket() async throws {
        try await TestServer.run { running async throws in
            for bad in Self.badLengths + Self.badCodings + Self.badChunks {
                let text = try await running.exchange(bad.bytes + "GET /v1/things/smuggled HTTP/1.1\r\nHost: a\r\n\r\n")
                let responses = RawResponse.all(in: text ?? "")
                #expect(responses.map(\.status) == [bad.status], "\(bad.what): \(text ?? "no end")")
                #expect(responses.first?["Connection"] == "close", "\(bad.what)")
            }
            #expect(running.record.calls.isEmpty)
        }
    }

    @Test("A body comes out the same by length and in chunks of any size")
    func readsBodies() {
        let expected = Array("hello".utf8)
        for body in [
            "Content-Length: 5\r\n\r\nhello", "Content-Length: 00005\r\n\r\nhello", "Content-Length:5 \r\n\r\nhello",
            "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
            "Transfer-Encoding: CHUNKED \r\n\r\n05\r\nhello\r\n00\r\n\r\n",
            "Transfer-Encoding: chunked\r\n\r\n2;a=b\r\nhe\r\n3\r\nllo\r\n0\r\nX: y\r\nZ:\r\n\r\n",
            "Transfer-Encoding: chunked\r\n\r\n1;a=\"b c\"\r\nh\r\n1\r\ne\r\n3;x\r\nllo\r\n0;last=1\r\n\r\n",
        ] {
            let bytes = Array("POST / HTTP/1.1\r\nHost: a\r\n\(body)GET /2 HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
            for split in 0..<bytes.count {
                let lines = ParserDriver.transcript(bytes, pieces: [split, bytes.count])
                #expect(lines.count == 4, "\(body) at \(split): \(lines)")
                #expect(lines.dropFirst().first == "body \(expected)", "\(body) at \(split)")
                #expect(lines.last == "body []")
            }
            #expect(ParserDriver.transcript(bytes, pieces: [1]) == ParserDriver.transcript(bytes, pieces: []))
        }
    }
}
