import ServiceKit

extension TestIssuer {
    /// One good token in other writings.
    func forgedForms(_ algorithm: TestKeyPair.Algorithm) throws -> [ForgedToken] {
        let good = try token(algorithm)
        let parts = good.split(separator: ".").map(String.init)
        let unsigned = TestKeyPair.base64(Array(#"{"alg":"none"}"#.utf8)) + "." + parts[1] + "."
        return [
            ForgedToken("none without a signature", .malformed, unsigned),
            ForgedToken("no signature", .malformed, parts[0] + "." + parts[1] + "."),
            ForgedToken("dot behind", .malformed, good + "."),
            ForgedToken("four parts", .malformed, good + "." + parts[2]),
            ForgedToken("padding", .malformed, good + "=="),
            ForgedToken("line feed in the signature", .malformed, parts[0] + "." + parts[1] + ".\n" + parts[2]),
            ForgedToken("space in the payload", .badSignature, parts[0] + ". " + parts[1] + "." + parts[2]),
            ForgedToken("loose bits", .malformed, String(good.dropLast()) + Self.behind(good.last)),
            ForgedToken("the other alphabet", .malformed, good.replacing(parts[2], with: "+/" + parts[2].dropFirst(2))),
            ForgedToken(
                "other payload, same signature", .badSignature,
                parts[0] + "." + TestKeyPair.base64(Array(claims("u2").utf8)) + "." + parts[2]),
        ]
    }

    /// A genuine text with a signature that is none.
    func forgedSignatures(_ algorithm: TestKeyPair.Algorithm) throws -> [ForgedToken] {
        let (own, foreign) = try keys(algorithm)
        let text = [header(algorithm), claims()].map { TestKeyPair.base64(Array($0.utf8)) }.joined(separator: ".")
        let good = try own.sign(text)
        let zeros = [UInt8](repeating: 0, count: good.count)
        var signatures: [(String, [UInt8])] = [
            ("another key's signature", try foreign.sign(text)), ("zeros", zeros), ("one byte less", good.dropLast()),
            ("one byte more", good + [0]), ("a zero before it", [0] + good), ("one byte", [0]),
            ("ones", [UInt8](repeating: 0xff, count: good.count)), ("twice", good + good),
        ]
        switch algorithm {
        case .rs256: signatures += Self.rsaSignatures(modulus: own.numbers[0].bytes)
        case .es256: signatures += Self.ecdsaSignatures(r: Array(good.prefix(32)), s: Array(good.suffix(32)))
        case .edDSA:
            let (point, number) = (Array(good.prefix(32)), Array(good.suffix(32)))
            signatures.append(("S not below the order", point + Self.addingOrderOfEd25519(number)))
            signatures.append(("S with its highest bit set", good.dropLast() + [(good.last ?? 0) | 0x80]))
            signatures.append(("the point that is nothing, S 0", [1] + zeros.dropLast()))
        }
        return signatures.map { ForgedToken($0, .badSignature, text + "." + TestKeyPair.base64($1)) }
    }

    private static func rsaSignatures(modulus: [UInt8]) -> [(String, [UInt8])] {
        let zeros = [UInt8](repeating: 0, count: modulus.count - 1)
        return [
            ("the number 1", zeros + [1]), ("the modulus", modulus),
            ("the modulus less 1", modulus.dropLast() + [(modulus.last ?? 1) - 1]),
        ]
    }

    private static func ecdsaSignatures(r: [UInt8], s: [UInt8]) -> [(String, [UInt8])] {
        let zero = [UInt8](repeating: 0, count: 32)
        let one = Array(zero.dropLast()) + [1]
        return [
            ("r 0", zero + s), ("s 0", r + zero), ("r the order", orderOfP256 + s), ("s the order", r + orderOfP256),
            ("r and s the order", orderOfP256 + orderOfP256), ("r and s 1", one + one), ("swapped", s + r),
            ("DER", encoded(r, s)),
        ]
    }

    /// The group's order (SEC 2 §2.4.2).
    private static let orderOfP256: [UInt8] = [
        0xff, 0xff, 0xff, 0xff, 0x00, 0x00, 0x00, 0x00, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
        0xbc, 0xe6, 0xfa, 0xad, 0xa7, 0x17, 0x9e, 0x84, 0xf3, 0xb9, 0xca, 0xc2, 0xfc, 0x63, 0x25, 0x51,
    ]

    /// Adds 2²⁵² + 27742317777372353535851937790883648493 (RFC 8032 §5.1), little-endian.
    private static func addingOrderOfEd25519(_ number: [UInt8]) -> [UInt8] {
        let order: [UInt8] =
            [0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14]
            + [UInt8](repeating: 0, count: 15) + [0x10]
        var carry = 0
        return zip(number, order).map { left, right in
            let sum = Int(left) + Int(right) + carry
            carry = sum >> 8
            return UInt8(truncatingIfNeeded: sum)
        }
    }

    private static func encoded(_ r: [UInt8], _ s: [UInt8]) -> [UInt8] {
        let numbers = [r, s].flatMap { number -> [UInt8] in
            let digits = Array(number.drop { $0 == 0 })
            let positive = (digits.first ?? 0) & 0x80 == 0 ? digits : [0] + digits
            return [0x02, UInt8(positive.count)] + positive
        }
        return [0x30, UInt8(numbers.count)] + numbers
    }

    /// The character behind this one in the alphabet: the same bytes with a loose bit set.
    private static func behind(_ character: Character?) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        guard let character, let index = alphabet.firstIndex(of: character), index % 4 == 0 else { return "=" }
        return String(alphabet[index + 1])
    }
}
