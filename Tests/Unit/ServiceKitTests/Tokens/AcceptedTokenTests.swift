import Models
import ServiceKit
import Testing

@Suite("Genuine tokens")
struct AcceptedTokenTests {
    @Test("are accepted as another implementation makes them, and say who asks")
    func published() throws {
        // Made with Python's hmac and base64 modules.
        let token =
            "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJodHRwczovL2lkLmV4YW1wbGUiLCJhdWQiOiJzdHJpZGUiLCJzdWIiOiJ1"
            + "MSIsInNjb3BlIjoiYSBiIiwiaWF0IjoxNzY0NDYwODAwLCJleHAiOjE3NjQ0NjQ0MDB9.zB-TDoZGXFgvZ9kzgrgLOJvXQ2mwuqEsZv"
            + "0iZ9Amsio"
        let principal = try Forge.verifier().verify(token).get()
        #expect(principal.userID.description == "14966e63-e15c-86e4-a605-2900b0bc146a")
        #expect(principal.subject == "u1")
        #expect(principal.issuer == "https://id.example")
        #expect(principal.scopes == ["a", "b"])
        #expect(principal.has(scope: "b") && !principal.has(scope: "a b") && !principal.has(scope: ""))
        #expect(principal.issuedAt == Forge.now)
        #expect(principal.expiresAt == Timestamp(milliseconds: 1_764_464_400_000))
    }

    @Test(
        "may have a type, a name for the key and members that nobody knows",
        arguments: [
            #"{"alg":"HS256"}"#, #"{"alg":"HS256","typ":"JWT"}"#, #"{"alg":"HS256","typ":"jwt"}"#,
            #"{"alg":"HS256","typ":"at+jwt"}"#, #"{"typ":"AT+JWT","alg":"HS256","x":[1,{"y":null}]}"#,
            #" { "alg" : "HS\u003256" } "#,
        ])
    func headers(header: String) throws {
        #expect(try Forge.verifier().verify(try Forge.token(header: header)).get().subject == "u1")
    }

    @Test(
        "may differ in their claims within the rules",
        arguments: [
            ("aud", #"["x","stride"]"#), ("aud", #"["stride"]"#), ("exp", "1764460801"), ("exp", "1764460800.001"),
            ("exp", "1.7644608005e9"), ("exp", "253402300799"), ("nbf", "1764460860"), ("nbf", "0"),
            ("iat", "1764460860"),
            ("iat", "0"), ("iat", nil), ("scope", nil), ("scope", #""""#), ("x", #"{"sub":"u2","deep":[[[1]]]}"#),
        ] as [(String, String?)])
    func claims(name: String, value: String?) throws {
        let token = try Forge.token(claims: Forge.claims([name: value]))
        let principal = try Forge.verifier().verify(token).get()
        #expect(principal.subject == "u1")
        #expect(name != "scope" || principal.scopes.isEmpty)
        #expect(name != "iat" || value != nil || principal.issuedAt == nil)
    }

    @Test("count until the fraction of a second at which they expire")
    func fraction() throws {
        let token = try Forge.token(claims: Forge.claims(["exp": "1764460800.5"]))
        let verifier = Forge.verifier()
        for _ in 0..<2 {
            #expect(throws: Never.self) {
                try verifier.verify(token, now: Timestamp(milliseconds: 1_764_460_800_499)).get()
            }
            #expect(verifier.verify(token, now: Timestamp(milliseconds: 1_764_460_800_500)) == .failure(.expired))
        }
    }

    @Test("may have a subject of 1 to 128 bytes", arguments: ["x", "zoë \"\\ 🏃", String(repeating: "x", count: 128)])
    func subjects(subject: String) throws {
        let signer = try #require(Forge.key().first.flatMap { TokenSigner(key: $0, policy: Forge.policy) })
        let token = try signer.sign(
            subject: subject, issuedAt: Forge.now, expiresAt: Timestamp(milliseconds: Forge.now.milliseconds + 1000))
        #expect(try Forge.verifier().verify(token).get().subject == subject)
    }

    @Test("choose among named keys, and without a name are tried against all")
    func keyNames() throws {
        let verifier = Forge.verifier(Forge.key(id: "old") + Forge.key(Forge.otherSecret, id: "new"))
        func token(_ header: String, _ secret: String) throws -> String {
            try Forge.token(header: header, secret: secret)
        }
        let named = #"{"alg":"HS256","kid":"new"}"#
        #expect(throws: Never.self) { try verifier.verify(try token(named, Forge.otherSecret)).get() }
        #expect(verifier.verify(try token(named, Forge.secret)) == .failure(.badSignature))
        #expect(throws: Never.self) { try verifier.verify(try token(Forge.header, Forge.otherSecret)).get() }
        #expect(throws: Never.self) { try verifier.verify(try token(Forge.header, Forge.secret)).get() }
    }

    @Test("issuer and subject make the user, and no two pairs the same")
    func users() throws {
        let pairs = [
            ("https://id.example", "u1", "14966e63-e15c-86e4-a605-2900b0bc146a"),
            ("https://id.exampleu", "1", "cb8f4d84-3ab6-80a8-b32c-1ca43aa74e5f"),
            ("i", "zoë", "b2c0ef42-80ab-83ac-8cee-23cca7846051"),
        ]
        for (issuer, subject, user) in pairs {
            #expect(try Principal.userID(issuer: issuer, subject: subject).description == user)
        }
    }
}

@Suite("The signer")
struct TokenSignerTests {
    @Test("makes tokens with the scopes, times and key name given")
    func roundTrip() throws {
        let keys = Forge.key(id: "k-1")
        let signer = try #require(keys.first.flatMap { TokenSigner(key: $0, policy: Forge.policy) })
        let expires = Timestamp(milliseconds: Forge.now.milliseconds + 3_600_000)
        let token = try signer.sign(
            subject: "coach\u{1}", scopes: ["leaderboard:write", "x"], issuedAt: Forge.now, expiresAt: expires)
        let principal = try Forge.verifier(keys).verify(token).get()
        #expect(principal.subject == "coach\u{1}")
        #expect(principal.scopes == ["leaderboard:write", "x"])
        #expect(principal.issuedAt == Forge.now)
        #expect(principal.expiresAt == expires)
        #expect(token.hasPrefix(Forge.base64(#"{"alg":"HS256","typ":"JWT","kid":"k-1"}"#) + "."))
        #expect(Forge.verifier().verify(token) == .failure(.unknownKey))
    }
}
