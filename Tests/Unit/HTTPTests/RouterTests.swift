import Testing

@testable import HTTP

/// H6 in-process: what a request gets on every path, without a socket.
@Suite("Routing")
struct RouterTests {
    private let record = Record()
    private var router: HTTPRouter {
        HTTPRouter(
            api: TestAPI.table, routes: TestAPI.routes(loop: nil, record: record), refusals: TestAPI.render)
    }

    private func respond(
        _ method: HTTPMethod, _ target: String, _ headers: [(String, String)] = [], body: String = ""
    ) async throws -> HTTPResponse {
        await router.respond(to: try HTTPRequest.make(method, target, headers: headers, body: Array(body.utf8)))
    }

    private func text(_ response: HTTPResponse) -> String {
        switch response.body {
        case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
        case .stream: "a stream"
        }
    }

    @Test("H6: Allow names what the whole API takes on a path, whichever service answers")
    func saysWhatIsAllowed() async throws {
        let cases: [(String, String)] = [
            ("/v1/things", "GET, HEAD, POST, OPTIONS"),
            ("/v1/things/7", "GET, HEAD, PUT, DELETE, OPTIONS"),
            ("/v1/things/summary", "GET, HEAD, OPTIONS"),
            ("/v1/elsewhere", "GET, HEAD, DELETE, OPTIONS"),
            ("/slow", "GET, HEAD, OPTIONS"),
        ]
        for (path, allow) in cases {
            for method in [HTTPMethod.patch, .trace] {
                let refused = try await respond(method, path)
                #expect(refused.status == 405)
                #expect(refused["allow"] == allow)
            }
            let options = try await respond(.options, path)
            #expect(options.status == 204)
            #expect(options["Allow"] == allow)
            #expect(options.body.count == 0)
        }
        // A method that only another service answers is 405 here, and the list still names it.
        let elsewhere = try await respond(.get, "/v1/elsewhere")
        #expect(elsewhere.status == 405)
        #expect(elsewhere["Allow"] == "GET, HEAD, DELETE, OPTIONS")
        #expect(record.calls.isEmpty)
    }

    @Test("H6: OPTIONS * names what any path takes")
    func answersTheAsterisk() async throws {
        let response = try await respond(.options, "*")
        #expect(response.status == 204)
        #expect(response["Allow"] == "GET, HEAD, POST, PUT, DELETE, OPTIONS")
    }

    @Test(
        "H6: an unknown path is 404 for every method",
        arguments: [
            "/", "/v1", "/v1/", "/v1/things/", "/v1/things/7/8", "/V1/things", "/v1//things", "/v1/elsewhere/..",
            "/v1/things%2F7", "/v1/things/7/",
        ])
    func knowsNoOtherPath(_ path: String) async throws {
        for method in [HTTPMethod.get, .post, .put, .delete, .options, .head, .patch] {
            #expect(try await respond(method, path).status == 404)
        }
    }

    @Test("A literal beats a parameter, and a parameter takes anything else")
    func prefersLiterals() async throws {
        #expect(text(try await respond(.get, "/v1/things/summary")) == "\"summary\"")
        #expect(text(try await respond(.get, "/v1/things/7")) == "\"thing 7\"")
        #expect(text(try await respond(.get, "/v1/things/summar%79")) == "\"summary\"")
        #expect(text(try await respond(.get, "/v1/things/a%2Fb%20%C3%BC")) == "\"thing a/b ü\"")
        #expect(text(try await respond(.get, "/v1/things/..")) == "\"thing ..\"")
        #expect(text(try await respond(.get, "/%76%31/things/9")) == "\"thing 9\"")
    }

    @Test("If what follows a literal leads nowhere, the parameter is tried")
    func triesTheParameterToo() async throws {
        let router = HTTPRouter(
            routes: ["/a/b/c", "/a/{x}/d", "/{y}/b/{z}"].map { template in
                HTTPRoute(.get, template) { _, parameters in
                    let values = ["x", "y", "z"].map { parameters[$0] ?? "-" }.joined(separator: ",")
                    return HTTPResponse(status: 200, body: Array("\(template) \(values)".utf8))
                }
            }, refusals: TestAPI.render)
        for (path, expected) in [
            ("/a/b/c", "/a/b/c -,-,-"), ("/a/b/d", "/a/{x}/d b,-,-"), ("/a/b/e", "/{y}/b/{z} -,a,e"),
            ("/q/b/c", "/{y}/b/{z} -,q,c"),
        ] {
            #expect(text(await router.respond(to: try HTTPRequest.make(.get, path))) == expected)
        }
        #expect(await router.respond(to: try HTTPRequest.make(.get, "/a/q/c")).status == 404)
    }

    @Test("H6: HEAD is answered by GET's handler, and not where there is no GET")
    func fallsBackToGet() async throws {
        #expect(try await respond(.head, "/v1/things").status == 200)
        #expect(record.calls == ["HEAD /v1/things"])
        let router = HTTPRouter(
            routes: [HTTPRoute(.put, "/only") { _, _ in HTTPResponse(status: 200) }], refusals: TestAPI.render)
        let response = await router.respond(to: try HTTPRequest.make(.head, "/only"))
        #expect(response.status == 405)
        #expect(response["Allow"] == "PUT, OPTIONS")
    }

    @Test(
        "H6: a JSON route takes application/json with any parameters and nothing else",
        arguments: [
            ("application/json", 201), ("application/json; charset=utf-8", 201), ("Application/JSON ;x=y", 201),
            ("application/vnd.a+json", 415), ("text/plain", 415), ("application/jsonx", 415), ("", 415),
            ("application/json, text/plain", 415), ("*/*", 415),
        ])
    func checksTheContentType(_ type: String, _ status: Int) async throws {
        let response = try await respond(.post, "/v1/things", [("Content-Type", type)], body: "{}")
        #expect(response.status.code == status)
    }

    @Test("H6: no Content-Type, two of them, or an encoded body are 415")
    func checksTheBodysFields() async throws {
        let json = ("Content-Type", "application/json")
        #expect(try await respond(.post, "/v1/things", [], body: "{}").status == 415)
        #expect(try await respond(.post, "/v1/things").status == 415)
        #expect(try await respond(.post, "/v1/things", [json, json], body: "{}").status == 415)
        #expect(try await respond(.post, "/v1/things", [json, ("Content-Encoding", "gzip")], body: "{}").status == 415)
        #expect(
            try await respond(.post, "/v1/things", [json, ("Content-Encoding", "identity")], body: "{}").status == 201)
        // A route that takes no JSON does not mind.
        #expect(try await respond(.get, "/v1/things", [("Content-Type", "text/plain")]).status == 200)
    }

    @Test(
        "H6: Accept that excludes JSON and problems is 406",
        arguments: [
            ("application/json", 200), ("*/*", 200), ("application/*", 200), ("APPLICATION/JSON", 200), ("", 200),
            ("text/html, application/xhtml+xml, */*;q=0.8", 200), ("application/problem+json", 200),
            ("text/html", 406), ("text/*", 406), ("application/xml", 406), ("application/json;q=0", 406),
            ("application/json;q=0, */*", 200), ("application/json;q=0, application/problem+json;q=0.000, */*", 406),
            ("*/*;q=0", 406), ("application/*;q=0, */*", 406), ("*/*;q=0, application/json;q=0.001", 200),
            ("text/html;q=1, application/json ; q=0.5", 200), ("garbage", 406), (", ,", 200),
        ])
    func checksAccept(_ accept: String, _ status: Int) async throws {
        #expect(try await respond(.get, "/v1/things", [("Accept", accept)]).status.code == status)
        #expect(try await respond(.head, "/v1/things/7", [("Accept", accept)]).status.code == status)
    }

    @Test("Accept in several fields counts as one, and a route that answers in text is asked for text")
    func readsAcceptAsAWhole() async throws {
        #expect(
            try await respond(.get, "/v1/things", [("Accept", "text/html"), ("Accept", "application/json")]).status
                == 200)
        #expect(try await respond(.get, "/metrics", [("Accept", "text/plain;version=0.0.4")]).status == 200)
        #expect(try await respond(.get, "/metrics", [("Accept", "image/png")]).status == 406)
    }

    @Test("H6: a method nobody knows is 501 on every path, known or not")
    func refusesUnknownMethods() async throws {
        for path in ["/v1/things", "/nowhere"] {
            #expect(throws: HTTPRefusal.notImplemented) { try HTTPRequest.make(.other("BREW"), path) }
        }
    }

    @Test("Every answer passes through the amendment, refusals included")
    func amendsEveryAnswer() async throws {
        let router = HTTPRouter(
            api: TestAPI.table, routes: TestAPI.routes(loop: nil, record: record), refusals: TestAPI.render,
            amend: { response, head in response.set("X-Origin", head?.headers["origin"] ?? "none") })
        for (method, path) in [
            (HTTPMethod.get, "/v1/things"), (.options, "/v1/things"), (.get, "/nowhere"), (.patch, "/v1/things"),
        ] {
            let request = try HTTPRequest.make(method, path, headers: [("Origin", "https://a")])
            #expect(await router.respond(to: request)["x-origin"] == "https://a")
        }
    }
}
