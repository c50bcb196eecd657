import Cryptography
import Models
import ServiceKit

/// Makes tokens of any shape, right and wrong.
enum Forge {
    static let secret = "0123456789abcdef0123456789abcdef"
    static let otherSecret = "fedcba9876543210fedcba9876543210"
    static let policy = TokenPolicy(issuer: "https://id.example", audience: "stride")
    /// 2025-11-30T00:00:00Z.
    static let now = Timestamp(milliseconds: 1_764_460_800_000)

    static let header = #"{"alg":"HS256","typ":"JWT"}"#
    static let claims = claims()

    /// Claims that are accepted, with members replaced by the JSON given, or left out where it is nil.
    static func claims(_ changes: [String: String?] = [:]) -> String {
        var members: [(String, String?)] = [
            ("iss", #""https://id.example""#), ("aud", #""stride""#), ("sub", #""u1""#), ("scope", #""a b""#),
            ("iat", "1764460800"), ("exp", "1764464400"),
        ]
        for (name, value) in changes {
            if let index = members.firstIndex(where: { $0.0 == name }) {
                members[index].1 = value
            } else {
                members.append((name, value))
            }
        }
        return "{" + members.compactMap { name, value in value.map { "\"\(name)\":\($0)" } }.joined(separator: ",")
            + "}"
    }

    static func base64(_ text: String) -> String { base64(Array(text.utf8)) }
    static func base64(_ bytes: [UInt8]) -> String { String(decoding: Base64URL.encode(bytes.span), as: UTF8.self) }

    /// A token with these texts in it, signed with the secret given.
    static func token(
        header: String = header, claims: String = claims, secret: String = secret
    ) throws -> String {
        try signed(base64(header) + "." + base64(claims), secret: secret)
    }

    /// Appends the signature of a text that need not be a token's.
    static func signed(_ text: String, secret: String = secret) throws -> String {
        let hmac = try HMACSHA256(key: Array(secret.utf8).span)
        let code = try hmac.code(for: Array(text.utf8).span)
        return text + "." + base64(code.bytes.indices.map { code.bytes[$0] })
    }

    static func key(_ secret: String = secret, id: String? = nil) -> [TokenKey] {
        [TokenKey(id: id, secret: Secret(secret))].compactMap { $0 }
    }

    static func verifier(_ keys: [TokenKey] = key(), cacheCapacity: Int = 100) -> TokenVerifier {
        TokenVerifier(keys: TokenKeys(keys), policy: policy, cacheCapacity: cacheCapacity)
    }
}

extension TokenVerifier {
    func verify(_ token: String, now: Timestamp = Forge.now) -> Result<Principal, TokenFault> {
        verify(Array(token.utf8), now: now)
    }

    func verify(_ token: [UInt8], now: Timestamp = Forge.now) -> Result<Principal, TokenFault> {
        verify(token.span, now: now)
    }
}
