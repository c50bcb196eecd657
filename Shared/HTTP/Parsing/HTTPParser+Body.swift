internal import CLLHTTP

extension HTTPParser {
    /// A body of known length: llhttp counts it down.
    func nextOfBody(_ bytes: Span<UInt8>, _ consumed: inout Int) -> Event {
        guard !bytes.isEmpty else { return .needsMore }
        let (taken, error) = execute(bytes)
        consumed += taken
        if sawMessageComplete { return complete() }
        return error == HPE_OK ? .needsMore : refuse(callbackRefusal ?? .malformed(detail: reason))
    }

    /// Chunks up to and with the line of the last one; everything that is not body counts as framing.
    func nextOfChunks(_ bytes: Span<UInt8>, _ consumed: inout Int) -> Event {
        guard !bytes.isEmpty else { return .needsMore }
        let before = bodyCount
        let (taken, error) = execute(bytes)
        consumed += taken
        framingBytes += taken - (bodyCount - before)
        if let callbackRefusal { return refuse(callbackRefusal) }
        // A size of up to 16 digits and two CRLF are each chunk's due; the rest is extensions and leading zeros.
        guard framingBytes <= limits.trailerBytes + 20 * (chunkCount + 1) else {
            return refuse(.malformed(detail: "The chunk extensions are too long."))
        }
        if error == HPE_OK { return .needsMore }
        guard error == HPE_PAUSED, sawLastChunk else { return refuse(.malformed(detail: reason)) }
        unsafe llhttp_resume(llhttp)
        phase = .trailers
        scanner = HTTPHeadScanner(trailers: limits)
        return nextOfTrailers(bytes.extracting(taken...), &consumed)
    }

    /// The trailers: checked, counted, dropped.
    func nextOfTrailers(_ bytes: Span<UInt8>, _ consumed: inout Int) -> Event {
        guard !bytes.isEmpty else { return .needsMore }
        let outcome = scanner.scan(bytes)
        let count =
            switch outcome {
            case .incomplete: bytes.count
            case .complete(let end): end
            case .refused(_, let index): index
            }
        consumed += count
        if count > 0 {
            let (_, error) = execute(bytes.extracting(first: count))
            guard error == HPE_OK || (error == HPE_PAUSED && sawMessageComplete) else {
                return refuse(.malformed(detail: reason))
            }
        }
        switch outcome {
        case .incomplete: return .needsMore
        case .refused(let refusal, _): return refuse(refusal)
        case .complete:
            return sawMessageComplete ? complete() : refuse(.malformed(detail: "The trailers are malformed."))
        }
    }
}
