/// Everything of a request but its body; immutable, made once when the head is complete.
///
/// A class so that passing it on costs a reference. It holds the received bytes of the head (at most 24 KiB) while it lives.
package final class HTTPRequestHead: Sendable {
    /// What the client wants to hear before it sends the body (RFC 9110 §10.1.1).
    enum Expectation: Sendable { case none, continue100, unknown }

    /// The method.
    package let method: HTTPMethod
    /// The path.
    package let path: HTTPPath
    /// The decoded query.
    package let query: HTTPQuery
    /// The header fields.
    package let headers: HTTPHeaders
    /// The client's `X-Request-Id` if it was well-formed, else one made here; the answer carries it.
    package let id: String
    let isAsterisk: Bool
    let isHTTP10: Bool
    let keepsAlive: Bool
    let hasBody: Bool
    let expectation: Expectation

    init(
        method: HTTPMethod, target: HTTPTarget, headers: HTTPHeaders, id: String, isHTTP10: Bool, keepsAlive: Bool,
        hasBody: Bool
    ) {
        self.method = method
        path = target.path
        query = target.query
        isAsterisk = target.isAsterisk
        self.headers = headers
        self.id = id
        self.isHTTP10 = isHTTP10
        self.keepsAlive = keepsAlive
        self.hasBody = hasBody
        // An HTTP/1.0 client cannot expect anything: the field is ignored there.
        expectation = isHTTP10 ? .none : Self.expectation(in: headers)
    }

    /// One that cannot be met makes all of them unknown, in whatever field it stands.
    private static func expectation(in headers: HTTPHeaders) -> Expectation {
        var expectation = Expectation.none
        headers.forEachValue(of: "expect") { value in
            guard ASCII.equal(value, "100-continue") else { return expectation = .unknown }
            if expectation == .none { expectation = .continue100 }
        }
        return expectation
    }

    /// The `traceparent` as it was sent, if it is well-formed; nil otherwise (W3C Trace Context §3.2).
    package var traceparent: String? {
        guard headers.count(of: "traceparent") == 1, let value = headers.bytes(of: "traceparent"),
            TraceParent.isWellFormed(value)
        else { return nil }
        return String(decoding: value, as: UTF8.self)
    }
}
