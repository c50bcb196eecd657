/// The few forms of DER (ITU-T X.690) in which OpenSSL takes keys and signatures.
///
/// Only written, never read: nothing that a stranger encoded is parsed here.
enum DER {
    /// rsaEncryption with its NULL (RFC 8017 appendix A.1).
    static let rsaEncryption: [UInt8] = [
        0x30, 0x0d, 0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01, 0x05, 0x00,
    ]
    /// id-ecPublicKey with secp256r1 (RFC 5480 §2.1.1).
    static let ecPublicKeyOnP256: [UInt8] = [
        0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01,
        0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07,
    ]
    /// id-Ed25519 (RFC 8410 §3).
    static let ed25519: [UInt8] = [0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70]

    /// A SubjectPublicKeyInfo.
    static func publicKey(algorithm: [UInt8], key: [UInt8]) -> [UInt8] {
        // The byte before the key says that no bits are left over.
        sequence(algorithm + element(0x03, [0] + key))
    }

    /// Both numbers of an ECDSA signature (RFC 3279 §2.2.3), of which each half of `raw` is one.
    static func ecdsaSignature(_ raw: [UInt8]) -> [UInt8] {
        let half = raw.count / 2
        return sequence(integer(raw[..<half]) + integer(raw[half...]))
    }

    static func sequence(_ content: [UInt8]) -> [UInt8] { element(0x30, content) }

    /// An unsigned number, given big-endian.
    static func integer(_ bytes: some Collection<UInt8>) -> [UInt8] {
        let digits = bytes.drop { $0 == 0 }
        // A set highest bit would make the number negative.
        return element(0x02, (digits.first ?? 0x80) & 0x80 != 0 ? [0] + digits : Array(digits))
    }

    private static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        guard content.count >= 128 else { return [tag, UInt8(content.count)] + content }
        var length: [UInt8] = []
        var rest = content.count
        while rest > 0 {
            length.insert(UInt8(truncatingIfNeeded: rest), at: 0)
            rest >>= 8
        }
        return [tag, 0x80 | UInt8(length.count)] + length + content
    }
}
