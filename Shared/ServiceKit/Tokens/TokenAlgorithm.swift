/// The signature algorithms that a token may name: a closed list, and the key decides which one of it applies.
///
/// A token's `alg` is only compared with the algorithm of the configured key, never used to choose one (RFC 8725 §3.1), so
/// neither `none` nor a public key used as a shared secret can pass. Public-key algorithms join as further cases, with their key
/// material in `TokenKey.Material` and their check in `TokenSignatureCheck`.
package enum TokenAlgorithm: String, Sendable {
    /// HMAC with SHA-256 (RFC 7518 §3.2).
    case hs256 = "HS256"
}
