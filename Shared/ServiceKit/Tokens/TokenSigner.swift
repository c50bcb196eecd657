package import Cryptography
package import Models

/// Makes tokens with a shared secret: for the operator's tool and for tests, never for a service.
package struct TokenSigner: Sendable {
    private let key: TokenKey
    private let secret: Secret
    private let policy: TokenPolicy

    /// A signer whose tokens a verifier with the same policy accepts; nil when the key can only check.
    package init?(key: TokenKey, policy: TokenPolicy) {
        guard case .shared(let secret) = key.material else { return nil }
        self.key = key
        self.secret = secret
        self.policy = policy
    }

    /// A token in compact form.
    ///
    /// - Parameters:
    ///   - subject: the user as the issuer knows them, 1 to 128 bytes; a verifier refuses any other length.
    ///   - scopes: words without a space.
    ///   - issuedAt: written as `iat`, in whole seconds.
    ///   - expiresAt: written as `exp`, in whole seconds.
    /// - Throws: `CryptographyError` when OpenSSL has no memory.
    package func sign(
        subject: String, scopes: [String] = [], issuedAt: Timestamp, expiresAt: Timestamp
    ) throws(CryptographyError) -> String {
        var header = JSONWriter()
        header.beginObject()
        header.member("alg", key.algorithm.rawValue)
        header.member("typ", "JWT")
        if let id = key.id { header.member("kid", id) }
        header.endObject()
        var claims = JSONWriter()
        claims.beginObject()
        claims.member("iss", policy.issuer)
        claims.member("aud", policy.audience)
        claims.member("sub", subject)
        if !scopes.isEmpty { claims.member("scope", scopes.joined(separator: " ")) }
        claims.member("iat", issuedAt.milliseconds / 1000)
        claims.member("exp", expiresAt.milliseconds / 1000)
        claims.endObject()
        var token = Base64URL.encode(header.bytes.span)
        token.append(UInt8(ascii: "."))
        token += Base64URL.encode(claims.bytes.span)
        let code = try secret.withBytes { (bytes) throws(CryptographyError) in
            try HMACSHA256(key: bytes).code(for: token.span)
        }
        token.append(UInt8(ascii: "."))
        token += Base64URL.encode(code.bytes.span)
        return String(decoding: token, as: UTF8.self)
    }
}
