import Cryptography
package import ServiceKit

/// A token that must be refused.
package struct ForgedToken: Sendable {
    /// What is wrong with it.
    package let name: String
    /// The reason that a log tells.
    package let fault: TokenFault
    /// The token.
    package let token: String

    init(_ name: String, _ fault: TokenFault, _ token: String) {
        self.name = name
        self.fault = fault
        self.token = token
    }
}

extension TestIssuer {
    /// Tokens that a verifier with this issuer's keys and at least one shared secret must refuse.
    package func forgedTokens(_ algorithm: TestKeyPair.Algorithm) throws -> [ForgedToken] {
        try forgedHeaders(algorithm) + confusedTokens(algorithm) + forgedClaims(algorithm) + forgedForms(algorithm)
            + forgedSignatures(algorithm)
    }

    private func forgedHeaders(_ algorithm: TestKeyPair.Algorithm) throws -> [ForgedToken] {
        let (own, foreign) = try keys(algorithm)
        let word = algorithm.rawValue
        let other: TestKeyPair.Algorithm = algorithm == .rs256 ? .es256 : .rs256
        func signed(_ name: String, _ fault: TokenFault, _ changes: [String: String?]) throws -> ForgedToken {
            ForgedToken(name, fault, try token(algorithm, header: header(algorithm, changes)))
        }
        let algorithms = [
            "none", "None", word.lowercased(), word.uppercased() + " ", "RS512", "PS256", "ES384", "Ed25519", "",
        ]
        let brought = try foreign.token(
            header: header(algorithm, ["jwk": foreign.jwk(), "kid": nil]), claims: claims())
        return try algorithms.map { try signed("alg \($0)", .unsupportedAlgorithm, ["alg": "\"\($0)\""]) } + [
            signed("no alg", .unsupportedAlgorithm, ["alg": nil]),
            signed("alg of another key", .unsupportedAlgorithm, ["alg": "\"\(other.rawValue)\""]),
            signed("kid of another key", .unsupportedAlgorithm, ["kid": "\"\(name(other))\""]),
            signed(
                "alg and kid of another key", .badSignature,
                ["alg": "\"\(other.rawValue)\"", "kid": "\"\(name(other))\""]),
            ForgedToken("own key brought along", .refusedHeader, brought),
            signed("jwk", .refusedHeader, ["jwk": own.jwk()]),
            signed("jku", .refusedHeader, ["jku": #""https://evil.example/jwks.json""#]),
            signed("x5u", .refusedHeader, ["x5u": #""https://evil.example/key.pem""#]),
            signed("x5c", .refusedHeader, ["x5c": "[\"\(TestKeyPair.base64(foreign.encoded))\"]"]),
            signed("crit", .refusedHeader, ["crit": #"["exp"]"#]),
            signed("b64", .refusedHeader, ["b64": "false", "crit": #"["b64"]"#]),
            signed("kid path", .unknownKey, ["kid": #""../../../dev/null""#]),
            signed("kid SQL", .unknownKey, ["kid": #""x' UNION SELECT 'secret' --""#]),
            signed("kid empty", .unknownKey, ["kid": #""""#]),
            signed("kid null", .unknownKey, ["kid": "null"]),
            signed("kid in other case", .unknownKey, ["kid": "\"\(name(algorithm).uppercased())\""]),
            signed("typ of another kind", .unsupportedType, ["typ": #""JWE""#]),
            ForgedToken(
                "alg twice", .malformed,
                token(algorithm, header: "{\"alg\":\"none\"," + header(algorithm).dropFirst())),
            ForgedToken(
                "nested", .malformed,
                own.token(header: header(algorithm, ["cty": #""JWT""#]), claims: token(algorithm))),
        ]
    }

    /// Codes made with what is public, which a verifier that trusts `alg` would take for the key (RFC 8725 §2.1).
    private func confusedTokens(_ algorithm: TestKeyPair.Algorithm) throws -> [ForgedToken] {
        let own = try keys(algorithm).own
        let pem = own.pem
        var secrets: [(String, [UInt8])] = [
            ("DER", own.encoded), ("PEM", Array(pem.utf8)),
            ("PEM without its last line feed", Array(pem.utf8.dropLast())),
            ("JWK", Array(own.jwk(name(algorithm)).utf8)), ("nothing", []),
        ]
        for (name, bytes) in own.numbers {
            secrets.append((name, bytes))
            secrets.append(("text of \(name)", Array(TestKeyPair.base64(bytes).utf8)))
        }
        return try secrets.flatMap { name, secret in
            try [(self.name(algorithm), TokenFault.unsupportedAlgorithm), (nil, .badSignature)].map { kid, fault in
                let header = header(algorithm, ["alg": #""HS256""#, "kid": kid.map { "\"\($0)\"" }])
                let text = TestKeyPair.base64(Array(header.utf8)) + "." + TestKeyPair.base64(Array(claims().utf8))
                let code = try HMACSHA256(key: secret.span).code(for: Array(text.utf8).span)
                let bytes = code.bytes.indices.map { code.bytes[$0] }
                return ForgedToken(
                    "HS256 with the \(name), \(kid == nil ? "without" : "with") kid", fault,
                    text + "." + TestKeyPair.base64(bytes))
            }
        }
    }

    private func forgedClaims(_ algorithm: TestKeyPair.Algorithm) throws -> [ForgedToken] {
        func signed(_ name: String, _ fault: TokenFault, _ changes: [String: String?]) throws -> ForgedToken {
            ForgedToken(name, fault, try token(algorithm, claims: claims("u1", changes)))
        }
        return try [
            signed("other iss", .wrongIssuer, ["iss": #""https://evil.example""#]),
            signed("other aud", .wrongAudience, ["aud": #""other""#]),
            signed("expired", .expired, ["exp": "\(now)"]),
            signed("no exp", .noExpiry, ["exp": nil]),
            signed("nbf later", .notYetValid, ["nbf": "\(now + 61)"]),
            signed("no sub", .invalidSubject, ["sub": nil]),
            signed("genuine but too long", .tooLong, ["x": "\"" + String(repeating: "y", count: 6200) + "\""]),
            ForgedToken(
                "sub twice", .malformed, token(algorithm, claims: "{\"sub\":\"u2\"," + claims().dropFirst())),
        ]
    }
}
