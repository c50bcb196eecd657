import Cryptography
import StrideTestSupport
import Testing

@testable import ServiceKit

@Suite("JSON Web Key Sets", .timeLimit(.minutes(5)))
struct TokenKeySetTests {
    /// The keys of RFC 7515 appendices A.2 and A.3 and of RFC 8037 appendix A.2.
    static let rsa =
        #""kty":"RSA","e":"AQAB","n":""#
        + "ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZ"
        + "S-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2"
        + "R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcD"
        + #"TW9gb54h4FRWyuXpoQ""#
    static let x = #""x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU""#
    static let y = #""y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0""#
    static let p256 = #""kty":"EC","crv":"P-256","# + x + "," + y
    static let point = #""x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo""#
    static let ed25519 = #""kty":"OKP","crv":"Ed25519","# + point

    static func read(_ keys: String...) -> TokenKeySet {
        TokenKeySet(text: Array("{\"keys\":[\(keys.map { "{\($0)}" }.joined(separator: ","))]}".utf8))
    }

    @Test("give the keys of all kinds with their names, in their order")
    func kinds() {
        let set = Self.read(
            Self.rsa, Self.p256 + #","kid":"a/b+c=","use":"sig","alg":"ES256","x5c":["AA"]"#,
            Self.ed25519 + #","kid":"11","key_ops":["verify"],"alg":"EdDSA","unknown":{}"#)
        #expect(set.keys.map(\.algorithm) == [.rs256, .es256, .edDSA])
        #expect(set.keys.map(\.id) == [nil, "a/b+c=", "11"])
        #expect(set.faults.isEmpty && set.skipped.isEmpty)
    }

    @Test(
        "leave out what is of no use here, and say which",
        arguments: [
            (#""kty":"XYZ","x":"AA""#, "kty"), (#""kty":"rsa""#, "kty"), (#""kty":"AKP","alg":"ML-DSA-44""#, "kty"),
            (#""kty":"EC","crv":"P-384","x":"AA","y":"AA""#, "crv"), (#""kty":"EC","crv":"secp256k1""#, "crv"),
            (#""kty":"OKP","crv":"X25519","# + point, "crv"), (#""kty":"OKP","crv":"Ed448""#, "crv"),
            (rsa + #","use":"enc""#, "use"), (rsa + #","use":"tls""#, "use"),
            (p256 + #","key_ops":["sign"]"#, "key_ops"),
            (p256 + #","key_ops":[]"#, "key_ops"), (rsa + #","alg":"RS512""#, "alg"), (rsa + #","alg":"PS256""#, "alg"),
            (rsa + #","alg":"RSA-OAEP""#, "alg"), (ed25519 + #","alg":"none""#, "alg"),
        ])
    func skipped(key: String, member: String) {
        let set = Self.read(key + #","kid":"k1""#, Self.ed25519)
        #expect(set.keys.count == 1)
        #expect(set.faults.isEmpty)
        #expect(set.skipped == [SkippedTokenKey(place: TokenKeyPlace(index: 0, name: "k1"), member: member)])
        #expect(set.skipped.first?.description == "keys[0] (kid k1): its \(member) is not one that is used here")
        #expect(Self.read(key).faults == [.noKey])
    }

    @Test(
        "refuse keys that must not be used",
        arguments: [
            (rsa + #","d":"AQAB""#, .privateMember), (p256 + #","d":"AA""#, .privateMember),
            (ed25519 + #","d":"AA""#, .privateMember), (rsa + #","p":"AA""#, .privateMember),
            (rsa + #","qi":null"#, .privateMember), (#""kty":"XYZ","d":"AA""#, .privateMember),
            (rsa + #","use":"enc","d":"AA""#, .privateMember), (rsa + #","k":"AA""#, .privateMember),
            (#""kty":"oct","k":"MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY""#, .sharedSecret),
            (#""kty":"oct","alg":"HS256""#, .sharedSecret), (rsa + #","alg":"HS256""#, .otherAlgorithm),
            (rsa + #","alg":"ES256""#, .otherAlgorithm), (p256 + #","alg":"RS256""#, .otherAlgorithm),
            (ed25519 + #","alg":"ES256""#, .otherAlgorithm), (rsa + #","alg":256"#, .member("alg")),
            (rsa + #","use":["sig"]"#, .member("use")), (rsa + #","key_ops":"verify""#, .member("key_ops")),
            (#""kid":"x""#, .member("kty")), (#""kty":1"#, .member("kty")), (#""kty":"EC","# + x, .member("crv")),
            (#""kty":"EC","crv":"P-256","# + x, .member("y")), (#""kty":"RSA","e":"AQAB""#, .member("n")),
            (rsa + #","kid":"""#, .invalidName), (rsa + #","kid":1"#, .invalidName),
            (rsa + #","kid":"a b""#, .invalidName),
            (rsa + #","kid":"a\u0000""#, .invalidName), (rsa + #","kid":"é""#, .invalidName),
            (rsa + ",\"kid\":\"" + String(repeating: "k", count: 129) + "\"", .invalidName),
            (rsa.replacing("AQAB", with: "AQ"), .unsound(.exponent)),
            (rsa.replacing("AQAB", with: "AAEAAQ"), .unsound(.exponent)),
            (rsa.replacing("AQAB", with: "AQAB="), .member("e")),
            (rsa.replacing("AQAB", with: "AQAC"), .unsound(.exponent)),
            (rsa.replacing("AQAB", with: "AR"), .member("e")),
            (rsa.replacing("ofgW", with: "AAfg"), .unsound(.modulusSize)),
            (rsa.replacing("ofgW", with: "of+W"), .member("n")),
            (rsa.replacing("ofgWCuLjybRl", with: ""), .unsound(.modulusSize)),
            (#""kty":"EC","crv":"P-256","x":"AAAA","# + y, .unsound(.coordinateLength)),
            (p256.replacing("x_FE", with: "x_FF"), .unsound(.refusedByLibrary)),
            (#""kty":"OKP","crv":"Ed25519","x":"AAAA""#, .unsound(.coordinateLength)),
            (
                #""kty":"OKP","crv":"Ed25519","x":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA""#,
                .unsound(.weakPoint)
            ),
        ] as [(String, TokenKeyFault.Refusal)])
    func refused(key: String, refusal: TokenKeyFault.Refusal) {
        let set = Self.read(Self.ed25519, key)
        #expect(set.keys.count == 1)
        #expect(set.skipped.isEmpty)
        guard case .refusedKey(let place, let reason) = set.faults.first else {
            Issue.record("no fault for \(key)")
            return
        }
        #expect(reason == refusal)
        #expect(place.index == 1)
        #expect(set.faults.first?.description.contains("MDEyMzQ1Njc4") == false)
    }

    @Test(
        "are an object with a list of keys",
        arguments: [
            "", "{}", "[]", "null", #"{"keys":{}}"#, #"{"keys":null}"#, #"{"Keys":[]}"#, #"{"keys":[]"#,
            #"{"keys":[]}x"#,
            #"{"keys":[],"keys":[]}"#, "{\(rsa)}", "0123456789abcdef0123456789abcdef", "\u{feff}{\"keys\":[]}",
            #"{"keys":[{"kty":"RSA","kty":"RSA"}]}"#,
        ])
    func otherTexts(text: String) {
        #expect(TokenKeySet(text: Array(text.utf8)).faults == [.notAKeySet])
    }

    @Test("hold at least one key, and nothing but objects")
    func empty() {
        #expect(TokenKeySet(text: Array(#"{"keys":[]}"#.utf8)).faults == [.noKey])
        #expect(
            TokenKeySet(text: Array("{\"keys\":[1,{\(Self.p256)},null]}".utf8)).faults
                == [0, 2].map {
                    .refusedKey(TokenKeyPlace(index: $0, name: nil), .notAnObject)
                })
    }

    @Test("cut at any place give no key")
    func truncated() {
        let text = Array("{\"keys\":[{\(Self.p256)},{\(Self.ed25519)},{\(Self.rsa)}]}".utf8)
        for length in text.indices {
            let set = TokenKeySet(text: Array(text[..<length]))
            #expect(set.keys.isEmpty && set.faults == [.notAKeySet], "\(length) bytes")
        }
        #expect(TokenKeySet(text: text).keys.count == 3)
    }

    @Test("with any bytes changed are read without an end, and every key is judged", arguments: 1...4)
    func mutated(seed: UInt64) {
        let text = Array("{\"keys\":[{\(Self.p256),\"kid\":\"a\"},{\(Self.ed25519)},{\(Self.rsa)}]}".utf8)
        let pieces = [#""d":"AA","#, #""kty":"oct""#, "{", "}", "[", "\"", "\\u0000", "null", ",", "1e999", "\u{ff}"]
        var random = SeededRandom(state: seed)
        for round in 0..<400 {
            var changed = text
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let index = Int.random(in: 0..<changed.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: changed[index] = UInt8.random(in: 0...255, using: &random)
                case 1: changed.remove(at: index)
                case 2: changed[index] ^= UInt8(1) << UInt8.random(in: 0..<8, using: &random)
                default:
                    changed.insert(contentsOf: pieces[Int.random(in: 0..<pieces.count, using: &random)].utf8, at: index)
                }
            }
            let set = TokenKeySet(text: changed)
            let judged = set.keys.count + set.skipped.count + set.faults.count
            #expect(judged >= 1, "seed \(seed), round \(round)")
        }
    }
}
