internal import Models

/// The claims of a token that were read and found to satisfy the policy (RFC 7519 §4.1).
struct TokenClaims {
    let subject: String
    let scopes: [String]
    let issuedAt: Timestamp?
    let expiresAt: Timestamp
    /// The first moment at which the token counts, with the leeway taken off.
    let countsFrom: Timestamp

    init(_ object: JSONValue, policy: TokenPolicy, now: Timestamp) throws(TokenFault) {
        guard case .string(let issuer) = object[member: "iss"], Self.sameBytes(issuer, policy.issuer) else {
            throw .wrongIssuer
        }
        guard Self.audiences(of: object).contains(where: { Self.sameBytes($0, policy.audience) }) else {
            throw .wrongAudience
        }
        guard case .string(let subject) = object[member: "sub"],
            (1...TokenPolicy.longestSubject).contains(subject.utf8.count)
        else { throw .invalidSubject }
        self.subject = subject
        switch object[member: "scope"] {
        case nil: scopes = []
        case .string(let scope): scopes = scope.split(separator: " ").map(String.init)
        default: throw .invalidScope
        }
        guard let expiresAt = try Self.time("exp", of: object) else { throw .noExpiry }
        self.expiresAt = expiresAt
        issuedAt = try Self.time("iat", of: object)
        let notBefore = try Self.time("nbf", of: object)
        let first = max(notBefore?.milliseconds ?? 0, issuedAt?.milliseconds ?? 0)
        countsFrom = Timestamp(milliseconds: first - TokenPolicy.leewayMilliseconds)
        guard now < expiresAt else { throw .expired }
        guard now >= countsFrom else { throw .notYetValid }
    }

    /// A time in seconds, whole or with a fraction (RFC 7519 §2, NumericDate), from 1970 to 9999.
    ///
    /// The bound also catches milliseconds given for seconds, which would be a token that never expires.
    private static func time(_ name: String, of object: JSONValue) throws(TokenFault) -> Timestamp? {
        guard let value = object[member: name] else { return nil }
        guard case .number(let seconds) = value, !seconds.isNegative, let milliseconds = seconds.thousandths(),
            milliseconds <= 253_402_300_799_999
        else { throw .invalidTime }
        return Timestamp(milliseconds: milliseconds)
    }

    /// One text, or a list of nothing but texts (RFC 7519 §4.1.3); empty when the claim is neither.
    private static func audiences(of object: JSONValue) -> [String] {
        switch object[member: "aud"] {
        case .string(let audience): return [audience]
        case .array(let values):
            let texts = values.compactMap { value -> String? in
                if case .string(let text) = value { text } else { nil }
            }
            return texts.count == values.count ? texts : []
        default: return []
        }
    }

    /// `==` would also take another Unicode spelling of the same text (RFC 7519 §2: case-sensitive, without normalisation).
    private static func sameBytes(_ left: String, _ right: String) -> Bool { left.utf8.elementsEqual(right.utf8) }
}
