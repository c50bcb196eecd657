internal import Cryptography
internal import Models

/// The text of a JSON Web Key Set (RFC 7517 §5): the public keys of whoever issues the tokens.
///
/// RSA keys check RS256, keys on P-256 ES256, Ed25519 keys EdDSA (RFC 7518 §6, RFC 8037 §2); the key decides, an `alg` may
/// only agree. Keys of another kind, curve, use or algorithm are skipped, so that an issuer may publish them. A key that
/// holds a secret is refused: who checks signatures must not be able to make them.
struct TokenKeySet {
    /// The keys that may be used, in their order.
    private(set) var keys: [TokenKey] = []
    /// What is wrong with others.
    private(set) var faults: [TokenKeyFault] = []
    /// Those that are of no use here.
    private(set) var skipped: [SkippedTokenKey] = []

    private enum Verdict {
        case key(TokenKey)
        case skipped(member: String)
    }

    /// Members that only who signs may hold (RFC 7518 §6.2.2, §6.3.2, §6.4.1; RFC 8037 §2).
    private static let privateMembers = ["d", "p", "q", "dp", "dq", "qi", "oth", "k", "priv"]

    /// Reads the text; never traps, whatever it holds.
    init(text: [UInt8]) {
        guard let set = try? JSONValue.parse(text), case .array(let list) = set[member: "keys"] else {
            faults = [.notAKeySet]
            return
        }
        for (index, entry) in list.enumerated() {
            // A large RSA key takes a while to judge.
            guard keys.count < TokenKeys.most else {
                faults.append(.tooManyKeys)
                break
            }
            let place = TokenKeyPlace(index: index, name: Self.name(of: entry))
            do throws(TokenKeyFault.Refusal) {
                switch try Self.judge(entry, name: place.name) {
                case .key(let key): keys.append(key)
                case .skipped(let member): skipped.append(SkippedTokenKey(place: place, member: member))
                }
            } catch {
                faults.append(.refusedKey(place, error))
            }
        }
        if keys.isEmpty, faults.isEmpty { faults = [.noKey] }
    }

    private static func judge(_ entry: JSONValue, name: String?) throws(TokenKeyFault.Refusal) -> Verdict {
        guard case .object = entry else { throw .notAnObject }
        guard let type = try text("kty", of: entry) else { throw .member("kty") }
        if type == "oct" { throw .sharedSecret }
        for member in privateMembers where entry[member: member] != nil { throw .privateMember }

        guard let (kind, curve) = kinds[type] else { return .skipped(member: "kty") }
        if let curve {
            guard let named = try text("crv", of: entry) else { throw .member("crv") }
            guard named == curve else { return .skipped(member: "crv") }
        }
        if let use = try text("use", of: entry), use != "sig" { return .skipped(member: "use") }
        if let operations = entry[member: "key_ops"] {
            guard case .array(let list) = operations else { throw .member("key_ops") }
            guard list.contains(.string("verify")) else { return .skipped(member: "key_ops") }
        }
        if let text = try text("alg", of: entry) {
            guard let algorithm = TokenAlgorithm(rawValue: text) else { return .skipped(member: "alg") }
            guard algorithm == TokenAlgorithm(kind) else { throw .otherAlgorithm }
        }
        guard name != nil || entry[member: "kid"] == nil else { throw .invalidName }
        return .key(TokenKey(id: name, publicKey: try publicKey(kind, of: entry)))
    }

    private static let kinds: [String: (PublicKey.Kind, curve: String?)] = [
        "RSA": (.rsa, nil), "EC": (.p256, "P-256"), "OKP": (.ed25519, "Ed25519"),
    ]

    private static func publicKey(
        _ kind: PublicKey.Kind, of entry: JSONValue
    ) throws(TokenKeyFault.Refusal) -> PublicKey {
        let names = kind == .rsa ? ["n", "e"] : kind == .p256 ? ["x", "y"] : ["x"]
        var numbers: [[UInt8]] = []
        for name in names { numbers.append(try bytes(name, of: entry)) }
        do throws(PublicKey.Fault) {
            return switch kind {
            case .rsa: try PublicKey(modulus: numbers[0], exponent: numbers[1])
            case .p256: try PublicKey(x: numbers[0], y: numbers[1])
            case .ed25519: try PublicKey(ed25519: numbers[0])
            }
        } catch {
            throw .unsound(error)
        }
    }

    /// The bytes of a member in base 64 for URLs.
    private static func bytes(_ name: String, of entry: JSONValue) throws(TokenKeyFault.Refusal) -> [UInt8] {
        guard let text = try text(name, of: entry), let bytes = Base64URL.decode(Array(text.utf8).span) else {
            throw .member(name)
        }
        return bytes
    }

    /// A member that is a text; nil when it is absent.
    private static func text(_ name: String, of entry: JSONValue) throws(TokenKeyFault.Refusal) -> String? {
        switch entry[member: name] {
        case nil: nil
        case .string(let text): text
        default: throw .member(name)
        }
    }

    /// The `kid`, if it may be one and be shown.
    private static func name(of entry: JSONValue) -> String? {
        guard case .string(let text) = entry[member: "kid"], (1...128).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
        else { return nil }
        return text
    }
}
