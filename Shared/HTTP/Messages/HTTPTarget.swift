/// A request target taken apart (RFC 9112 §3.2).
///
/// Origin form and absolute form name a path; asterisk form is for OPTIONS alone; authority form belongs to CONNECT, which is
/// refused before this. In absolute form scheme and authority are checked and dropped: every service answers for one host.
struct HTTPTarget: Sendable {
    let isAsterisk: Bool
    let path: HTTPPath
    let query: HTTPQuery

    init(source: [UInt8], range: Range<Int>, method: HTTPMethod) throws(HTTPRefusal) {
        let target = source[range]
        guard !target.contains(UInt8(ascii: "#")) else {
            throw .malformed(detail: "The request target has a fragment.")
        }
        isAsterisk = target.elementsEqual(CollectionOfOne(UInt8(ascii: "*")))
        if isAsterisk {
            guard method == .options else { throw .malformed(detail: "The target * is for OPTIONS only.") }
            path = try HTTPPath(source: [ASCII.slash], range: 0..<1)
            query = try HTTPQuery([])
            return
        }
        let start = try Self.startOfPath(target)
        let mark = source[start..<range.upperBound].firstIndex(of: UInt8(ascii: "?"))
        query = try HTTPQuery(mark.map { source[($0 + 1)..<range.upperBound] } ?? [])
        let end = mark ?? range.upperBound
        if start == end {
            path = try HTTPPath(source: [ASCII.slash], range: 0..<1)
        } else {
            path = try HTTPPath(source: source, range: start..<end)
        }
    }

    /// Where the path begins; in absolute form that is behind the authority, and the path may be empty.
    private static func startOfPath(_ target: ArraySlice<UInt8>) throws(HTTPRefusal) -> Int {
        if target.first == ASCII.slash { return target.startIndex }
        let scheme: Int
        if ASCII.equal(target.prefix(7), "http://") {
            scheme = 7
        } else if ASCII.equal(target.prefix(8), "https://") {
            scheme = 8
        } else {
            throw .malformed(detail: "The request target is neither a path nor an http URI.")
        }
        let rest = target.dropFirst(scheme)
        let end = rest.firstIndex { $0 == ASCII.slash || $0 == UInt8(ascii: "?") } ?? rest.endIndex
        guard end > rest.startIndex, HTTPHeadRules.isHost(rest[..<end]) else {
            throw .malformed(detail: "The request target's authority is malformed.")
        }
        return end
    }
}
