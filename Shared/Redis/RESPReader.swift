internal import CHiredis

/// Owns one hiredis reply reader and turns the bytes of one connection into replies.
///
/// Contract: bytes come in the order of the stream and may be cut anywhere; after the first error the reader is dead
/// and repeats it. A class because hiredis keeps addresses into it. Not thread-safe: it belongs to its connection's
/// loop.
/// Cost: what `RESPValue` allocates and one copy of the bytes; what is not whole in the bytes that have come is also copied
/// into hiredis' buffer.
@safe package final class RESPReader {
    /// hiredis moves the rest of its buffer for every KiB that was consumed, so it gets small slices; 4 KiB keeps
    /// that below two copies.
    private static let sliceBytes = 4096
    /// `$` and twenty digits fit; a string's length must end within it.
    private static let lengthLineBytes = 32

    private let reader: UnsafeMutablePointer<redisReader>
    private let functions: UnsafeMutablePointer<redisReplyObjectFunctions>
    private let builder: RESPReplyBuilder
    private let limits: RESPLimits
    /// Bytes of the reply that is not complete yet.
    private var openBytes = 0
    private var failure: RESPError?

    /// Makes a reader that holds no bytes.
    ///
    /// Throws `outOfMemory` if hiredis cannot allocate.
    package init(limits: RESPLimits = RESPLimits()) throws(RESPError) {
        let functions = UnsafeMutablePointer<redisReplyObjectFunctions>.allocate(capacity: 1)
        unsafe functions.initialize(to: RESPReplyBuilder.functions())
        guard let reader = unsafe redisReaderCreateWithFunctions(functions) else {
            unsafe functions.deallocate()
            throw .outOfMemory
        }
        unsafe self.reader = reader
        unsafe self.functions = functions
        self.limits = limits
        builder = RESPReplyBuilder(limits: limits)
        unsafe reader.pointee.privdata = Unmanaged.passUnretained(builder).toOpaque()
    }

    deinit {
        unsafe redisReaderFree(reader)
        unsafe functions.deallocate()
    }

    /// Takes bytes and calls `onReply` for every reply that they complete, in order.
    ///
    /// Throws when the bytes are not replies or pass a limit; replies before the bad byte have been reported then.
    package func read(_ bytes: Span<UInt8>, onReply: (RESPValue) -> Void) throws(RESPError) {
        if let failure { throw failure }
        var offset = 0
        if openBytes == 0 {
            let kept = unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) }
            while let reply = RESPWholeReply.next(kept, from: &offset, limits: limits) { onReply(reply) }
        }
        while offset < bytes.count {
            let end = min(offset + Self.sliceBytes, bytes.count)
            do throws(RESPError) {
                try feed(bytes.extracting(offset..<end))
                try takeReplies(onReply)
            } catch {
                failure = error
                throw error
            }
            offset = end
        }
    }
}

extension RESPReader {
    private func feed(_ slice: Span<UInt8>) throws(RESPError) {
        let status = unsafe slice.withUnsafeBytes { raw in
            unsafe redisReaderFeed(reader, raw.baseAddress?.assumingMemoryBound(to: CChar.self), raw.count)
        }
        guard status == REDIS_OK else { throw .outOfMemory }
        openBytes += slice.count
    }

    private func takeReplies(_ onReply: (RESPValue) -> Void) throws(RESPError) {
        while true {
            var object: UnsafeMutableRawPointer?
            guard unsafe redisReaderGetReply(reader, &object) == REDIS_OK else {
                throw unsafe builder.refusal ?? (reader.pointee.err == REDIS_ERR_OOM ? .outOfMemory : .malformed)
            }
            guard let reply = builder.takeReply() else { break }
            openBytes = unsafe reader.pointee.len - reader.pointee.pos
            onReply(reply)
        }
        if openBytes > limits.replyBytes { throw .replyTooLarge }
        try checkLine()
    }

    /// hiredis searches an unfinished line again with every slice; without a bound, a line that never ends costs
    /// quadratic time.
    private func checkLine() throws(RESPError) {
        let unparsed = unsafe reader.pointee.len - reader.pointee.pos
        guard unparsed > limits.lineBytes, let buffer = unsafe reader.pointee.buf else { return }
        let head = unsafe UnsafeRawBufferPointer(
            start: buffer + reader.pointee.pos, count: min(unparsed, Self.lengthLineBytes))
        let isString = unsafe currentTaskIsString && head.contains(0x0A)
        guard isString else { throw .lineTooLong }
    }

    private var currentTaskIsString: Bool {
        guard unsafe reader.pointee.ridx >= 0 else { return false }
        return unsafe withUnsafeBytes(of: &reader.pointee.rstack) { raw in
            unsafe raw.bindMemory(to: redisReadTask.self)[Int(reader.pointee.ridx)].type == REDIS_REPLY_STRING
        }
    }
}
