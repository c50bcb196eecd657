/// Why a token was refused, for logs and metrics only.
///
/// The caller of a service always gets the same answer, so that nobody learns from it which part of a forged token was right;
/// `description` is that one answer.
package enum TokenFault: String, Error, Sendable, CaseIterable, CustomStringConvertible {
    /// Above 8 KiB.
    case tooLong = "too_long"
    /// Not three parts in base 64 for URLs, or a part that is no JSON object with members that come once.
    case malformed
    /// No algorithm, or one that is not on the list or not the key's.
    case unsupportedAlgorithm = "unsupported_algorithm"
    /// Another kind of token.
    case unsupportedType = "unsupported_type"
    /// A header member that brings a key or changes what is signed.
    case refusedHeader = "refused_header"
    /// A `kid` that names no configured key, or no key at all to check with.
    case unknownKey = "unknown_key"
    /// No configured key made the signature.
    case badSignature = "bad_signature"
    /// No expiry.
    case noExpiry = "no_expiry"
    /// A time that is no number from 1970 to 9999.
    case invalidTime = "invalid_time"
    /// The expiry has passed.
    case expired
    /// The token counts later, or claims to be made later.
    case notYetValid = "not_yet_valid"
    /// Another issuer, or none.
    case wrongIssuer = "wrong_issuer"
    /// Not meant for this system.
    case wrongAudience = "wrong_audience"
    /// No subject, or not 1 to 128 bytes of text.
    case invalidSubject = "invalid_subject"
    /// A scope that is no text.
    case invalidScope = "invalid_scope"

    package var description: String { "the token is missing or not accepted" }
}
