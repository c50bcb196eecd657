internal import CHiredis

/// A command with the way its script is called: what goes onto the wire.
struct RedisWireCommand {
    /// `EVALSHA digest` or `EVAL text`; nil for a plain command.
    let head: RedisArguments?
    let arguments: RedisArguments

    /// A command as one connection sends it.
    init(_ command: RedisCommand, scripts: RedisScriptTable) {
        head = command.script.map { scripts.head(for: $0) }
        arguments = command.arguments
    }

    /// A command whose script travels in full.
    init(inFull command: RedisCommand) {
        head = command.script.map { RedisScriptTable.inFull($0) }
        arguments = command.arguments
    }

    private var argumentCount: Int { (head?.ends.count ?? 0) + arguments.ends.count }

    /// Exactly what `encode` appends; known before, so that a full queue refuses without copying.
    var encodedByteCount: Int {
        3 + decimalDigits(argumentCount) + (head?.encodedByteCount ?? 0) + arguments.encodedByteCount
    }

    /// Appends the command in the form that servers read; false only if hiredis got no memory, and then nothing is
    /// appended.
    ///
    /// Cost: one buffer of hiredis, made and freed here, and one copy out of it; its list of pointers lies on the
    /// stack.
    func encode(into output: inout [UInt8]) -> Bool {
        let count = argumentCount
        return unsafe withUnsafeTemporaryAllocation(of: UnsafePointer<CChar>?.self, capacity: count) { pointers in
            unsafe withUnsafeTemporaryAllocation(of: Int.self, capacity: count) { lengths in
                let headCount = head?.ends.count ?? 0
                return unsafe withBytes(of: head ?? arguments) { headBytes in
                    unsafe withBytes(of: arguments) { bytes in
                        if let head { unsafe Self.fill(head, headBytes, pointers, lengths, from: 0) }
                        unsafe Self.fill(arguments, bytes, pointers, lengths, from: headCount)
                        return unsafe Self.format(count, pointers, lengths, into: &output)
                    }
                }
            }
        }
    }
}

extension RedisWireCommand {
    private func withBytes<R>(of arguments: RedisArguments, _ body: (UnsafePointer<CChar>?) -> R) -> R {
        unsafe arguments.bytes.withUnsafeBytes { raw in
            unsafe body(raw.baseAddress?.assumingMemoryBound(to: CChar.self))
        }
    }

    private static func fill(
        _ arguments: RedisArguments, _ base: UnsafePointer<CChar>?,
        _ pointers: UnsafeMutableBufferPointer<UnsafePointer<CChar>?>, _ lengths: UnsafeMutableBufferPointer<Int>,
        from first: Int
    ) {
        var start = 0
        for (index, end) in arguments.ends.enumerated() {
            unsafe pointers.initializeElement(at: first + index, to: base.map { unsafe $0 + start })
            unsafe lengths.initializeElement(at: first + index, to: end - start)
            start = end
        }
    }

    private static func format(
        _ count: Int, _ pointers: UnsafeMutableBufferPointer<UnsafePointer<CChar>?>,
        _ lengths: UnsafeMutableBufferPointer<Int>, into output: inout [UInt8]
    ) -> Bool {
        var formatted: UnsafeMutablePointer<CChar>?
        let length = unsafe lengths.withMemoryRebound(to: size_t.self) { lengths in
            unsafe redisFormatCommandArgv(&formatted, Int32(count), pointers.baseAddress, lengths.baseAddress)
        }
        guard length >= 0, let formatted = unsafe formatted else { return false }
        defer { unsafe redisFreeCommand(formatted) }
        unsafe output.append(contentsOf: UnsafeRawBufferPointer(start: formatted, count: Int(length)))
        return true
    }
}
