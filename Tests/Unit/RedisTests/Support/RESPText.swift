import Redis

/// Replies written out for tests, independent of the code under test.
enum RESPText {
    static func bytes(_ value: RESPValue) -> [UInt8] {
        switch value {
        case .null: Array("$-1\r\n".utf8)
        case .simple(let bytes): Array("+".utf8) + bytes + Array("\r\n".utf8)
        case .bulk(let bytes): Array("$\(bytes.count)\r\n".utf8) + bytes + Array("\r\n".utf8)
        case .integer(let number): Array(":\(number)\r\n".utf8)
        case .error(let error): Array("-\(error.serverText)\r\n".utf8)
        case .array(let elements): Array("*\(elements.count)\r\n".utf8) + elements.flatMap { bytes($0) }
        }
    }

    static func bulk(_ text: String) -> RESPValue { .bulk(ArraySlice(text.utf8)) }

    static func error(_ text: String) -> RESPValue { .error(RedisServerError(replyText: Array(text.utf8))) }
}

/// Everything that a fresh reader makes of these pieces.
func readAll(_ pieces: [[UInt8]], limits: RESPLimits = RESPLimits()) throws -> [RESPValue] {
    let reader = try RESPReader(limits: limits)
    var replies: [RESPValue] = []
    for piece in pieces { try reader.read(piece.span) { replies.append($0) } }
    return replies
}

func readAll(_ text: String, limits: RESPLimits = RESPLimits()) throws -> [RESPValue] {
    try readAll([Array(text.utf8)], limits: limits)
}
