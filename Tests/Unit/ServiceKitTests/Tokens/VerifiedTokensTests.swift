import Cryptography
import Models
import ServiceKit
import Testing

@Suite("Remembered tokens")
struct VerifiedTokensTests {
    static func token(_ number: Int) throws -> String {
        try Forge.token(claims: Forge.claims(["sub": "\"u\(number)\""]))
    }

    @Test("give the same answer as the first time, each its own user's")
    func sameAnswer() throws {
        let verifier = Forge.verifier()
        let tokens = try (0..<50).map { try Self.token($0) }
        let first = try tokens.map { try verifier.verify($0).get() }
        #expect(verifier.cachedTokens == 50)
        for (index, token) in tokens.enumerated().reversed() {
            #expect(try verifier.verify(token).get() == first[index])
            #expect(first[index].subject == "u\(index)")
        }
        #expect(verifier.cachedTokens == 50)
    }

    @Test("a token with a remembered one's signature and other claims is refused")
    func borrowedSignature() throws {
        let verifier = Forge.verifier()
        let token = try Self.token(1)
        _ = try verifier.verify(token).get()
        let parts = token.split(separator: ".").map(String.init)
        for claims in [Forge.claims(["sub": #""u2""#]), Forge.claims(["scope": #""admin""#])] {
            let forged = parts[0] + "." + Forge.base64(claims) + "." + parts[2]
            #expect(verifier.verify(forged) == .failure(.badSignature))
        }
    }

    @Test("stop counting when they expire and do not count before their time, as the clock says then")
    func times() throws {
        let verifier = Forge.verifier()
        let token = try Forge.token(claims: Forge.claims(["nbf": "1764460800"]))
        func verify(second: Int64) -> Result<Principal, TokenFault> {
            verifier.verify(token, now: Timestamp(milliseconds: second * 1000))
        }
        #expect(throws: Never.self) { try verify(second: 1_764_460_800).get() }
        #expect(throws: Never.self) { try verify(second: 1_764_464_399).get() }
        #expect(verify(second: 1_764_464_400) == .failure(.expired))
        #expect(throws: Never.self) { try verify(second: 1_764_460_740).get() }
        #expect(verify(second: 1_764_460_739) == .failure(.notYetValid))
        #expect(throws: Never.self) { try verify(second: 1_764_460_800).get() }
    }

    @Test("are bounded: the oldest make room, and are verified again when they come back")
    func bounded() throws {
        let verifier = Forge.verifier(cacheCapacity: 10)
        for number in 0..<35 {
            #expect(try verifier.verify(try Self.token(number)).get().subject == "u\(number)")
            #expect(verifier.cachedTokens == min(number + 1, 10))
        }
        for number in 0..<35 { #expect(try verifier.verify(try Self.token(number)).get().subject == "u\(number)") }
        #expect(verifier.cachedTokens == 10)
    }

    @Test("may be long, which are told apart by all of their bytes as well")
    func long() throws {
        let verifier = Forge.verifier()
        let long = (0..<3).map {
            Forge.claims(["sub": "\"u\($0)\"", "x": "\"" + String(repeating: "y", count: 3000) + "\""])
        }
        let tokens = try long.map { try Forge.token(claims: $0) }
        for _ in 0..<3 {
            for (index, token) in tokens.enumerated() {
                #expect(try verifier.verify(token).get().subject == "u\(index)")
            }
        }
        #expect(verifier.cachedTokens == 3)
        let (first, second) = (tokens[0].split(separator: "."), tokens[1].split(separator: "."))
        #expect(verifier.verify("\(first[0]).\(second[1]).\(first[2])") == .failure(.badSignature))
        #expect(verifier.verify(tokens[0] + "A") == .failure(.badSignature))
    }

    @Test("are none when none are wanted")
    func none() throws {
        let without = Forge.verifier(cacheCapacity: 0)
        for _ in 0..<3 { _ = try without.verify(try Self.token(1)).get() }
        #expect(without.cachedTokens == 0)
    }

    @Test("refused tokens are never remembered")
    func refused() throws {
        let verifier = Forge.verifier()
        for number in 0..<50 {
            _ = verifier.verify(
                try Forge.token(claims: Forge.claims(["sub": "\"\(number)\""]), secret: Forge.otherSecret))
        }
        #expect(verifier.cachedTokens == 0)
    }
}
