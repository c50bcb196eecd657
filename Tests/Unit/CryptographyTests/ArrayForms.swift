import Cryptography

/// The lower-case hexadecimal text of bytes, as the published vectors are printed.
func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { byte in
        let digits = String(byte, radix: 16)
        return digits.count == 1 ? "0" + digits : digits
    }.joined()
}

func hexadecimal(_ digest: Digest256) -> String {
    hexadecimal(digest.bytes.indices.map { digest.bytes[$0] })
}

// The macros of the test library cannot hold a span, so the tests call through arrays.

extension SHA256 {
    static func digest(of message: [UInt8]) throws -> Digest256 { try digest(of: message.span) }
}

extension Digest256 {
    func equals(_ other: [UInt8]) -> Bool { equals(other.span) }
}

extension HMACSHA256 {
    convenience init(key: [UInt8]) throws { try self.init(key: key.span) }
    func code(for message: [UInt8]) throws -> Digest256 { try code(for: message.span) }
}

extension ConstantTime {
    static func equal(_ left: [UInt8], _ right: [UInt8]) -> Bool { equal(left.span, right.span) }
}

extension Base64URL {
    static func encode(_ bytes: [UInt8]) -> [UInt8] { encode(bytes.span) }
    static func decode(_ text: [UInt8]) -> [UInt8]? { decode(text.span) }
}

extension SignatureVerifier {
    func accepts(_ signature: [UInt8], over message: [UInt8]) -> Bool { accepts(signature, over: message.span) }
}
