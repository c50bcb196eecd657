import Testing

@testable import HTTP

/// RFC 9112 §2, §3, §5: the request line and the header block.
@Suite("Heads")
struct HeadTests {
    static let badHeaders: [BadRequest] = [
        .get("a folded line", "Host: a\r\nX: b\r\n c\r\n"),
        .get("a line folded with a tab", "Host: a\r\nX: b\r\n\tc\r\n"),
        .get("an empty value that is folded", "Host: a\r\nX:\r\n c\r\n"),
        .get("a folded first line", " X: b\r\nHost: a\r\n"),
        .get("a space before the colon", "Host: a\r\nX : b\r\n"),
        .get("a tab before the colon", "Host: a\r\nX\t: b\r\n"),
        .get("a space in the name", "Host: a\r\nX Y: b\r\n"),
        .get("an empty name", "Host: a\r\n: b\r\n"),
        .get("an empty name in the first line", ": b\r\nHost: a\r\n"),
        .get("no colon", "Host: a\r\nX\r\n"),
        .get("a name that is no token", "Host: a\r\nX(1): b\r\n"),
        .get("a name with an umlaut", "Host: a\r\nÄ: b\r\n"),
        .get("NUL in a value", "Host: a\r\nX: b\0c\r\n"),
        .get("NUL in a name", "Host: a\r\nX\0: b\r\n"),
        .get("a control character in a value", "Host: a\r\nX: b\u{1}c\r\n"),
        .get("DEL in a value", "Host: a\r\nX: b\u{7F}c\r\n"),
        .get("a bare CR in a value", "Host: a\r\nX: b\rY: c\r\n"),
        .get("a bare CR before a value", "Host: a\r\nX: \rb\r\n"),
        .get("CR CR LF", "Host: a\r\nX: b\r\r\n"),
        .get("a bare LF behind a value", "Host: a\r\nX: b\nY: c\r\n"),
        .get("a bare LF behind an empty value", "Host: a\r\nX:\n"),
        .get("a bare LF in Connection", "Host: a\r\nConnection: a\nb\r\n"),
        BadRequest(what: "a bare LF as the last line", bytes: "GET / HTTP/1.1\r\nHost: a\r\n\n", status: 400),
        BadRequest(what: "a bare CR as the last line", bytes: "GET / HTTP/1.1\r\nHost: a\r\n\rX", status: 400),
        BadRequest(what: "bare LFs only", bytes: "GET / HTTP/1.1\nHost: a\n\n", status: 400),
        .get("no Host", "X: a\r\n"),
        .get("two Hosts", "Host: a\r\nHost: a\r\n"),
        .get("two Hosts in two cases", "Host: a\r\nhost: b\r\n"),
        .get("a Host with a path", "Host: a/b\r\n"),
        .get("a Host with a user", "Host: u@a\r\n"),
        .get("a Host with a space", "Host: a b\r\n"),
        .get("a Host with a port of letters", "Host: a:b\r\n"),
        .get("a Host with two ports", "Host: a:1:2\r\n"),
        .get("an open bracket in Host", "Host: [::1\r\n"),
    ]

    static let badLines: [BadRequest] = [
        .line("two spaces before the target", "GET  / HTTP/1.1\r\n"),
        .line("two spaces behind the target", "GET /  HTTP/1.1\r\n"),
        .line("a tab before the target", "GET\t/ HTTP/1.1\r\n"),
        .line("a tab behind the target", "GET /\tHTTP/1.1\r\n"),
        .line("a space behind the version", "GET / HTTP/1.1 \r\n"),
        .line("a space before the method", " GET / HTTP/1.1\r\n"),
        .line("two empty lines before it", "\r\n\r\nGET / HTTP/1.1\r\n"),
        .line("a bare LF before it", "\nGET / HTTP/1.1\r\n"),
        .line("a bare CR before it", "\rGET / HTTP/1.1\r\n"),
        .line("a bare LF behind it", "GET / HTTP/1.1\n"),
        .line("a bare CR behind it", "GET / HTTP/1.1\rX\n"),
        .line("a bare CR in the target", "GET /a\rb HTTP/1.1\r\n"),
        .line("HTTP/2.0", "GET / HTTP/2.0\r\n"),
        .line("HTTP/0.9", "GET / HTTP/0.9\r\n"),
        .line("HTTP/1.2", "GET / HTTP/1.2\r\n"),
        .line("HTTP/1.10", "GET / HTTP/1.10\r\n"),
        .line("HTTP/11.1", "GET / HTTP/11.1\r\n"),
        .line("a lower-case protocol", "GET / http/1.1\r\n"),
        .line("another protocol", "GET / RTSP/1.0\r\n"),
        .line("ICE", "GET / ICE/1.0\r\n"),
        .line("no version", "GET /\r\n"),
        .line("no target", "GET HTTP/1.1\r\n"),
        .line("nothing but a method", "GET\r\n"),
        BadRequest(what: "the preface of HTTP/2", bytes: "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", status: 400),
        BadRequest(what: "a TLS hello", bytes: "\u{16}\u{3}\u{1}\u{0}\u{5}", status: 400),
        .line("a method that is no token", "G(T / HTTP/1.1\r\n"),
        .line("a lower-case method", "get / HTTP/1.1\r\n", 501),
        .line("an unknown method", "BREW /pot HTTP/1.1\r\n", 501),
        .line("a method that begins like another", "GETX / HTTP/1.1\r\n", 501),
        .line("a method of WebDAV", "PROPFIND / HTTP/1.1\r\n", 501),
        .line("a method of RTSP", "DESCRIBE / HTTP/1.1\r\n", 501),
        .line("CONNECT", "CONNECT a:1 HTTP/1.1\r\n", 405),
        .line("the asterisk for GET", "GET * HTTP/1.1\r\n"),
        .line("a target that is no path", "GET foo HTTP/1.1\r\n"),
        .line("another scheme", "GET ftp://a/b HTTP/1.1\r\n"),
        .line("an authority with a user", "GET http://u@a/ HTTP/1.1\r\n"),
        .line("no authority", "GET http:///a HTTP/1.1\r\n"),
        .line("a fragment", "GET /a#b HTTP/1.1\r\n"),
        .line("NUL in the target", "GET /\0 HTTP/1.1\r\n"),
        .line("bytes above ASCII in the target", "GET /ä HTTP/1.1\r\n"),
        .line("half a percent-encoding", "GET /a%2 HTTP/1.1\r\n"),
        .line("a percent-encoding without digits", "GET /a%zz HTTP/1.1\r\n"),
        .line("a lone percent at the end", "GET /a% HTTP/1.1\r\n"),
        .line("a path that is no UTF-8", "GET /%ff HTTP/1.1\r\n"),
        .line("a surrogate in UTF-8", "GET /%ed%a0%80 HTTP/1.1\r\n"),
        .line("a malformed query", "GET /a?b=%4 HTTP/1.1\r\n"),
        .line("a query that is no UTF-8", "GET /a?%c3=1 HTTP/1.1\r\n"),
    ]

    @Test("H3: a malformed header block is refused, whatever pieces it comes in", arguments: badHeaders)
    func refusesMalformedHeaders(_ bad: BadRequest) { expectRefused(bad) }

    @Test("A malformed request line is refused, whatever pieces it comes in", arguments: badLines)
    func refusesMalformedLines(_ bad: BadRequest) { expectRefused(bad) }

    private func expectRefused(_ bad: BadRequest) {
        let bytes = Array((bad.bytes + "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n").utf8)
        for split in 0..<bytes.count {
            let lines = ParserDriver.transcript(bytes, pieces: [split, bytes.count])
            #expect(lines.last?.hasPrefix("refused \(bad.status)") == true, "split at \(split): \(lines)")
            #expect(!lines.contains { $0.contains("smuggled") })
        }
    }

    @Test("H3: over a socket the answer comes, the connection closes, and nothing behind it runs")
    func refusesOverASocket() async throws {
        try await TestServer.run { running async throws in
            for bad in Self.badHeaders + Self.badLines {
                let text = try await running.exchange(bad.bytes + "GET /v1/things/smuggled HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(
                    RawResponse.all(in: text ?? "").map(\.status) == [bad.status], "\(bad.what): \(text ?? "no end")")
            }
            #expect(running.record.calls.isEmpty)
        }
    }

    @Test("What is unusual but allowed is understood")
    func acceptsTheUnusual() {
        let cases: [(String, String)] = [
            ("GET / HTTP/1.1\r\nHost:\r\n\r\n", #"[""] [] ["Host: "]"#),
            ("GET / HTTP/1.1\r\nHost: [::1]:80\r\n\r\n", #"[""] [] ["Host: [::1]:80"]"#),
            ("\r\nGET /a HTTP/1.1\r\nHost: a\r\n\r\n", #"["a"] [] ["Host: a"]"#),
            (
                "GET /a HTTP/1.1\r\nHost: a\r\nX:\r\nY:   b \t c \t\r\nZ: ü\r\n\r\n",
                #"["a"] [] ["Host: a", "X: ", "Y: b \t c", "Z: ü"]"#
            ),
            ("GET http://b.example:8080/c/d?e=f HTTP/1.1\r\nHost: a\r\n\r\n", #"["c", "d"] ["e=f"] ["Host: a"]"#),
            ("GET HTTPS://b?e HTTP/1.1\r\nHost: a\r\n\r\n", #"[""] ["e="] ["Host: a"]"#),
            ("GET /a/../b//c/ HTTP/1.1\r\nHost: a\r\n\r\n", #"["a", "..", "b", "", "c", ""] [] ["Host: a"]"#),
            ("GET /a%2Fb/%C3%BC%20 HTTP/1.1\r\nHost: a\r\n\r\n", #"["a/b", "ü "] [] ["Host: a"]"#),
            (
                "GET /?a=1&b&a=2&&c=%26+%2B&=x HTTP/1.1\r\nHost: a\r\n\r\n",
                #"[""] ["a=1", "b=", "a=2", "c=& +", "=x"] ["Host: a"]"#
            ),
        ]
        for (text, expected) in cases {
            let bytes = Array(text.utf8)
            for split in 0..<bytes.count {
                let lines = ParserDriver.transcript(bytes, pieces: [split, bytes.count])
                #expect(lines.first == "head GET \(expected) id - keep true body false", "split at \(split)")
                #expect(lines.count == 2)
            }
        }
    }

    @Test("A request keeps the connection as its version and its Connection field say")
    func knowsWhetherToGoOn() {
        let cases: [(String, Bool)] = [
            ("HTTP/1.1\r\nHost: a\r\n", true), ("HTTP/1.1\r\nHost: a\r\nConnection: close\r\n", false),
            ("HTTP/1.1\r\nHost: a\r\nConnection: foo, Close\r\n", false),
            ("HTTP/1.1\r\nHost: a\r\nConnection: notclose\r\n", true),
            ("HTTP/1.0\r\n", false), ("HTTP/1.0\r\nConnection: keep-alive\r\n", true),
        ]
        for (rest, keeps) in cases {
            let lines = ParserDriver.transcript("GET / \(rest)\r\n")
            #expect(lines.first?.contains("keep \(keeps) ") == true, "\(rest)")
        }
    }

    @Test("An offer to upgrade is ignored: the request is an ordinary one, and so is the next")
    func ignoresUpgrades() {
        let upgrade = "Host: a\r\nUpgrade: websocket\r\nConnection: upgrade\r\n"
        let text =
            "GET / HTTP/1.1\r\n\(upgrade)\r\nPOST / HTTP/1.1\r\n\(upgrade)Content-Length: 2\r\n\r\nhi"
            + "GET /2 HTTP/1.1\r\nHost: a\r\n\r\n"
        let lines = ParserDriver.transcript(text)
        #expect(lines.count == 6)
        #expect(lines.dropFirst(3).first == "body [104, 105]")
        #expect(lines.dropFirst(4).first?.hasPrefix(#"head GET ["2"]"#) == true)
    }
}
