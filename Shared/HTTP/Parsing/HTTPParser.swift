internal import CLLHTTP

/// Turns the bytes of one connection into requests; the owner of one `llhttp_t`.
///
/// Pull-based: ``next(_:consumed:)`` takes bytes and stops at the next event, so whoever calls decides whether what stands behind
/// a request is looked at. What it says does not depend on the pieces the bytes come in. Confined to its connection's loop.
///
/// Cost per request: the head's buffer, the array of fields, the ``HTTPRequestHead`` with its path, and the body's buffer, all
/// handed over to the request. Between requests it holds the `llhttp_t` and nothing else.
@safe final class HTTPParser {
    enum Event {
        /// Everything was consumed; the request goes on.
        case needsMore
        /// A head was read. Its body, if there is one, comes next.
        case head(HTTPRequestHead)
        /// The request is complete, with this body. The next call begins the next request.
        case complete([UInt8])
        /// The bytes are no request that this server takes; with what was understood of it. Nothing more can be read.
        case refused(HTTPRefusal, Origin)
    }

    /// What is known of a request that was refused before it had a head.
    struct Origin {
        /// The method, once the request line was read.
        var method: HTTPMethod?
        /// The client's own request id, once the header block was read.
        var id: String?
        /// The head, when nothing is wrong with it but the length of the body.
        var head: HTTPRequestHead?
    }

    /// `head` → `body` or `chunks` or `complete`; `chunks` → `trailers`; all → `head` or `failed`.
    enum Phase { case head, body, chunks, trailers, complete, failed }

    let limits: HTTPLimits
    let llhttp: UnsafeMutablePointer<llhttp_t>
    var phase = Phase.head
    var scanner: HTTPHeadScanner
    private var requestIDs = RequestIDs()
    /// Set to drop the body as it comes: its length still counts, but nothing is kept.
    var discardsBody = false

    // The head: its bytes as received, how many of them llhttp has seen, and the fields found so far.
    var headBytes: [UInt8] = []
    var headFed = 0
    var requestLine: HTTPRequestLine?
    var fields: [HTTPHeaders.Field] = []
    var isInValue = false

    // The body: what is kept, how long it is, and how many bytes its chunked framing took.
    var body: [UInt8] = []
    var bodyCount = 0
    var framingBytes = 0
    var chunkCount = 0

    // What the callbacks of one call of llhttp found.
    var spanBase: UnsafePointer<CChar>?
    var sawHeadersComplete = false
    var sawMessageComplete = false
    var sawLastChunk = false
    var callbackRefusal: HTTPRefusal?

    init(limits: HTTPLimits) {
        self.limits = limits
        scanner = HTTPHeadScanner(head: limits)
        unsafe llhttp = .allocate(capacity: 1)
        unsafe llhttp.initialize(to: llhttp_t())
        reset()
    }

    deinit {
        unsafe llhttp.deallocate()
    }

    /// Whether a request has begun and is not complete.
    var isInsideRequest: Bool {
        switch phase {
        case .head: !scanner.isAtStart
        case .body, .chunks, .trailers, .complete: true
        case .failed: false
        }
    }

    /// Looks at bytes until something is to be said, and adds to `consumed` how many it has taken.
    ///
    /// Call again with the rest until it says `.needsMore`; a call without bytes is allowed.
    func next(_ bytes: Span<UInt8>, consumed: inout Int) -> Event {
        switch phase {
        case .head: nextOfHead(bytes, &consumed)
        case .body: nextOfBody(bytes, &consumed)
        case .chunks: nextOfChunks(bytes, &consumed)
        case .trailers: nextOfTrailers(bytes, &consumed)
        case .complete: complete()
        case .failed: refuse(.malformed(detail: "The connection is no longer in step."))
        }
    }

    func refuse(_ refusal: HTTPRefusal, of head: HTTPRequestHead? = nil) -> Event {
        phase = .failed
        var origin = Origin(method: requestLine?.method, head: head)
        if sawHeadersComplete && !headBytes.isEmpty {
            let headers = HTTPHeaders(buffer: headBytes, fields: trimmedFields())
            origin.id = RequestIDs.accepted(headers.bytes(of: "x-request-id"))
        }
        headBytes = []
        fields = []
        body = []
        return .refused(refusal, origin)
    }

    /// An id for a request that brought none.
    func nextRequestID() -> String { requestIDs.next() }

    func complete() -> Event {
        let read = body
        reset()
        return .complete(read)
    }

    /// Ready for the next request, holding no buffer.
    private func reset() {
        unsafe llhttp_init(llhttp, HTTP_REQUEST, Self.settings)
        unsafe llhttp.pointee.data = Unmanaged.passUnretained(self).toOpaque()
        phase = .head
        scanner = HTTPHeadScanner(head: limits)
        discardsBody = false
        headBytes = []
        headFed = 0
        requestLine = nil
        fields = []
        isInValue = false
        body = []
        bodyCount = 0
        framingBytes = 0
        chunkCount = 0
        sawHeadersComplete = false
        sawMessageComplete = false
        sawLastChunk = false
        callbackRefusal = nil
    }
}
