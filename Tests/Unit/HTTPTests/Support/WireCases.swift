import Testing

/// Bytes as they stand on the wire, and what must become of them and of the request behind them.
struct WireCase: Sendable, CustomTestStringConvertible {
    enum Verdict: Sendable {
        /// This answer is the last one, and no handler runs.
        case refused(Int)
        /// These requests run with these bodies, then the one behind.
        case runs([String], bodies: [String])
        /// This request runs, and the connection ends with its answer.
        case ends(String, body: String)
    }

    var what: String
    var bytes: [UInt8]
    var verdict: Verdict

    var testDescription: String { what }

    static func refused(_ what: String, _ text: String, _ status: Int = 400) -> WireCase {
        WireCase(what: what, bytes: Array(text.utf8), verdict: .refused(status))
    }

    static func runs(_ what: String, _ text: String, _ calls: [String], _ bodies: [String] = [""]) -> WireCase {
        WireCase(what: what, bytes: Array(text.utf8), verdict: .runs(calls, bodies: bodies))
    }

    static func ends(_ what: String, _ text: String, _ call: String, _ body: String = "") -> WireCase {
        WireCase(what: what, bytes: Array(text.utf8), verdict: .ends(call, body: body))
    }

    /// A POST with a JSON body of five bytes.
    static func posts(_ what: String, _ fields: String, _ body: String = "[1,2]") -> WireCase {
        runs(what, post(fields, body), ["POST /v1/things"], ["[1,2]"])
    }

    static func badPost(_ what: String, _ fields: String, _ body: String = "[1,2]", _ status: Int = 400) -> WireCase {
        refused(what, post(fields, body), status)
    }

    static func badChunks(_ what: String, _ body: String, _ status: Int = 400) -> WireCase {
        refused(what, post("Transfer-Encoding: chunked\r\n", body), status)
    }

    static func post(_ fields: String, _ body: String) -> String {
        "POST /v1/things HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n\(fields)\r\n\(body)"
    }

    static func get(_ fields: String, _ line: String = "GET /v1/things HTTP/1.1") -> String {
        "\(line)\r\n\(fields)\r\n"
    }

    /// The request behind each case.
    static let behind = Array("GET /v1/things/behind HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".utf8)

    static let all = lengths + codings + chunks + fields + lines + connections
}
