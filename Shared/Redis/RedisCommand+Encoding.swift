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

    private var argumentCount: Int { (head?.count ?? 0) + arguments.count }

    /// Exactly what `encode` appends; known before, so that a full queue refuses without copying.
    var encodedByteCount: Int {
        3 + decimalDigits(argumentCount) + (head?.bytes.count ?? 0) + arguments.bytes.count
    }

    /// Appends the command in the form that servers read: one copy, no allocation beyond the output's own growth.
    func encode(into output: inout [UInt8]) {
        output.append(prefix: UInt8(ascii: "*"), argumentCount)
        if let head { output.append(contentsOf: head.bytes) }
        output.append(contentsOf: arguments.bytes)
    }
}
