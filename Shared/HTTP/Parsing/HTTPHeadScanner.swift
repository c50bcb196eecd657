internal import Glibc

/// Finds the end of a head, or of the trailers, and refuses what the parser proper would let pass.
///
/// llhttp 8.1 in strict mode still takes a bare LF (or any number of CRs) before the request line and a bare LF as the last line
/// of the head, folded lines (RFC 9112 §5.2) and an empty field name, and counts nothing. This machine closes exactly these:
/// every line ends in CRLF, at most one empty line stands before the request line (RFC 9112 §2.2), no line begins with a space,
/// a tab or a colon, and lines, bytes and fields are limited. It looks at each byte once and keeps nothing but counters, so it
/// may be fed in any pieces.
struct HTTPHeadScanner {
    enum Outcome: Equatable {
        /// All bytes belong to the head, and more must come.
        case incomplete
        /// The head ends before this offset.
        case complete(Int)
        /// The byte at this offset breaks a rule; those before it are in order.
        case refused(HTTPRefusal, at: Int)
    }

    private enum Step {
        case goOn, end
        case refuse(HTTPRefusal)
    }

    /// `start` → `startCR` → `start`; `start` → `requestLine` → `lineStart`; `lineStart` → `field` → `lineStart`;
    /// `lineStart` → `endCR` → complete.
    private enum State { case start, startCR, requestLine, lineStart, field, endCR }

    private var state: State
    private var previous: UInt8 = 0
    private var lineBytes = 0
    private var blockBytes = 0
    private var fields = 0
    private var sawEmptyLine = false
    private let lineLimit: Int
    private let blockLimit: Int
    private let fieldLimit: Int

    /// For a request's head.
    init(head limits: HTTPLimits) {
        state = .start
        lineLimit = limits.requestLineBytes
        blockLimit = limits.headerBlockBytes
        fieldLimit = limits.headerFields
    }

    /// For the trailers behind the last chunk.
    init(trailers limits: HTTPLimits) {
        state = .lineStart
        lineLimit = 0
        blockLimit = limits.trailerBytes
        fieldLimit = limits.headerFields
    }

    /// Whether nothing of a request has come yet; a lone empty line is nothing.
    var isAtStart: Bool { state == .start || state == .startCR }

    /// Whether the request line and its CRLF have been seen.
    var isPastRequestLine: Bool { state == .lineStart || state == .field || state == .endCR }

    /// Looks at the next bytes.
    mutating func scan(_ bytes: Span<UInt8>) -> Outcome {
        var index = 0
        while index < bytes.count {
            index = skip(bytes, from: index)
            guard index < bytes.count else { break }
            let byte = bytes[index]
            switch step(byte) {
            case .goOn: previous = byte
            case .end: return .complete(index + 1)
            case .refuse(let refusal): return .refused(refusal, at: index)
            }
            index += 1
        }
        return .incomplete
    }

    /// Goes over the inside of a line at once, as far as its limit: nearly all bytes of a head, to none of which a rule applies.
    private mutating func skip(_ bytes: Span<UInt8>, from start: Int) -> Int {
        let room: Int
        switch state {
        case .field: room = blockLimit - blockBytes
        case .requestLine: room = lineLimit - lineBytes
        case .start, .startCR, .lineStart, .endCR: return start
        }
        let rest = bytes.extracting(start...).extracting(first: max(0, room))
        let count = unsafe rest.withUnsafeBytes { rest in
            guard let base = rest.baseAddress, let end = unsafe memchr(base, Int32(ASCII.lineFeed), rest.count) else {
                return rest.count
            }
            return unsafe UnsafeRawPointer(end) - base
        }
        guard count > 0 else { return start }
        if state == .field { blockBytes += count } else { lineBytes += count }
        previous = bytes[start + count - 1]
        return start + count
    }

    @inline(__always)
    private mutating func step(_ byte: UInt8) -> Step {
        switch state {
        case .field:
            blockBytes += 1
            guard blockBytes <= blockLimit else { return .refuse(.headersTooLarge) }
            guard byte == ASCII.lineFeed else { return .goOn }
            guard previous == ASCII.carriageReturn else { return Self.bareLineFeed }
            state = .lineStart
        case .requestLine:
            lineBytes += 1
            guard byte == ASCII.lineFeed else {
                return lineBytes > lineLimit + (byte == ASCII.carriageReturn ? 1 : 0)
                    ? .refuse(.uriTooLong) : .goOn
            }
            guard previous == ASCII.carriageReturn else { return Self.bareLineFeed }
            state = .lineStart
        case .lineStart:
            return startLine(byte)
        case .endCR:
            guard byte == ASCII.lineFeed else { return Self.malformed("A CR in the header block has no LF.") }
            return .end
        case .start:
            if byte == ASCII.carriageReturn && !sawEmptyLine {
                state = .startCR
            } else if ASCII.isToken(byte) {
                state = .requestLine
                lineBytes = 1
            } else {
                return Self.malformed("The request line does not begin with a method.")
            }
        case .startCR:
            guard byte == ASCII.lineFeed else { return Self.malformed("A CR before the request line has no LF.") }
            sawEmptyLine = true
            state = .start
        }
        return .goOn
    }

    private mutating func startLine(_ byte: UInt8) -> Step {
        switch byte {
        case ASCII.carriageReturn:
            state = .endCR
        case ASCII.space, ASCII.tab:
            return Self.malformed("A header line is folded.")
        case ASCII.colon:
            return Self.malformed("A header field has no name.")
        case ASCII.lineFeed:
            return Self.bareLineFeed
        default:
            fields += 1
            blockBytes += 1
            guard fields <= fieldLimit, blockBytes <= blockLimit else { return .refuse(.headersTooLarge) }
            state = .field
        }
        return .goOn
    }

    private static var bareLineFeed: Step { malformed("A line ends in a bare LF.") }

    private static func malformed(_ detail: String) -> Step {
        .refuse(.malformed(detail: detail))
    }
}
