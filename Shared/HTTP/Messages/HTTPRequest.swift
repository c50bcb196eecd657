package import EventLoops

/// A complete request, as handlers get it.
///
/// A small value: the head is shared, the body is the buffer it was read into.
package struct HTTPRequest: Sendable {
    /// Everything but the body.
    package let head: HTTPRequestHead
    /// The body after chunks were put together; empty without one.
    package let body: [UInt8]
    /// Where the connection came from (behind a gateway: the gateway), if known.
    package let peer: SocketAddress?

    /// A request from its parts.
    package init(head: HTTPRequestHead, body: [UInt8] = [], peer: SocketAddress? = nil) {
        self.head = head
        self.body = body
        self.peer = peer
    }

    /// The method.
    package var method: HTTPMethod { head.method }
    /// The path.
    package var path: HTTPPath { head.path }
    /// The decoded query.
    package var query: HTTPQuery { head.query }
    /// The header fields.
    package var headers: HTTPHeaders { head.headers }
    /// The request's id.
    package var id: String { head.id }
    /// The `traceparent` as it was sent, if well-formed.
    package var traceparent: String? { head.traceparent }
}

extension HTTPRequest {
    /// A request without a connection, for tests: written out and parsed as if it had come over one.
    ///
    /// `Host` and, with a body, `Content-Length` are added. Throws what the server would have refused.
    package static func make(
        _ method: HTTPMethod, _ target: String, headers: [(String, String)] = [], body: [UInt8] = []
    ) throws(HTTPRefusal) -> HTTPRequest {
        var text = "\(method.name) \(target) HTTP/1.1\r\nHost: localhost\r\n"
        for (name, value) in headers { text += "\(name): \(value)\r\n" }
        if !body.isEmpty { text += "Content-Length: \(body.count)\r\n" }
        let bytes = Array((text + "\r\n").utf8) + body
        let parser = HTTPParser(limits: HTTPLimits())
        var head: HTTPRequestHead?
        var consumed = 0
        while true {
            switch parser.next(bytes.span.extracting(consumed...), consumed: &consumed) {
            case .needsMore: throw .malformed(detail: "The request is incomplete.")
            case .head(let read): head = read
            case .complete(let body):
                guard let head else { throw .malformed(detail: "The request has no head.") }
                return HTTPRequest(head: head, body: body)
            case .refused(let refusal, _): throw refusal
            }
        }
    }
}
