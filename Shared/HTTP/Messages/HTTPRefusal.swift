/// A request that the HTTP layer itself turns away, before any handler sees it.
///
/// Closed on purpose: the layer above makes the problem document out of it and has to decide every case. `detail` never
/// contains anything the client sent.
package enum HTTPRefusal: Error, Hashable, Sendable {
    /// 400: the bytes are no HTTP/1.1 request. The connection closes after the answer.
    case malformed(detail: String)
    /// 404: no path of the whole API matches.
    case notFound
    /// 405: `allow` is the value of the `Allow` field (RFC 9110 §10.2.1); the server adds that field itself.
    case methodNotAllowed(allow: String)
    /// 501: a method or transfer coding that this server does not know. The connection closes.
    case notImplemented
    /// 406: `Accept` excludes everything the route could answer with.
    case notAcceptable
    /// 415: the route takes JSON and the request says it carries something else, or nothing.
    case unsupportedMediaType
    /// 413: the body is, or becomes, longer than ``HTTPLimits/bodyBytes``. The connection closes.
    case payloadTooLarge
    /// 414: the request line is longer than ``HTTPLimits/requestLineBytes``. The connection closes.
    case uriTooLong
    /// 431: the header block or the trailers are longer, or have more fields, than ``HTTPLimits`` allow. The connection closes.
    case headersTooLarge
    /// 417: an `Expect` other than `100-continue`. The connection closes.
    case expectationFailed
    /// 408: the head or the body did not arrive in time. The connection closes.
    case requestTimeout

    /// The status that goes with the refusal.
    package var status: HTTPStatus {
        switch self {
        case .malformed: 400
        case .notFound: 404
        case .methodNotAllowed: 405
        case .notAcceptable: 406
        case .requestTimeout: 408
        case .payloadTooLarge: 413
        case .uriTooLong: 414
        case .unsupportedMediaType: 415
        case .expectationFailed: 417
        case .headersTooLarge: 431
        case .notImplemented: 501
        }
    }
}

/// Makes the answer to a refusal; the second argument is the request's id.
///
/// Called on the loop, so it must not block. The server adds `Allow`, the framing fields, `Date` and `X-Request-Id`.
package typealias HTTPRefusalRenderer = @Sendable (_ refusal: HTTPRefusal, _ requestID: String) -> HTTPResponse
