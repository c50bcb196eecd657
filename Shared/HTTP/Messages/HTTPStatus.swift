/// A response's status code (RFC 9110 §15).
///
/// A struct, not an enum, so that a service may send any code; the phrase is for people only.
package struct HTTPStatus: Hashable, Sendable, ExpressibleByIntegerLiteral, CustomStringConvertible {
    /// Three digits, 100 … 999.
    package let code: Int

    /// A status from its code; what is no three-digit number becomes 500, because it could not be written.
    package init(code: Int) {
        self.code = (100...999).contains(code) ? code : 500
    }

    /// A status from its code; what is no three-digit number becomes 500.
    package init(integerLiteral code: Int) {
        self.init(code: code)
    }

    /// The code in digits.
    package var description: String { String(code) }

    /// Whether a response with this status ends after its head whatever the request was (RFC 9112 §6.3).
    var isWithoutContent: Bool { code < 200 || code == 204 || code == 304 }

    /// The phrase of the status line; empty for codes that this table does not list, which RFC 9112 §4 allows.
    package var reasonPhrase: String {
        switch code {
        case 100: "Continue"
        case 200: "OK"
        case 201: "Created"
        case 202: "Accepted"
        case 204: "No Content"
        case 304: "Not Modified"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 406: "Not Acceptable"
        case 408: "Request Timeout"
        case 409: "Conflict"
        case 410: "Gone"
        case 412: "Precondition Failed"
        case 413: "Content Too Large"
        case 414: "URI Too Long"
        case 415: "Unsupported Media Type"
        case 417: "Expectation Failed"
        case 422: "Unprocessable Content"
        case 429: "Too Many Requests"
        case 431: "Request Header Fields Too Large"
        case 500: "Internal Server Error"
        case 501: "Not Implemented"
        case 503: "Service Unavailable"
        default: ""
        }
    }
}
