/// Reads replies that lie whole in the bytes that have just come: flat arrays, strings, statuses, integers, null.
///
/// Nearly every reply is one, and reading it in place saves a copy, an allocation and a call back for each of its parts. Whatever is not
/// whole, nested, an error, beyond a limit or out of the ordinary in any way is left for hiredis to judge, so that there
/// is one opinion about what is malformed.
/// Source: Redis serialization protocol specification, RESP2.
struct RESPWholeReply {
    private let limits: RESPLimits
    private(set) var position: Int

    private init(limits: RESPLimits, from start: Int) {
        self.limits = limits
        position = start
    }

    /// The next reply, and `position` behind it; nil, and nothing taken, if it is for hiredis.
    static func next(_ bytes: [UInt8], from position: inout Int, limits: RESPLimits) -> RESPValue? {
        var reply = RESPWholeReply(limits: limits, from: position)
        guard let value = reply.value(bytes, mayBeArray: true), reply.position - position <= limits.replyBytes else {
            return nil
        }
        position = reply.position
        return value
    }

    private mutating func value(_ bytes: [UInt8], mayBeArray: Bool) -> RESPValue? {
        guard position < bytes.count else { return nil }
        let type = bytes[position]
        position += 1
        switch type {
        case UInt8(ascii: "$"):
            guard let count = number(bytes) else { return nil }
            if count == -1 { return .null }
            guard count >= 0, count <= bytes.count - position - 2, bytes[position + count] == 0x0D,
                bytes[position + count + 1] == 0x0A
            else { return nil }
            let content = bytes[position..<(position + count)]
            position += count + 2
            return .bulk(content)
        case UInt8(ascii: ":"): return number(bytes).map { .integer(Int64($0)) }
        case UInt8(ascii: "*") where mayBeArray:
            guard let count = number(bytes), count >= 0, count <= min(limits.elements, bytes.count - position) else {
                return nil
            }
            var elements: [RESPValue] = []
            elements.reserveCapacity(count)
            for _ in 0..<count {
                guard let element = value(bytes, mayBeArray: false) else { return nil }
                elements.append(element)
            }
            return .array(elements)
        default: return nil
        }
    }

    /// At most fifteen digits, a minus in front at most, and the end of the line.
    private mutating func number(_ bytes: [UInt8]) -> Int? {
        guard position < bytes.count else { return nil }
        let isNegative = bytes[position] == UInt8(ascii: "-")
        if isNegative { position += 1 }
        let first = position
        var value = 0
        while position < bytes.count, case let digit = bytes[position] &- UInt8(ascii: "0"), digit <= 9 {
            guard position - first < 15 else { return nil }
            value = value * 10 + Int(digit)
            position += 1
        }
        guard position > first, position + 1 < bytes.count, bytes[position] == 0x0D, bytes[position + 1] == 0x0A,
            position - first + 2 <= limits.lineBytes,
            bytes[first] != UInt8(ascii: "0") || (position == first + 1 && !isNegative)
        else { return nil }
        position += 2
        return isNegative ? -value : value
    }
}
