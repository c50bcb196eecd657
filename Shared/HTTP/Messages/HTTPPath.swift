/// The path of a request target: as it was sent, and cut into decoded segments.
///
/// `/v1/days` has the segments `v1`, `days`; `/` has one empty segment; `..` and `.` are segments like any other, because nothing
/// here is a file. A segment may contain a decoded `/`. Costs one array of ranges; a path with a `%` also a decoded buffer.
package struct HTTPPath: Sendable {
    private let source: [UInt8]
    private let rawRange: Range<Int>
    private let decoded: [UInt8]
    private let segments: [Range<Int>]

    /// Cuts the part `range` of `source`, which begins with `/`; malformed percent-encoding is refused.
    init(source: [UInt8], range: Range<Int>) throws(HTTPRefusal) {
        self.source = source
        rawRange = range
        var segments: [Range<Int>] = []
        segments.reserveCapacity(8)
        if source[range].contains(ASCII.percent) {
            var decoded: [UInt8] = []
            decoded.reserveCapacity(range.count)
            for piece in source[range].dropFirst().split(separator: ASCII.slash, omittingEmptySubsequences: false) {
                let start = decoded.count
                guard PercentCoding.decode(piece, plusIsSpace: false, into: &decoded) else {
                    throw .malformed(detail: "A part of the path is no percent-encoded UTF-8.")
                }
                segments.append(start..<decoded.count)
            }
            self.decoded = decoded
        } else {
            var start = range.lowerBound + 1
            for index in start..<max(start, range.upperBound) where source[index] == ASCII.slash {
                segments.append(start..<index)
                start = index + 1
            }
            segments.append(start..<max(start, range.upperBound))
            decoded = source
        }
        self.segments = segments
    }

    /// The path as it was sent, without the query.
    package var raw: String { String(decoding: source[rawRange], as: UTF8.self) }

    /// How many segments there are; at least one.
    package var count: Int { segments.count }

    /// One segment, decoded.
    package subscript(index: Int) -> String { String(decoding: decoded[segments[index]], as: UTF8.self) }

    /// One segment, decoded, without a copy.
    func bytes(at index: Int) -> ArraySlice<UInt8> { decoded[segments[index]] }
}
