import ServiceKit
import Testing

@Suite("S1: forged tokens")
struct ForgedTokenTests {
    struct Forged: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let token: String
        let fault: TokenFault

        init(_ name: String, _ fault: TokenFault, _ token: String) {
            testDescription = name
            self.fault = fault
            self.token = token
        }
    }

    /// A table whose tokens could not be made is empty, which the test of the tables' sizes finds.
    static func table(_ rows: () throws -> [Forged]) -> [Forged] { (try? rows()) ?? [] }

    static func withHeader(_ header: String) throws -> String { try Forge.token(header: header) }
    static func withClaim(_ name: String, _ value: String?) throws -> String {
        try Forge.token(claims: Forge.claims([name: value]))
    }

    static let algorithms: [Forged] = table {
        try [
            "none", "None", "NONE", "nOnE", "HS384", "HS512", "RS256", "ES256", "PS256", "EdDSA", "hs256", "HS256 ", "",
        ]
        .map { Forged("alg \($0)", .unsupportedAlgorithm, try withHeader(#"{"alg":"\#($0)"}"#)) }
    }

    static let headers: [Forged] = table {
        [
            Forged("no alg", .unsupportedAlgorithm, try withHeader(#"{"typ":"JWT"}"#)),
            Forged("alg null", .unsupportedAlgorithm, try withHeader(#"{"alg":null}"#)),
            Forged("alg number", .unsupportedAlgorithm, try withHeader(#"{"alg":256}"#)),
            Forged("alg list", .unsupportedAlgorithm, try withHeader(#"{"alg":["HS256"]}"#)),
            Forged("jwk", .refusedHeader, try withHeader(#"{"alg":"HS256","jwk":{"kty":"oct","k":"AA"}}"#)),
            Forged("jku", .refusedHeader, try withHeader(#"{"alg":"HS256","jku":"https://evil.example/k"}"#)),
            Forged("x5u", .refusedHeader, try withHeader(#"{"alg":"HS256","x5u":"https://evil.example/k"}"#)),
            Forged("x5c", .refusedHeader, try withHeader(#"{"alg":"HS256","x5c":["AA"]}"#)),
            Forged("crit", .refusedHeader, try withHeader(#"{"alg":"HS256","crit":["exp"],"exp":1}"#)),
            Forged("crit empty", .refusedHeader, try withHeader(#"{"alg":"HS256","crit":[]}"#)),
            Forged("crit null", .refusedHeader, try withHeader(#"{"alg":"HS256","crit":null}"#)),
            Forged("b64", .refusedHeader, try withHeader(#"{"alg":"HS256","b64":false}"#)),
            Forged("typ other", .unsupportedType, try withHeader(#"{"alg":"HS256","typ":"JWE"}"#)),
            Forged("typ empty", .unsupportedType, try withHeader(#"{"alg":"HS256","typ":""}"#)),
            Forged("typ number", .unsupportedType, try withHeader(#"{"alg":"HS256","typ":1}"#)),
            Forged("kid path", .unknownKey, try withHeader(#"{"alg":"HS256","kid":"../../etc/passwd"}"#)),
            Forged("kid SQL", .unknownKey, try withHeader(#"{"alg":"HS256","kid":"' UNION SELECT 'x' --"}"#)),
            Forged("kid empty", .unknownKey, try withHeader(#"{"alg":"HS256","kid":""}"#)),
            Forged("kid number", .unknownKey, try withHeader(#"{"alg":"HS256","kid":0}"#)),
            Forged("kid in other case", .unknownKey, try withHeader(#"{"alg":"HS256","kid":"NAMED"}"#)),
            Forged("kid of another key", .badSignature, try withHeader(#"{"alg":"HS256","kid":"named"}"#)),
            Forged("alg twice", .malformed, try withHeader(#"{"alg":"HS256","alg":"HS256"}"#)),
            Forged("alg twice, once escaped", .malformed, try withHeader(#"{"alg":"HS256","\u0061lg":"none"}"#)),
            Forged("header is a list", .malformed, try withHeader(#"["HS256"]"#)),
            Forged("header is no JSON", .malformed, try withHeader("alg=HS256")),
            Forged("two headers", .malformed, try withHeader(#"{"alg":"HS256"}{"alg":"HS256"}"#)),
            Forged("deep header", .malformed, try withHeader(#"{"alg":"HS256","a":"# + deep(1000) + "}")),
        ]
    }

    static let claims: [Forged] = table {
        [
            Forged("other iss", .wrongIssuer, try withClaim("iss", #""https://evil.example""#)),
            Forged("longer iss", .wrongIssuer, try withClaim("iss", #""https://id.example/""#)),
            Forged("iss list", .wrongIssuer, try withClaim("iss", #"["https://id.example"]"#)),
            Forged("no iss", .wrongIssuer, try withClaim("iss", nil)),
            Forged("other aud", .wrongAudience, try withClaim("aud", #""strid""#)),
            Forged("aud without us", .wrongAudience, try withClaim("aud", #"["a","b"]"#)),
            Forged("aud empty", .wrongAudience, try withClaim("aud", "[]")),
            Forged("aud mixed", .wrongAudience, try withClaim("aud", #"["stride",1]"#)),
            Forged("aud nested", .wrongAudience, try withClaim("aud", #"[["stride"]]"#)),
            Forged("no aud", .wrongAudience, try withClaim("aud", nil)),
            Forged("expired", .expired, try withClaim("exp", "1764460799")),
            Forged("expires this moment", .expired, try withClaim("exp", "1764460800")),
            Forged("no exp", .noExpiry, try withClaim("exp", nil)),
            Forged("exp text", .invalidTime, try withClaim("exp", #""1764464400""#)),
            Forged("exp null", .invalidTime, try withClaim("exp", "null")),
            Forged("exp true", .invalidTime, try withClaim("exp", "true")),
            Forged("exp negative", .invalidTime, try withClaim("exp", "-1")),
            Forged("exp just below 0", .invalidTime, try withClaim("exp", "-0.0001")),
            Forged("exp in milliseconds", .invalidTime, try withClaim("exp", "1764464400000")),
            Forged("exp 2^63", .invalidTime, try withClaim("exp", "9223372036854775808")),
            Forged("nbf later", .notYetValid, try withClaim("nbf", "1764460861")),
            Forged("iat later", .notYetValid, try withClaim("iat", "1764460861")),
            Forged("iat far", .notYetValid, try withClaim("iat", "9999999999")),
            Forged("nbf text", .invalidTime, try withClaim("nbf", #""0""#)),
            Forged("iat text", .invalidTime, try withClaim("iat", #""0""#)),
            Forged("no sub", .invalidSubject, try withClaim("sub", nil)),
            Forged("sub empty", .invalidSubject, try withClaim("sub", #""""#)),
            Forged(
                "sub of 129 bytes", .invalidSubject,
                try withClaim("sub", "\"é" + String(repeating: "x", count: 127) + "\"")),
            Forged("sub number", .invalidSubject, try withClaim("sub", "1")),
            Forged("scope list", .invalidScope, try withClaim("scope", #"["a"]"#)),
        ]
    }

    static let payloads: [Forged] = table {
        [
            Forged("exp 1e400", .invalidTime, try withClaim("exp", "1e400")),
            Forged("exp NaN", .malformed, try withClaim("exp", "NaN")),
            Forged("sub twice", .malformed, try Forge.token(claims: #"{"sub":"a","# + Forge.claims.dropFirst())),
            Forged(
                "sub twice, once escaped", .malformed,
                try Forge.token(claims: #"{"\u0073ub":"a","# + Forge.claims.dropFirst())),
            Forged("unknown twice", .malformed, try Forge.token(claims: #"{"x":1,"x":1,"# + Forge.claims.dropFirst())),
            Forged("a list", .malformed, try Forge.token(claims: "[\(Forge.claims)]")),
            Forged("a text", .malformed, try Forge.token(claims: #""sub""#)),
            Forged("null", .malformed, try Forge.token(claims: "null")),
            Forged("a number", .malformed, try Forge.token(claims: "1")),
            Forged("trailing text", .malformed, try Forge.token(claims: Forge.claims + "x")),
            Forged("cut", .malformed, try Forge.token(claims: String(Forge.claims.dropLast()))),
            Forged("deep", .malformed, try withClaim("x", deep(1500))),
            Forged("lone surrogate", .malformed, try withClaim("sub", #""\ud800""#)),
            Forged(
                "damaged UTF-8", .malformed, try Forge.signed(Forge.base64(Forge.header) + "." + Forge.base64(damaged))),
            Forged("a byte order mark", .malformed, try Forge.token(claims: "\u{feff}" + Forge.claims)),
        ]
    }

    static let forms: [Forged] = table {
        let good = try Forge.token()
        let parts = good.split(separator: ".").map(String.init)
        let unsigned = Forge.base64(#"{"alg":"none"}"#) + "." + parts[1]
        return [
            Forged("nothing", .malformed, ""), Forged("one dot", .malformed, "."), Forged("two dots", .malformed, ".."),
            Forged("three dots", .malformed, "..."), Forged("one part", .malformed, parts[0]),
            Forged("two parts", .malformed, parts[0] + "." + parts[1]),
            Forged("four parts", .malformed, good + "." + parts[2]),
            Forged("five parts", .malformed, good + ".." + parts[2]),
            Forged("dot behind", .malformed, good + "."), Forged("dot before", .malformed, "." + good),
            Forged("none without a signature", .malformed, unsigned + "."),
            Forged("none with a signature", .unsupportedAlgorithm, unsigned + "." + parts[2]),
            Forged("empty signature", .malformed, parts[0] + "." + parts[1] + "."),
            Forged("empty header", .malformed, "." + parts[1] + "." + parts[2]),
            Forged("empty payload", .malformed, parts[0] + ".." + parts[2]),
            Forged("short signature", .badSignature, parts[0] + "." + parts[1] + "." + Forge.base64([1, 2, 3])),
            Forged("long signature", .badSignature, parts[0] + "." + parts[1] + "." + Forge.base64(Array(0...40))),
            Forged(
                "signature of zeros", .badSignature,
                parts[0] + "." + parts[1] + "." + Forge.base64(Array(repeating: 0, count: 32))),
            Forged(
                "other payload, same signature", .badSignature,
                parts[0] + "." + Forge.base64(Forge.claims(["sub": #""u2""#])) + "." + parts[2]),
            Forged("another secret", .badSignature, try Forge.token(secret: Forge.otherSecret + "x")),
            Forged("the empty secret", .badSignature, try Forge.token(secret: "")),
            Forged("space before", .malformed, " " + good), Forged("space behind", .malformed, good + " "),
            Forged("line feed behind", .malformed, good + "\n"), Forged("NUL behind", .malformed, good + "\0"),
            Forged("space inside", .malformed, parts.joined(separator: " .")),
            Forged("padding", .malformed, good + "="),
            Forged("padding inside", .malformed, parts[0] + "=." + parts[1] + "." + parts[2]),
            Forged(
                "the other alphabet", .malformed, parts[0] + "." + parts[1] + "." + String(repeating: "+", count: 43)),
            Forged("loose bits", .malformed, String(good.dropLast()) + next(good.last)),
            Forged("8 KiB and one", .tooLong, String(repeating: "a", count: 8193)),
            Forged("8 KiB of dots", .malformed, String(repeating: ".", count: 8192)),
            Forged(
                "genuine but too long", .tooLong, try withClaim("x", "\"" + String(repeating: "y", count: 6000) + "\"")),
        ]
    }

    @Test(
        "are refused, each for its own reason in the log",
        arguments: [algorithms, headers, claims, payloads, forms].flatMap(\.self))
    func refused(forged: Forged) {
        // The second key has a name, so that a token can try to choose.
        let verifier = Forge.verifier(Forge.key() + Forge.key(Forge.otherSecret, id: "named"))
        #expect(verifier.verify(forged.token) == .failure(forged.fault))
        #expect(verifier.cachedTokens == 0)
    }

    @Test("the tables hold what they should, and their model is accepted")
    func tables() throws {
        #expect(Self.algorithms.count == 13)
        #expect(Self.headers.count == 27)
        #expect(Self.claims.count == 30)
        #expect(Self.payloads.count == 15)
        #expect(Self.forms.count == 33)
        #expect(throws: Never.self) { try Forge.verifier().verify(try Forge.token()).get() }
    }

    @Test("the Kelvin sign is no K, in an issuer or an audience")
    func unicodeSpelling() throws {
        let policy = TokenPolicy(issuer: "https://K.example", audience: "K")
        let verifier = TokenVerifier(keys: TokenKeys(Forge.key()), policy: policy)
        func verify(_ issuer: String, _ audience: String) throws -> Result<Principal, TokenFault> {
            let claims = Forge.claims(["iss": "\"\(issuer)\"", "aud": "\"\(audience)\""])
            return verifier.verify(try Forge.token(claims: claims))
        }
        #expect(throws: Never.self) { try verify("https://K.example", "K").get() }
        #expect(try verify("https://\u{212a}.example", "K") == .failure(.wrongIssuer))
        #expect(try verify("https://K.example", "\u{212a}") == .failure(.wrongAudience))
    }

    @Test("all get the same answer")
    func sameAnswer() {
        #expect(Set(TokenFault.allCases.map(\.description)).count == 1)
    }

    @Test("a token cut at any place is refused, whether or not the whole one is remembered", arguments: [0, 100])
    func truncated(cacheCapacity: Int) throws {
        let token = Array(try Forge.token().utf8)
        let verifier = Forge.verifier(cacheCapacity: cacheCapacity)
        _ = try verifier.verify(token).get()
        for length in token.indices {
            #expect(throws: TokenFault.self, "\(length) bytes") { try verifier.verify(Array(token[..<length])).get() }
            #expect(throws: TokenFault.self, "from \(length + 1)") {
                try verifier.verify(Array(token[(length + 1)...])).get()
            }
        }
    }

    @Test(
        "a token with any one bit flipped is refused, whether or not the right one is remembered", arguments: [0, 100])
    func flipped(cacheCapacity: Int) throws {
        let token = Array(try Forge.token().utf8)
        let verifier = Forge.verifier(cacheCapacity: cacheCapacity)
        _ = try verifier.verify(token).get()
        for index in token.indices {
            for bit in 0..<8 {
                var forged = token
                forged[index] ^= UInt8(1) << UInt8(bit)
                #expect(throws: TokenFault.self, "bit \(bit) of byte \(index)") { try verifier.verify(forged).get() }
            }
        }
    }

    private static func deep(_ levels: Int) -> String {
        String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
    }

    private static let damaged: [UInt8] = Array(Forge.claims.utf8).map { $0 == UInt8(ascii: "1") ? 0xff : $0 }

    /// The character behind this one in the alphabet: the same bytes with a loose bit set.
    private static func next(_ character: Character?) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        guard let character, let index = alphabet.firstIndex(of: character), index % 4 == 0 else { return "=" }
        return String(alphabet[index + 1])
    }
}
