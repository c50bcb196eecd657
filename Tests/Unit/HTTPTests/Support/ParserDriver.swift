import EventLoops

@testable import HTTP

/// Feeds a parser and writes down what it says.
enum ParserDriver {
    /// Everything the parser says about bytes that come in pieces of these lengths; the last length repeats.
    ///
    /// A request's own id is written down, a made one is not, because it is random.
    static func transcript(
        _ bytes: [UInt8], pieces: [Int], limits: HTTPLimits = HTTPLimits()
    ) -> [String] {
        let parser = HTTPParser(limits: limits)
        var lines: [String] = []
        var start = 0
        var piece = 0
        while start < bytes.count {
            let count = max(1, pieces.isEmpty ? bytes.count : pieces[min(piece, pieces.count - 1)])
            let end = min(bytes.count, start + count)
            piece += 1
            let input = Array(bytes[start..<end])
            start = end
            var consumed = 0
            reading: while true {
                switch parser.next(input.span.extracting(consumed...), consumed: &consumed) {
                case .needsMore: break reading
                case .head(let head): lines.append(describe(head))
                case .complete(let body): lines.append("body \(body)")
                case .refused(let refusal, let origin):
                    lines.append("refused \(refusal.status) \(origin.method?.name ?? "-") \(origin.id ?? "-")")
                    return lines
                }
            }
        }
        return lines
    }

    static func transcript(_ text: String, limits: HTTPLimits = HTTPLimits()) -> [String] {
        transcript(Array(text.utf8), pieces: [], limits: limits)
    }

    /// The last status a parser gives to the bytes, or nil when it refuses nothing.
    static func refusal(_ bytes: [UInt8], limits: HTTPLimits = HTTPLimits()) -> Int? {
        let parser = HTTPParser(limits: limits)
        var consumed = 0
        while true {
            switch parser.next(bytes.span.extracting(consumed...), consumed: &consumed) {
            case .needsMore: return nil
            case .head, .complete: continue
            case .refused(let refusal, _): return refusal.status.code
            }
        }
    }

    private static func describe(_ head: HTTPRequestHead) -> String {
        let path = (0..<head.path.count).map { head.path[$0] }
        let query = head.query.items.map { "\($0.name)=\($0.value)" }
        let headers = head.headers.all.map { "\($0.name): \($0.value)" }
        let sentID = head.headers["x-request-id"] == head.id ? head.id : "-"
        return
            "head \(head.method) \(path) \(query) \(headers) id \(sentID) keep \(head.keepsAlive) body \(head.hasBody)"
    }
}
