internal import CLLHTTP

extension HTTPParser {
    /// The table of callbacks, one for the whole process; llhttp keeps a pointer to it.
    nonisolated(unsafe) static let settings: UnsafePointer<llhttp_settings_t> = {
        let table = UnsafeMutablePointer<llhttp_settings_t>.allocate(capacity: 1)
        unsafe table.initialize(to: llhttp_settings_t())
        unsafe llhttp_settings_init(table)
        unsafe table.pointee.on_header_field = { llhttp, start, count in
            unsafe HTTPParser.of(llhttp)?.sawField(start, count)
            return 0
        }
        unsafe table.pointee.on_header_value = { llhttp, start, count in
            unsafe HTTPParser.of(llhttp)?.sawValue(start, count)
            return 0
        }
        unsafe table.pointee.on_headers_complete = { llhttp in
            unsafe HTTPParser.of(llhttp)?.sawEndOfHeaders()
            return 0
        }
        unsafe table.pointee.on_body = { llhttp, start, count in
            unsafe HTTPParser.of(llhttp)?.sawBody(start, count) ?? true ? 0 : -1
        }
        unsafe table.pointee.on_chunk_header = { llhttp in
            unsafe HTTPParser.of(llhttp)?.sawChunkHeader() ?? 0
        }
        // Stops llhttp right behind the message: what follows is another request.
        unsafe table.pointee.on_message_complete = { llhttp in
            unsafe HTTPParser.of(llhttp)?.sawMessageComplete = true
            return CInt(HPE_PAUSED.rawValue)
        }
        return unsafe UnsafePointer(table)
    }()

    private static func of(_ llhttp: UnsafeMutablePointer<llhttp_t>?) -> HTTPParser? {
        guard let data = unsafe llhttp?.pointee.data else { return nil }
        return unsafe Unmanaged<HTTPParser>.fromOpaque(data).takeUnretainedValue()
    }

    /// Lets llhttp look at bytes; returns how many it took and what it says.
    ///
    /// `offset` is where the bytes stand in ``headBytes``, for the callbacks that note ranges.
    func execute(_ bytes: Span<UInt8>, offset: Int = 0) -> (taken: Int, error: llhttp_errno_t) {
        unsafe bytes.withUnsafeBytes { raw in
            guard let start = raw.baseAddress else { return (0, HPE_OK) }
            let base = unsafe start.assumingMemoryBound(to: CChar.self)
            unsafe spanBase = base - offset
            defer { unsafe spanBase = nil }
            let error = unsafe llhttp_execute(llhttp, base, raw.count)
            guard error != HPE_OK, let position = unsafe llhttp_get_error_pos(llhttp) else { return (raw.count, error) }
            return unsafe (max(0, min(raw.count, position - base)), error)
        }
    }

    /// llhttp's own words on an error; always one of its fixed texts.
    var reason: String {
        guard let reason = unsafe llhttp_get_error_reason(llhttp) else { return "The request is malformed." }
        return unsafe String(cString: reason)
    }

    private func offset(of start: UnsafePointer<CChar>?) -> Int {
        guard let base = unsafe spanBase, let start = unsafe start else { return 0 }
        return unsafe start - base
    }

    /// A piece of a field's name; trailers are checked but not kept.
    private func sawField(_ start: UnsafePointer<CChar>?, _ count: Int) {
        guard !sawHeadersComplete else { return }
        let begin = unsafe offset(of: start)
        if isInValue || fields.isEmpty {
            isInValue = false
            if fields.isEmpty { fields.reserveCapacity(16) }
            fields.append(HTTPHeaders.Field(name: begin..<(begin + count), value: begin..<begin))
        } else {
            let last = fields.count - 1
            fields[last].name = fields[last].name.lowerBound..<(begin + count)
        }
    }

    /// A piece of a field's value.
    private func sawValue(_ start: UnsafePointer<CChar>?, _ count: Int) {
        guard !sawHeadersComplete, !fields.isEmpty else { return }
        let begin = unsafe offset(of: start)
        let last = fields.count - 1
        fields[last].value = (isInValue ? fields[last].value.lowerBound : begin)..<(begin + count)
        isInValue = true
    }

    private func sawEndOfHeaders() {
        sawHeadersComplete = true
        // An upgrade is an offer that this server never takes up (RFC 9110 §7.8): the request is like any other.
        unsafe llhttp.pointee.upgrade = 0
    }

    private func sawBody(_ start: UnsafePointer<CChar>?, _ count: Int) -> Bool {
        guard count <= limits.bodyBytes - bodyCount else {
            callbackRefusal = .payloadTooLarge
            return false
        }
        bodyCount += count
        if !discardsBody { unsafe body.append(contentsOf: UnsafeBufferPointer(rebinding: start, count: count)) }
        return true
    }

    /// A chunk begins: refuses one that cannot fit before it comes, and stops before the trailers.
    private func sawChunkHeader() -> CInt {
        let size = unsafe llhttp.pointee.content_length
        chunkCount += 1
        guard size <= UInt64(limits.bodyBytes - bodyCount) else {
            callbackRefusal = .payloadTooLarge
            return -1
        }
        guard size == 0 else { return 0 }
        sawLastChunk = true
        return CInt(HPE_PAUSED.rawValue)
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// The same bytes as llhttp's `char`.
    fileprivate init(rebinding start: UnsafePointer<CChar>?, count: Int) {
        let raw = unsafe UnsafeRawPointer(start)
        unsafe self.init(start: raw?.assumingMemoryBound(to: UInt8.self), count: count)
    }
}
