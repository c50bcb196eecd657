internal import Cryptography

/// Where the three parts of a token in compact form lie (RFC 7515 §7.1).
struct CompactToken {
    let header: Range<Int>
    let payload: Range<Int>
    let signature: Range<Int>

    /// What the signature is over: header and payload with the dot between them, as they were sent.
    var signed: Range<Int> { header.lowerBound..<payload.upperBound }

    /// Finds the parts; nil unless there are exactly three, none of them empty.
    init?(_ token: Span<UInt8>) {
        var dots: [Int] = []
        for index in token.indices where token[index] == UInt8(ascii: ".") {
            guard dots.count < 2 else { return nil }
            dots.append(index)
        }
        guard dots.count == 2 else { return nil }
        header = 0..<dots[0]
        payload = (dots[0] + 1)..<dots[1]
        signature = (dots[1] + 1)..<token.count
        if header.isEmpty || payload.isEmpty || signature.isEmpty { return nil }
    }
}
