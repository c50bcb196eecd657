import Testing

/// Requests that must be refused, each as the bytes of one request; the tests put a second one behind them.
struct BadRequest: Sendable, CustomTestStringConvertible {
    var what: String
    var bytes: String
    var status: Int

    var testDescription: String { what }

    static func post(_ what: String, _ headers: String, _ body: String = "hello", _ status: Int = 400) -> BadRequest {
        BadRequest(what: what, bytes: "POST /v1/things HTTP/1.1\r\nHost: a\r\n\(headers)\r\n\(body)", status: status)
    }

    static func chunks(_ what: String, _ body: String, _ status: Int = 400) -> BadRequest {
        post(what, "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n", body, status)
    }

    static func get(_ what: String, _ headers: String, _ status: Int = 400) -> BadRequest {
        BadRequest(what: what, bytes: "GET /v1/things HTTP/1.1\r\n\(headers)\r\n", status: status)
    }

    static func line(_ what: String, _ line: String, _ status: Int = 400) -> BadRequest {
        BadRequest(what: what, bytes: "\(line)Host: a\r\n\r\n", status: status)
    }
}
