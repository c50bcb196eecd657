internal import Cryptography

/// The text of a key file: one secret a line, `secret` or `kid:secret`.
///
/// Blank lines and white space around a line are left out. What stands before the first colon is the key's name,
/// `[A-Za-z0-9._-]{1,64}`, or nothing; so a secret that itself contains a colon is written with a name or a colon before it. The secret
/// is the line's bytes as they are, at least 32 of them.
struct TokenKeyFile {
    /// The keys of the lines that are right, in their order.
    let keys: [TokenKey]
    /// What is wrong with the others.
    let faults: [TokenKeyFault]

    /// Reads the text.
    init(text: [UInt8]) {
        var keys: [TokenKey] = []
        var faults: [TokenKeyFault] = []
        let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            let content = Self.trimmed(line)
            if content.isEmpty { continue }
            let colon = content.firstIndex(of: UInt8(ascii: ":"))
            let name = colon.map { content[..<$0] } ?? []
            let secret = colon.map { content[($0 + 1)...] } ?? content
            if !name.allSatisfy(Self.isNameCharacter) || name.count > 64 {
                faults.append(.invalidName(line: index + 1))
            } else if let key = TokenKey(
                id: name.isEmpty ? nil : String(decoding: name, as: UTF8.self), secret: Secret(Array(secret)))
            {
                keys.append(key)
            } else {
                faults.append(.secretTooShort(line: index + 1))
            }
        }
        if keys.isEmpty, faults.isEmpty { faults.append(.noKey) }
        self.keys = keys
        self.faults = faults
    }

    private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0d).contains(byte) }
        let start = line.drop(while: isSpace)
        guard let last = start.lastIndex(where: { !isSpace($0) }) else { return [] }
        return start[...last]
    }

    private static func isNameCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
