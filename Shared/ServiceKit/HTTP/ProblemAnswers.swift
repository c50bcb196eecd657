package import HTTP
package import Models

extension HTTPResponse {
    /// A problem document (RFC 9457) with the headers that belong to its code.
    package static func problem(_ problem: Problem) -> HTTPResponse {
        var response = HTTPResponse(
            status: HTTPStatus(code: problem.status), contentType: "application/problem+json",
            body: problem.encode())
        response.refusalReason = problem.reason?.rawValue
        if let seconds = problem.retryAfterSeconds { response.set("Retry-After", String(seconds)) }
        if problem.code == .unauthenticated { response.set("WWW-Authenticate", "Bearer realm=\"stride\"") }
        return response
    }

    /// A JSON document.
    package static func json(_ status: HTTPStatus, _ body: [UInt8]) -> HTTPResponse {
        HTTPResponse(status: status, contentType: "application/json", body: body)
    }
}

/// Turns what the HTTP layer refuses by itself into problems.
package enum RefusalAnswers {
    /// The renderer that every listener of the project uses.
    package static let render: HTTPRefusalRenderer = { refusal, requestID in
        .problem(
            Problem(
                code(of: refusal), detail: detail(of: refusal), instance: requestID,
                reason: refusal == .requestTimeout ? .overload : nil,
                retryAfterMilliseconds: refusal == .requestTimeout ? Jitter.spread(.seconds(1)) : nil))
    }

    private static func code(of refusal: HTTPRefusal) -> ProblemCode {
        switch refusal {
        case .malformed, .expectationFailed: .invalidRequest
        // Nothing is wrong with what a slow phone sends: it keeps its queue and tries again.
        case .requestTimeout: .tryAgainLater
        case .notFound: .notFound
        case .methodNotAllowed: .methodNotAllowed
        case .notImplemented: .notImplemented
        case .notAcceptable: .notAcceptable
        case .unsupportedMediaType: .unsupportedMediaType
        case .payloadTooLarge: .payloadTooLarge
        case .uriTooLong: .uriTooLong
        case .headersTooLarge: .headersTooLarge
        }
    }

    private static func detail(of refusal: HTTPRefusal) -> String {
        switch refusal {
        case .malformed(let detail): detail
        case .notFound: "There is no such path."
        case .methodNotAllowed(let allow): "On this path the API takes \(allow)."
        case .notImplemented: "The method or transfer coding is not known here."
        case .notAcceptable: "Answers are application/json; the Accept field excludes it."
        case .unsupportedMediaType: "The body must be application/json."
        case .payloadTooLarge: "The body is larger than 1 MiB."
        case .uriTooLong: "The request line is longer than 8 KiB."
        case .headersTooLarge: "The header fields are larger than 16 KiB or more than 100."
        case .expectationFailed: "The only expectation known here is 100-continue."
        case .requestTimeout: "The request did not arrive in time."
        }
    }
}
