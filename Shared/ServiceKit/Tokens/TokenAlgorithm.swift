internal import Cryptography

/// The signature algorithms that a token may name: a closed list, and the key decides which one of it applies.
///
/// A token's `alg` is only compared with the algorithm of the configured key, never used to choose one (RFC 8725 §3.1), so
/// neither `none` nor a public key used as a shared secret can pass. A further algorithm joins as a case here, with its key
/// material in `TokenKey.Material` and its check in `TokenSignatureCheck`.
package enum TokenAlgorithm: String, Sendable, CaseIterable {
    /// HMAC with SHA-256 (RFC 7518 §3.2).
    case hs256 = "HS256"
    /// RSASSA-PKCS1-v1_5 with SHA-256 (RFC 7518 §3.3).
    case rs256 = "RS256"
    /// ECDSA on P-256 with SHA-256 (RFC 7518 §3.4).
    case es256 = "ES256"
    /// Ed25519 (RFC 8037 §3.1); the other curve of that name is not used.
    case edDSA = "EdDSA"

    /// The one algorithm that a kind of public key works with.
    init(_ kind: PublicKey.Kind) {
        self =
            switch kind {
            case .rsa: .rs256
            case .p256: .es256
            case .ed25519: .edDSA
            }
    }

    /// How many keys a token without a `kid` is tried against, in the order of the files.
    ///
    /// A check with a public key costs up to a hundred times as much as one with a secret, and a stranger's token has a
    /// loop make all of them. Four are enough to replace keys; an issuer with more names them.
    var mostTried: Int { self == .hs256 ? TokenKeys.most : 4 }
}
