package import Cryptography

/// One key that tokens may be signed with.
package struct TokenKey: Sendable, Equatable {
    /// What the algorithm works with.
    package enum Material: Sendable, Equatable {
        /// A secret that signer and verifier share.
        case shared(Secret)
    }

    /// The shortest shared secret: the length of the code it makes (RFC 7518 §3.2).
    package static let shortestSecret = 32

    /// The name by which a token's `kid` may choose this key; without one the key serves tokens that have no `kid`.
    package let id: String?
    /// The only algorithm this key is used with.
    package let algorithm: TokenAlgorithm
    /// The key itself.
    package let material: Material

    /// A key for HS256, or nil when the secret is shorter than 32 bytes.
    package init?(id: String? = nil, secret: Secret) {
        guard secret.count >= Self.shortestSecret else { return nil }
        self.id = id
        algorithm = .hs256
        material = .shared(secret)
    }
}

/// A key made ready to check signatures; confined to the loop that made it.
final class TokenSignatureCheck {
    let id: String?
    let algorithm: TokenAlgorithm
    private let hmac: HMACSHA256

    init(_ key: TokenKey) throws(CryptographyError) {
        id = key.id
        algorithm = key.algorithm
        hmac =
            switch key.material {
            case .shared(let secret):
                try secret.withBytes { (bytes) throws(CryptographyError) in try HMACSHA256(key: bytes) }
            }
    }

    /// Whether `signature` is this key's over `input`.
    ///
    /// A library that cannot compute says no.
    func accepts(_ signature: Span<UInt8>, over input: Span<UInt8>) -> Bool {
        guard let code = try? hmac.code(for: input) else { return false }
        return code.equals(signature)
    }
}
