internal import CLLHTTP

extension HTTPParser {
    func nextOfHead(_ bytes: Span<UInt8>, _ consumed: inout Int) -> Event {
        let outcome = scanner.scan(bytes)
        let count =
            switch outcome {
            case .incomplete: bytes.count
            case .complete(let end): end
            case .refused(_, let index): index
            }
        if headBytes.isEmpty { headBytes.reserveCapacity(count) }
        unsafe bytes.extracting(first: count).withUnsafeBufferPointer { unsafe headBytes.append(contentsOf: $0) }
        consumed += count
        // In the order of the bytes: what was wrong earlier is said first, whatever the pieces.
        if let refusal = feedHead() { return refuse(refusal) }
        switch outcome {
        case .incomplete: return .needsMore
        case .refused(let refusal, _): return refuse(refusal)
        case .complete: return finishHead()
        }
    }

    /// Checks the request line once it is whole, then lets llhttp look at what has come.
    private func feedHead() -> HTTPRefusal? {
        if requestLine == nil {
            guard scanner.isPastRequestLine else { return nil }
            do {
                requestLine = try readRequestLine()
            } catch {
                return error
            }
        }
        guard headFed < headBytes.count else { return nil }
        let (_, error) = execute(headBytes.span.extracting(headFed...), offset: headFed)
        headFed = headBytes.count
        // Past the end of the headers what is wrong is the framing of the body, and the rules below know it better.
        if error == HPE_OK || sawHeadersComplete { return nil }
        return .malformed(detail: reason)
    }

    private func readRequestLine() throws(HTTPRefusal) -> HTTPRequestLine {
        let start = headBytes.first == ASCII.carriageReturn ? 2 : 0
        let end = headBytes.firstIndex(of: ASCII.lineFeed, from: start) ?? headBytes.count
        let line = try HTTPRequestLine(headBytes[start..<max(start, end - 1)])
        guard line.method.isImplemented else { throw .notImplemented }
        guard line.method != .connect else { throw .methodNotAllowed(allow: HTTPMethod.options.name) }
        return line
    }

    /// Makes the head and checks what concerns it as a whole.
    private func finishHead() -> Event {
        guard let line = requestLine, sawHeadersComplete else {
            return refuse(.malformed(detail: "The header block ends in the middle of a line."))
        }
        let flags = unsafe UInt32(llhttp.pointee.flags)
        let isChunked = flags & F_CHUNKED.rawValue != 0
        let length = unsafe llhttp.pointee.content_length
        let headers = HTTPHeaders(buffer: headBytes, fields: trimmedFields())
        let id = RequestIDs.accepted(headers.bytes(of: "x-request-id")) ?? nextRequestID()
        let head: HTTPRequestHead
        do {
            head = HTTPRequestHead(
                method: line.method,
                target: try HTTPTarget(source: headBytes, range: line.target, method: line.method),
                headers: headers, id: id, isHTTP10: line.isHTTP10,
                keepsAlive: HTTPHeadRules.keepsAlive(headers, isHTTP10: line.isHTTP10),
                hasBody: isChunked || length > 0)
            try HTTPHeadRules.checkHost(headers, isHTTP10: line.isHTTP10)
            try HTTPHeadRules.checkTransferCodings(headers, isHTTP10: line.isHTTP10)
        } catch {
            return refuse(error)
        }
        guard isChunked || length <= UInt64(limits.bodyBytes) else { return refuse(.payloadTooLarge, of: head) }
        let error = unsafe llhttp_get_errno(llhttp)
        guard error == HPE_OK || (error == HPE_PAUSED && sawMessageComplete) else {
            return refuse(.malformed(detail: reason))
        }
        headBytes = []
        fields = []
        if sawMessageComplete {
            phase = .complete
        } else if isChunked {
            phase = .chunks
        } else {
            phase = .body
            body.reserveCapacity(min(Int(length), 64 * 1024))
        }
        return .head(head)
    }

    /// The fields without the white space that llhttp leaves behind a value.
    func trimmedFields() -> [HTTPHeaders.Field] {
        for index in fields.indices {
            var value = fields[index].value
            while let last = value.last, headBytes[last] == ASCII.space || headBytes[last] == ASCII.tab {
                value = value.lowerBound..<last
            }
            fields[index].value = value
        }
        return fields
    }
}

extension [UInt8] {
    fileprivate func firstIndex(of byte: UInt8, from start: Int) -> Int? {
        self[start...].firstIndex(of: byte)
    }
}
