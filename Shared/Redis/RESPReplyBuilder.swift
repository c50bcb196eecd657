internal import CHiredis

/// Builds Swift values out of what hiredis reports, piece by piece, so that no C object is made for a reply.
///
/// hiredis reports depth first and in order, so a stack of unfinished arrays is all that is needed; to hiredis every
/// object is the same non-null pointer. A class because hiredis keeps its address.
final class RESPReplyBuilder {
    private struct Frame {
        var remaining: Int
        var elements: [RESPValue]
    }

    private let limits: RESPLimits
    private var frames: [Frame] = []
    private var finished: RESPValue?
    /// Why the last call of hiredis was refused; hiredis itself only knows "out of memory" for it.
    private(set) var refusal: RESPError?

    init(limits: RESPLimits) { self.limits = limits }

    /// Hands over the finished reply, once.
    func takeReply() -> RESPValue? {
        defer { finished = nil }
        return finished
    }

    /// Adds a value that is not an array with elements; closes every array that it completes.
    func add(_ value: RESPValue) {
        var value = value
        while let last = frames.indices.last {
            frames[last].elements.append(value)
            frames[last].remaining -= 1
            guard frames[last].remaining == 0 else { return }
            value = .array(frames[last].elements)
            frames.removeLast()
        }
        finished = value
    }

    /// Opens an array; false if it is too long or too deep.
    func openArray(count: Int) -> Bool {
        if frames.count >= limits.nesting { refusal = .tooDeep }
        if count > limits.elements { refusal = .arrayTooLong }
        guard refusal == nil else { return false }
        guard count > 0 else {
            add(.array([]))
            return true
        }
        var elements: [RESPValue] = []
        elements.reserveCapacity(min(count, 1024))
        frames.append(Frame(remaining: count, elements: elements))
        return true
    }

    /// Refuses the reply for good.
    func refuse(_ error: RESPError) { refusal = error }
}

extension RESPReplyBuilder {
    /// The functions that hiredis calls while it parses; each finds its builder in the task.
    static func functions() -> redisReplyObjectFunctions {
        unsafe redisReplyObjectFunctions(
            createString: { task, start, count in unsafe RESPReplyBuilder.string(task, start, count) },
            createArray: { task, count in
                guard let (builder, object) = unsafe RESPReplyBuilder.of(task) else { return nil }
                return unsafe builder.openArray(count: Int(count)) ? object : nil
            },
            createInteger: { task, value in
                guard let (builder, object) = unsafe RESPReplyBuilder.of(task) else { return nil }
                builder.add(.integer(value))
                return unsafe object
            },
            createNil: { task in
                guard let (builder, object) = unsafe RESPReplyBuilder.of(task) else { return nil }
                builder.add(.null)
                return unsafe object
            },
            freeObject: { _ in })
    }

    private static func of(
        _ task: UnsafePointer<redisReadTask>?
    ) -> (RESPReplyBuilder, UnsafeMutableRawPointer)? {
        guard let object = unsafe task?.pointee.privdata else { return nil }
        return unsafe (Unmanaged<RESPReplyBuilder>.fromOpaque(object).takeUnretainedValue(), object)
    }

    private static func string(
        _ task: UnsafePointer<redisReadTask>?, _ start: UnsafeMutablePointer<CChar>?, _ count: Int
    ) -> UnsafeMutableRawPointer? {
        guard let task = unsafe task, let start = unsafe start, let (builder, object) = unsafe of(task) else {
            return nil
        }
        let content = unsafe UnsafeRawBufferPointer(start: start, count: count)
        switch unsafe task.pointee.type {
        case REDIS_REPLY_ERROR:
            builder.add(.error(RedisServerError(replyText: unsafe Array(content.prefix(512)))))
        case REDIS_REPLY_STATUS:
            builder.add(unsafe .simple(Array(content)))
        default:
            // hiredis skips the two bytes behind a string's content without looking at them; they are in its buffer.
            guard unsafe start[count] == 0x0D, unsafe start[count + 1] == 0x0A else {
                builder.refuse(.malformed)
                return nil
            }
            builder.add(unsafe .bulk(ArraySlice(content)))
        }
        return unsafe object
    }
}
