/// What a token must say, beside being signed.
package struct TokenPolicy: Sendable {
    /// The only issuer that is accepted, compared byte by byte.
    package let issuer: String
    /// The audience that a token must name, alone or among others.
    package let audience: String

    /// The longest token in bytes.
    static let longestToken = 8192
    /// The longest subject in bytes.
    static let longestSubject = 128
    /// How far a clock that issues tokens may be ahead of ours.
    ///
    /// It is not granted to the expiry.
    static let leewayMilliseconds: Int64 = 60_000

    /// A policy with issuer and audience as configured.
    package init(issuer: String, audience: String) {
        self.issuer = issuer
        self.audience = audience
    }
}
