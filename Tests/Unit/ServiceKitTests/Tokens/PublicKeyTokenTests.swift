import Models
import ServiceKit
import StrideTestSupport
import Testing

/// Tokens of an issuer that keeps its private keys to itself.
enum Issued {
    static func issuer() throws -> TestIssuer { try TestIssuer(policy: Forge.policy, now: 1_764_460_800) }

    /// A verifier with the issuer's keys and a shared secret, all in files.
    static func verifier(_ keySet: String, cacheCapacity: Int = 100) throws -> TokenVerifier {
        let (secrets, set) = (TemporaryFile("shared:" + Forge.secret), TemporaryFile(keySet))
        let keys = try TokenKeys(files: [secrets.path], keySets: [set.path])
        return TokenVerifier(keys: keys, policy: Forge.policy, cacheCapacity: cacheCapacity)
    }
}

@Suite("Tokens signed with a private key", .timeLimit(.minutes(5)))
struct PublicKeyTokenTests {
    @Test(
        "are accepted with the name of their key or without, and remembered", arguments: TestKeyPair.Algorithm.allCases)
    func accepted(algorithm: TestKeyPair.Algorithm) throws {
        let issuer = try Issued.issuer()
        let verifier = try Issued.verifier(issuer.keySet())
        let headers: [[String: String?]] = [[:], ["kid": nil], ["typ": #""at+jwt""#], ["x": "[1]"]]
        for (index, header) in headers.enumerated() {
            let token = try issuer.token(algorithm, header: issuer.header(algorithm, header))
            for _ in 0..<3 {
                let principal = try verifier.verify(token).get()
                #expect(principal.subject == "u1")
                #expect(principal.userID.description == "14966e63-e15c-86e4-a605-2900b0bc146a")
            }
            #expect(verifier.cachedTokens == index + 1)
        }
    }

    @Test("S1: forged ones are refused, each for its own reason in the log", arguments: TestKeyPair.Algorithm.allCases)
    func forged(algorithm: TestKeyPair.Algorithm) throws {
        let issuer = try Issued.issuer()
        let verifier = try Issued.verifier(issuer.keySet())
        let forged = try issuer.forgedTokens(algorithm)
        #expect(forged.count >= 70)
        #expect(Set(forged.map(\.name)).count == forged.count)
        for row in forged {
            #expect(verifier.verify(row.token) == .failure(row.fault), "\(row.name)")
        }
        #expect(verifier.cachedTokens == 0)
        #expect(throws: Never.self) { try verifier.verify(issuer.token(algorithm)).get() }
    }

    @Test("are refused with any one bit flipped or byte replaced", arguments: TestKeyPair.Algorithm.allCases, [0, 100])
    func mutated(algorithm: TestKeyPair.Algorithm, cacheCapacity: Int) throws {
        let issuer = try Issued.issuer()
        let verifier = try Issued.verifier(issuer.keySet(), cacheCapacity: cacheCapacity)
        let token = Array(try issuer.token(algorithm).utf8)
        _ = try verifier.verify(token).get()
        var random = SeededRandom(state: 7)
        for index in token.indices {
            var bytes = (0..<8).map { token[index] ^ UInt8(1) << UInt8($0) }
            bytes.append(UInt8.random(in: 1...255, using: &random) ^ token[index])
            for byte in bytes {
                var forged = token
                forged[index] = byte
                #expect(throws: TokenFault.self, "\(byte) at \(index)") { try verifier.verify(forged).get() }
            }
        }
    }

    @Test("are refused when cut at any place", arguments: TestKeyPair.Algorithm.allCases, [0, 100])
    func truncated(algorithm: TestKeyPair.Algorithm, cacheCapacity: Int) throws {
        let issuer = try Issued.issuer()
        let verifier = try Issued.verifier(issuer.keySet(), cacheCapacity: cacheCapacity)
        let token = Array(try issuer.token(algorithm).utf8)
        _ = try verifier.verify(token).get()
        for length in token.indices {
            #expect(throws: TokenFault.self, "\(length) bytes") { try verifier.verify(Array(token[..<length])).get() }
            #expect(throws: TokenFault.self, "from \(length + 1)") {
                try verifier.verify(Array(token[(length + 1)...])).get()
            }
        }
    }

    @Test("without a name are tried against the first four keys of their algorithm, with one against theirs")
    func bounded() throws {
        let issuer = try Issued.issuer()
        let (own, foreign) = try issuer.keys(.edDSA)
        func set(_ place: Int) -> String {
            let others = (0..<place).map { foreign.jwk("other-\($0)") }
            return "{\"keys\":[" + (others + [own.jwk(issuer.name(.edDSA))]).joined(separator: ",") + "]}"
        }
        let named = try issuer.token(.edDSA)
        let unnamed = try issuer.token(.edDSA, header: issuer.header(.edDSA, ["kid": nil]))
        #expect(throws: Never.self) { try Issued.verifier(set(3)).verify(unnamed).get() }
        #expect(try Issued.verifier(set(4)).verify(unnamed) == .failure(.badSignature))
        #expect(throws: Never.self) { try Issued.verifier(set(4)).verify(named).get() }
    }

    @Test("have no signer here: a public key makes none")
    func noSigner() throws {
        let file = TemporaryFile(try Issued.issuer().keySet())
        let keys = try TokenKeys(files: [], keySets: [file.path]).current.keys
        #expect(keys.map(\.algorithm) == [.rs256, .es256, .edDSA])
        for key in keys { #expect(TokenSigner(key: key, policy: Forge.policy) == nil) }
    }
}

/// SplitMix64, so that a failure can be run again.
struct SeededRandom: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}
