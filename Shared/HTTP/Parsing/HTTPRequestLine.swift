/// A request line, checked as a whole (RFC 9112 §3): token, one space, target, one space, version.
///
/// The parser proper skips repeated spaces, knows protocols other than HTTP and ends at the first letter of a method it does not
/// know; here each of these has one answer, whatever pieces the line came in.
struct HTTPRequestLine: Equatable {
    let method: HTTPMethod
    /// Where the target stands, in the indices of the bytes that were checked.
    let target: Range<Int>
    let isHTTP10: Bool

    /// Checks a line without its CRLF.
    init(_ line: ArraySlice<UInt8>) throws(HTTPRefusal) {
        guard let afterMethod = line.firstIndex(of: ASCII.space), afterMethod > line.startIndex,
            line[..<afterMethod].allSatisfy(ASCII.isToken)
        else { throw .malformed(detail: "The request line has no method.") }
        let rest = line[(afterMethod + 1)...]
        guard let afterTarget = rest.firstIndex(of: ASCII.space), afterTarget > rest.startIndex,
            rest[..<afterTarget].allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else { throw .malformed(detail: "The request line has no valid target.") }
        let version = rest[(afterTarget + 1)...]
        if ASCII.same(version, "HTTP/1.1") {
            isHTTP10 = false
        } else if ASCII.same(version, "HTTP/1.0") {
            isHTTP10 = true
        } else {
            throw .malformed(detail: "The protocol version is not HTTP/1.1 or HTTP/1.0.")
        }
        method = Self.method(line[..<afterMethod])
        target = rest.startIndex..<afterTarget
    }

    /// The common methods without making a string.
    private static func method(_ name: ArraySlice<UInt8>) -> HTTPMethod {
        if ASCII.same(name, "GET") { return .get }
        if ASCII.same(name, "POST") { return .post }
        return HTTPMethod(String(decoding: name, as: UTF8.self))
    }
}
