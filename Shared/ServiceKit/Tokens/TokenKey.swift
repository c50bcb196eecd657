package import Cryptography

/// One key that tokens may be signed with.
package struct TokenKey: Sendable, Equatable {
    /// What the algorithm works with.
    package enum Material: Sendable, Equatable {
        /// A secret that signer and verifier share.
        case shared(Secret)
        /// The signer's public key.
        case published(PublicKey)
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

    /// A key for the one algorithm of its kind.
    package init(id: String? = nil, publicKey: PublicKey) {
        self.id = id
        algorithm = TokenAlgorithm(publicKey.kind)
        material = .published(publicKey)
    }

    /// Whether this is the key of that name; `==` would also take another Unicode spelling of the same text.
    func isNamed(_ name: String) -> Bool { id.map { $0.utf8.elementsEqual(name.utf8) } ?? false }
}

/// A key made ready to check signatures; confined to the loop that made it.
final class TokenSignatureCheck {
    let key: TokenKey
    private let check: Check

    private enum Check {
        case code(HMACSHA256)
        case signature(SignatureVerifier)
    }

    init(_ key: TokenKey) throws(CryptographyError) {
        self.key = key
        check =
            switch key.material {
            case .shared(let secret):
                .code(try secret.withBytes { (bytes) throws(CryptographyError) in try HMACSHA256(key: bytes) })
            case .published(let publicKey): .signature(try SignatureVerifier(publicKey))
            }
    }

    /// Whether `signature` is this key's over `input`.
    ///
    /// A library that cannot compute says no.
    func accepts(_ signature: [UInt8], over input: Span<UInt8>) -> Bool {
        switch check {
        case .code(let hmac):
            guard let code = try? hmac.code(for: input) else { return false }
            return code.equals(signature.span)
        case .signature(let verifier): return verifier.accepts(signature, over: input)
        }
    }
}
