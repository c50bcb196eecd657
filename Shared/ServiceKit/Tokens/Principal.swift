package import Cryptography
package import Models
package import Storage

/// Who asks: what a verified token says about its holder.
package struct Principal: Sendable, Equatable {
    /// The user, derived from issuer and subject.
    package let userID: UserID
    /// The token's `sub`.
    package let subject: String
    /// The token's `iss`.
    package let issuer: String
    /// The words of the token's `scope`.
    package let scopes: [String]
    /// The token's `iat`; nil when it does not say, and then it cannot be shown to be newer than anything.
    package let issuedAt: Timestamp?
    /// The first moment at which the token no longer counts.
    package let expiresAt: Timestamp

    /// The same as the one who writes.
    package var writer: Writer { Writer(userID, issuedAt: issuedAt) }

    /// Whether the token grants `scope`.
    package func has(scope: String) -> Bool { scopes.contains(scope) }

    /// The user that an issuer means by a subject.
    ///
    /// A UUID of version 8 (RFC 9562 §5.8): the first 16 bytes of SHA-256 over both texts, each behind its length as eight
    /// bytes, big-endian, so that no two pairs give the same input; then version and variant are set. It is stored with every
    /// row of the user and never changes.
    ///
    /// - Throws: `CryptographyError` when OpenSSL has no memory.
    package static func userID(issuer: String, subject: String) throws(CryptographyError) -> UserID {
        var input: [UInt8] = []
        for text in [issuer, subject] {
            let length = UInt64(text.utf8.count)
            for shift in stride(from: 56, through: 0, by: -8) {
                input.append(UInt8(truncatingIfNeeded: length >> shift))
            }
            input.append(contentsOf: text.utf8)
        }
        let digest = try SHA256.digest(of: input.span)
        func word(_ range: Range<Int>) -> UInt64 { range.reduce(0) { $0 << 8 | UInt64(digest.bytes[$1]) } }
        let version: UInt64 = 8 << 12
        let variant: UInt64 = 0b10 << 62
        let high = word(0..<8) & ~0xf000 | version
        let low = word(8..<16) & ~(0b11 << 62) | variant
        return UserID(UUIDValue(high: high, low: low))
    }
}
