import EventLoops
import HTTP

/// The routes that the tests' server answers, and a table of an API that is larger than that.
enum TestAPI {
    static var loopback: SocketAddress {
        get throws {
            guard let address = SocketAddress(ip: "127.0.0.1", port: 0) else {
                throw RawClient.Failure(call: "address")
            }
            return address
        }
    }

    static let table: [(path: String, methods: [HTTPMethod])] = [
        ("/v1/things", [.get, .post]),
        ("/v1/things/{id}", [.get, .put, .delete]),
        ("/v1/things/summary", [.get]),
        ("/v1/elsewhere", [.get, .delete]),
    ]

    /// A refusal as a small JSON document, so that a test sees which it was.
    static let render: HTTPRefusalRenderer = { refusal, id in
        HTTPResponse(
            status: refusal.status, contentType: "application/problem+json",
            body: Array(#"{"status":\#(refusal.status.code),"instance":"\#(id)"}"#.utf8))
    }

    static func router(loop: EventLoop, record: Record, amend: HTTPRouter.Amendment? = nil) -> HTTPRouter {
        HTTPRouter(api: table, routes: routes(loop: loop, record: record), refusals: render, amend: amend)
    }

    static func routes(loop: EventLoop?, record: Record) -> [HTTPRoute] {
        [
            HTTPRoute(.get, "/v1/things") { request, _ in
                record.note(request)
                return text("list")
            },
            HTTPRoute(
                .post, "/v1/things", takesJSON: true,
                beforeBody: { $0.headers["authorization"] == nil ? HTTPResponse(status: 401) : nil }
            ) { request, _ in
                record.note(request)
                return HTTPResponse(status: 201, contentType: "application/json", body: request.body)
            },
            HTTPRoute(.get, "/v1/things/{id}") { request, parameters in
                record.note(request)
                return text("thing \(parameters["id"] ?? "-")")
            },
            HTTPRoute(.delete, "/v1/things/{id}") { request, _ in
                record.note(request)
                return HTTPResponse(status: 204, body: Array("never sent".utf8))
            },
            HTTPRoute(.get, "/v1/things/summary") { request, _ in
                record.note(request)
                return text("summary")
            },
            HTTPRoute(.get, "/slow") { request, _ in
                record.note(request)
                try? await loop?.sleep(for: .milliseconds(Int(request.query["ms"] ?? "") ?? 200))
                return text("slow")
            },
            HTTPRoute(.get, "/held") { request, _ in
                record.note(request)
                while !record.isReleased { try? await loop?.sleep(for: .milliseconds(5)) }
                return text("held")
            },
            HTTPRoute(.get, "/big", produces: .type("text/plain")) { request, _ in
                record.note(request)
                let count = Int(request.query["bytes"] ?? "") ?? 0
                return HTTPResponse(status: 200, body: [UInt8](repeating: 0x62, count: count))
            },
            HTTPRoute(.get, "/stream", produces: .type("text/plain")) { request, _ in
                record.note(request)
                func number(_ name: String) -> Int { Int(request.query[name] ?? "") ?? 0 }
                let (pieces, bytes, failsAt) = (number("pieces"), number("bytes"), number("fails"))
                return HTTPResponse(
                    status: 200, headers: [HTTPField("Content-Type", "text/plain")],
                    stream: HTTPBodyStream {
                        let made = record.notePiece()
                        if made == failsAt { return .failure }
                        return made > pieces ? .end : .bytes([UInt8](repeating: 0x61, count: bytes))
                    })
            },
            HTTPRoute(.get, "/reflect", produces: .type("text/plain")) { request, _ in
                record.note(request)
                return HTTPResponse(
                    status: 200, headers: [HTTPField("X-Reflected", request.query["value"] ?? "")])
            },
            HTTPRoute(.get, "/unchanged") { request, _ in
                record.note(request)
                return HTTPResponse(status: 304, headers: [HTTPField("ETag", "\"1\"")])
            },
            HTTPRoute(.get, "/metrics", produces: .type("text/plain")) { request, _ in
                record.note(request)
                return HTTPResponse(status: 200, contentType: "text/plain", body: Array("1".utf8))
            },
        ]
    }

    private static func text(_ text: String) -> HTTPResponse {
        HTTPResponse(status: 200, contentType: "application/json", body: Array("\"\(text)\"".utf8))
    }
}
