/// The path of a request target: as it was sent, and cut into decoded segments.
///
/// `/v1/days` has the segments `v1`, `days`; `/` has one empty segment; `..` and `.` are segments like any other, because nothing
/// here is a file. A segment may contain a decoded `/`. Without a `%`
/// nothing is cut beforehand: the few segments are found anew when one is asked for, which allocates nothing.
package struct HTTPPath: Sendable {
    private let source: [UInt8]
    private let rawRange: Range<Int>
    /// How many segments there are; at least one.
    package let count: Int
    /// Of a path with a `%`: what its segments say, and where each stands in that.
    private let decoded: [UInt8]
    private let segments: [Range<Int>]

    /// Cuts the part `range` of `source`, which begins with `/`; malformed percent-encoding is refused.
    init(source: [UInt8], range: Range<Int>) throws(HTTPRefusal) {
        self.source = source
        rawRange = range
        guard source[range].contains(ASCII.percent) else {
            count = max(1, source[range].count { $0 == ASCII.slash })
            (decoded, segments) = ([], [])
            return
        }
        var decoded: [UInt8] = []
        var segments: [Range<Int>] = []
        decoded.reserveCapacity(range.count)
        for piece in source[range].dropFirst().split(separator: ASCII.slash, omittingEmptySubsequences: false) {
            let start = decoded.count
            guard PercentCoding.decode(piece, plusIsSpace: false, into: &decoded) else {
                throw .malformed(detail: "A part of the path is no percent-encoded UTF-8.")
            }
            segments.append(start..<decoded.count)
        }
        count = segments.count
        self.decoded = decoded
        self.segments = segments
    }

    /// The path as it was sent, without the query.
    package var raw: String { String(decoding: source[rawRange], as: UTF8.self) }

    /// One segment, decoded.
    package subscript(index: Int) -> String { String(decoding: bytes(at: index), as: UTF8.self) }

    /// One segment, decoded, without a copy.
    func bytes(at index: Int) -> ArraySlice<UInt8> {
        if !segments.isEmpty { return decoded[segments[index]] }
        var rest = source[rawRange].dropFirst()
        for _ in 0..<index { rest = rest.drop { $0 != ASCII.slash }.dropFirst() }
        return rest.prefix { $0 != ASCII.slash }
    }
}
