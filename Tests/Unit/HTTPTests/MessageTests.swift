import Testing

@testable import HTTP

@Suite("Messages")
struct MessageTests {
    private func written(
        _ response: HTTPResponse, isHead: Bool = false, connection: HTTPResponse.ConnectionNote = .none
    ) -> String {
        String(
            decoding: response.written(
                requestID: "id", dateLine: Array("Date: D\r\n".utf8), isHead: isHead, connection: connection),
            as: UTF8.self)
    }

    @Test("A response is written with its framing, and only with its own")
    func writesResponses() {
        let body = Array("{}".utf8)
        #expect(
            written(HTTPResponse(status: 201, contentType: "application/json", body: body))
                == "HTTP/1.1 201 Created\r\nDate: D\r\nContent-Type: application/json\r\nX-Request-Id: id\r\n"
                + "Content-Length: 2\r\n\r\n{}")
        #expect(
            written(HTTPResponse(status: 200), connection: .close)
                == "HTTP/1.1 200 OK\r\nDate: D\r\nX-Request-Id: id\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
        #expect(
            written(HTTPResponse(status: 200, body: body), isHead: true, connection: .keepAlive)
                == "HTTP/1.1 200 OK\r\nDate: D\r\nX-Request-Id: id\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\n"
        )
        #expect(
            written(HTTPResponse(status: 204, body: body))
                == "HTTP/1.1 204 No Content\r\nDate: D\r\nX-Request-Id: id\r\n\r\n")
        #expect(written(HTTPResponse(status: 304, body: body)).hasSuffix("X-Request-Id: id\r\n\r\n"))
        #expect(written(HTTPResponse(status: 799)).hasPrefix("HTTP/1.1 799 \r\n"))
        #expect(
            written(HTTPResponse(status: HTTPStatus(code: 70_000))).hasPrefix("HTTP/1.1 500 Internal Server Error\r\n"))
    }

    @Test(
        "Fields that frame a message are the server's alone",
        arguments: [
            "Content-Length", "content-length", "Transfer-Encoding", "Connection", "Keep-Alive", "Date", "X-Request-Id",
            "Upgrade", "Trailer", "", "a b", "a:b", "a\r\nb", "ä", "a\0",
        ])
    func dropsForeignFraming(_ name: String) {
        let plain = written(HTTPResponse(status: 200))
        #expect(written(HTTPResponse(status: 200, headers: [HTTPField(name, "7")])) == plain)
    }

    @Test(
        "H9: CR, LF, NUL and other control characters of a value are written as spaces",
        arguments: [
            ("a\r\nSet-Cookie: b", "a  Set-Cookie: b"), ("a\nb", "a b"), ("a\rb", "a b"), ("a\0b", "a b"),
            ("a\u{1F}\u{7F}b", "a  b"), ("\r\n\r\nHTTP/1.1 200 OK", "    HTTP/1.1 200 OK"), ("ü", "ü"), ("", ""),
        ])
    func cannotSplitResponses(_ value: String, _ expected: String) {
        let text = written(HTTPResponse(status: 200, headers: [HTTPField("Location", value)]))
        #expect(text.contains("\r\nLocation: \(expected)\r\n"))
        #expect(text.split(separator: "\r\n", omittingEmptySubsequences: false).count == 7)
    }

    @Test("H9: nothing a client sends ends a header line, over a socket")
    func reflectsNoLineEnds() async throws {
        try await TestServer.run { running async throws in
            for value in ["a%0d%0aSet-Cookie:%20b", "a%0aSet-Cookie:%20b", "a%0dSet-Cookie:%20b", "a%00b"] {
                let text = try await running.exchange(
                    "GET /reflect?value=\(value) HTTP/1.1\r\nHost: a\r\nX-Request-Id: a b\r\nConnection: close\r\n\r\n")
                let response = RawResponse.all(in: text ?? "").first
                #expect(response?.status == 200)
                #expect(response?["Set-Cookie"] == nil)
                #expect(response?["X-Reflected"]?.hasPrefix("a ") == true)
                #expect(text?.utf8.contains(0) == false)
            }
        }
    }

    @Test(
        "X-Request-Id is echoed if it is 1 to 64 visible ASCII characters, else made",
        arguments: [
            ("abc", true), ("!~", true), (String(repeating: "x", count: 64), true),
            (String(repeating: "x", count: 65), false),
            ("", false), ("a b", false), ("ü", false), ("a\tb", false),
        ])
    func echoesRequestIDs(_ sent: String, _ isEchoed: Bool) throws {
        let request = try HTTPRequest.make(.get, "/", headers: [("X-Request-Id", sent)])
        #expect((request.id == sent) == isEchoed)
        #expect((1...64).contains(request.id.utf8.count))
    }

    @Test("Also a request that is refused has its id in the answer once its headers are read")
    func echoesRequestIDsInRefusals() async throws {
        try await TestServer.run { running async throws in
            for text in [
                "GET /a%zz HTTP/1.1\r\nHost: a\r\nX-Request-Id: mine\r\n\r\n",
                "GET / HTTP/1.1\r\nX-Request-Id: mine\r\n\r\n",
                "POST / HTTP/1.1\r\nHost: a\r\nX-Request-Id: mine\r\nContent-Length: 9999999\r\n\r\n",
                "POST / HTTP/1.1\r\nHost: a\r\nX-Request-Id: mine\r\nTransfer-Encoding: chunked\r\n\r\nG",
                "GET /nowhere HTTP/1.1\r\nHost: a\r\nX-Request-Id: mine\r\nConnection: close\r\n\r\n",
            ] {
                let response = try await running.responses(to: text).first
                #expect(response?["X-Request-Id"] == "mine")
                #expect(response?.body.contains(#""instance":"mine""#) == true)
            }
        }
    }

    @Test("Made ids are 15 hexadecimal digits and differ")
    func makesRequestIDs() {
        var ids = RequestIDs()
        let made = (0..<10_000).map { _ in ids.next() }
        #expect(Set(made).count == 10_000)
        #expect(made.allSatisfy { $0.utf8.count == 15 && $0.allSatisfy(\.isHexDigit) })
        var others = RequestIDs()
        #expect(others.next() != made.first)
    }

    @Test(
        "traceparent is passed on only if it is well-formed",
        arguments: [
            ("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", true),
            ("cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-what", true),
            ("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-what", false),
            ("cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01.what", false),
            ("ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", false),
            ("00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01", false),
            ("00-00000000000000000000000000000000-00f067aa0ba902b7-01", false),
            ("00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01", false),
            ("00-4bf92f3577b34da6a3ce929d0e0e473-00f067aa0ba902b7-01", false),
            ("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0", false),
            ("00_4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", false), ("", false),
        ])
    func checksTraceparent(_ value: String, _ isWellFormed: Bool) throws {
        let request = try HTTPRequest.make(.get, "/", headers: [("traceparent", value)])
        #expect(request.traceparent == (isWellFormed ? value : nil))
    }

    @Test(
        "Dates are IMF-fixdate",
        arguments: [
            (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
            (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"), (951_868_799, "Tue, 29 Feb 2000 23:59:59 GMT"),
            (951_868_800, "Wed, 01 Mar 2000 00:00:00 GMT"), (1_764_547_199, "Sun, 30 Nov 2025 23:59:59 GMT"),
            (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"), (-1, "Wed, 31 Dec 1969 23:59:59 GMT"),
        ])
    func formatsDates(_ second: Int64, _ expected: String) {
        #expect(HTTPDate.text(second) == expected)
        var date = HTTPDate()
        #expect(date.line(at: second) == Array("Date: \(expected)\r\n".utf8))
        #expect(date.line(at: second + 1) != date.line(at: second))
    }

    @Test("Header look-up ignores case, keeps order, and tells one name from its neighbours")
    func looksUpHeaders() throws {
        let request = try HTTPRequest.make(
            .get, "/", headers: [("X-A", "1"), ("x-a", "2"), ("X-AB", "3"), ("X^", "4"), ("X~", "5")])
        #expect(request.headers["x-A"] == "1")
        #expect(request.headers.values(of: "X-a").map { String(decoding: $0, as: UTF8.self) } == ["1", "2"])
        #expect(request.headers.count(of: "x-ab") == 1)
        #expect(request.headers["x~"] == "5")
        #expect(request.headers["absent"] == nil)
        #expect(request.headers.count == 6)
    }

    @Test("A query gives first and all values, and an absent one nothing")
    func looksUpQueries() throws {
        let query = try HTTPRequest.make(.get, "/?a=1&b=&a=2&c").query
        #expect(query["a"] == "1" && query["b"] == "" && query["c"] == "" && query["d"] == nil)
        #expect(query.values(of: "a") == ["1", "2"])
        #expect(try HTTPRequest.make(.get, "/").query.items.isEmpty)
        #expect(try HTTPRequest.make(.get, "/?").query.items.isEmpty)
    }
}
