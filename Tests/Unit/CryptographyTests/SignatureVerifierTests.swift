import Testing

@testable import Cryptography

@Suite("Signatures")
struct SignatureVerifierTests {
    @Test("are accepted as standards print them, as often as asked", arguments: SignatureVector.all)
    func published(vector: SignatureVector) throws {
        let verifier = try SignatureVerifier(vector.key())
        for _ in 0..<3 { #expect(verifier.accepts(vector.signature, over: vector.text)) }
        #expect(ErrorQueue.drain() == 0)
    }

    @Test("with any one bit flipped are refused, and the queue of errors stays empty", arguments: SignatureVector.all)
    func flipped(vector: SignatureVector) throws {
        let verifier = try SignatureVerifier(vector.key())
        for index in vector.signature.indices {
            for bit in 0..<8 {
                var forged = vector.signature
                forged[index] ^= UInt8(1) << UInt8(bit)
                #expect(!verifier.accepts(forged, over: vector.text), "bit \(bit) of byte \(index)")
                #expect(ErrorQueue.drain() == 0)
            }
        }
        #expect(verifier.accepts(vector.signature, over: vector.text))
    }

    @Test("of any other length are refused", arguments: SignatureVector.all)
    func lengths(vector: SignatureVector) throws {
        let verifier = try SignatureVerifier(vector.key())
        for length in 0..<vector.signature.count {
            #expect(!verifier.accepts(Array(vector.signature[..<length]), over: vector.text))
        }
        for more in 1...3 {
            let bytes = [UInt8](repeating: 0, count: more)
            #expect(!verifier.accepts(vector.signature + bytes, over: vector.text))
            #expect(!verifier.accepts(bytes + vector.signature, over: vector.text))
        }
    }

    @Test("count for their text only", arguments: SignatureVector.all)
    func otherTexts(vector: SignatureVector) throws {
        let verifier = try SignatureVerifier(vector.key())
        #expect(!verifier.accepts(vector.signature, over: []))
        #expect(!verifier.accepts(vector.signature, over: vector.text + [0]))
        for length in 0..<vector.text.count {
            #expect(!verifier.accepts(vector.signature, over: Array(vector.text[..<length])))
        }
    }

    @Test("of ECDSA are written with numbers of any length")
    func numbers() {
        let zeros = [UInt8](repeating: 0, count: 31)
        #expect(DER.ecdsaSignature(zeros + [1] + zeros + [0x80]) == [0x30, 7, 2, 1, 1, 2, 2, 0, 0x80])
        #expect(DER.ecdsaSignature(zeros + [0] + zeros + [0x7f]) == [0x30, 6, 2, 1, 0, 2, 1, 0x7f])
    }
}

@Suite("Public keys")
struct PublicKeyTests {
    private static let modulus = SignatureVector.bytes(SignatureVector.modulus)
    private static let x = SignatureVector.bytes("f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU")
    private static let y = SignatureVector.bytes("x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0")

    @Test(
        "of RSA have an odd exponent from 3 to 32 bits, without leading zeros",
        arguments: [[], [0], [1], [2], [4], [0, 3], [1, 0, 0], [1, 0, 0, 0, 1], [0, 1, 0, 1]] as [[UInt8]])
    func exponents(exponent: [UInt8]) {
        #expect(throws: PublicKey.Fault.exponent) { try PublicKey(modulus: Self.modulus, exponent: exponent) }
    }

    @Test(
        "of RSA may have any such exponent", arguments: [[3], [17], [1, 0, 1], [0xff, 0xff, 0xff, 0xff]] as [[UInt8]])
    func otherExponents(exponent: [UInt8]) throws {
        #expect(try PublicKey(modulus: Self.modulus, exponent: exponent).kind == .rsa)
    }

    @Test("of RSA have 2048 to 8192 bits, and no number that is even, prime or has small factors")
    func moduli() throws {
        func fault(_ modulus: [UInt8]) -> PublicKey.Fault? {
            do throws(PublicKey.Fault) {
                _ = try PublicKey(modulus: modulus, exponent: [1, 0, 1])
                return nil
            } catch {
                return error
            }
        }
        let first = try #require(Self.modulus.first)
        #expect(fault([]) == .modulusSize)
        #expect(fault(Array(Self.modulus.dropLast())) == .modulusSize)
        #expect(fault([first & 0x7f] + Self.modulus.dropFirst()) == .modulusSize)
        #expect(fault([0] + Self.modulus) == .modulusSize)
        #expect(fault([UInt8](repeating: 0xff, count: 1025)) == .modulusSize)
        #expect(fault(Self.modulus.dropLast() + [0xa0]) == .refusedByLibrary)
        // 2²⁰⁴⁸ − 1 is a multiple of 3.
        #expect(fault([UInt8](repeating: 0xff, count: 256)) == .refusedByLibrary)
        // 2²⁰⁴⁸ − 1557 is the largest prime of 2048 bits.
        let prime = [UInt8](repeating: 0xff, count: 252) + [0xff, 0xff, 0xf9, 0xeb]
        #expect(fault(prime) == .refusedByLibrary)
        #expect(fault(Self.modulus) == nil)
    }

    @Test("of P-256 are points on the curve, in 32 bytes a coordinate")
    func points() throws {
        #expect(try PublicKey(x: Self.x, y: Self.y).kind == .p256)
        let zeros = [UInt8](repeating: 0, count: 32)
        // The field's prime, which stands for 0 and is written too large (SEC 2 §2.4.2).
        let prime: [UInt8] =
            [0xff, 0xff, 0xff, 0xff, 0, 0, 0, 1] + [UInt8](repeating: 0, count: 12)
            + [UInt8](repeating: 0xff, count: 12)
        for (x, y) in [
            (Self.y, Self.x), (Self.x, Self.x), (zeros, zeros), (zeros, Self.y), (prime, Self.y), (Self.x, prime),
            (Self.x, Self.y.dropLast() + [(Self.y.last ?? 0) ^ 1]),
        ] {
            #expect(throws: PublicKey.Fault.refusedByLibrary) { try PublicKey(x: x, y: y) }
        }
        for (x, y) in [([], Self.y), (Array(Self.x.dropLast()), Self.y), (Self.x, [0] + Self.y)] {
            #expect(throws: PublicKey.Fault.coordinateLength) { try PublicKey(x: x, y: y) }
        }
    }

    @Test(
        "of Ed25519 are none of the points for which anybody can sign",
        arguments: [
            "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAIA",
            "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "7P_______________________________________38",
            "7f_______________________________________38", "7v_______________________________________38",
            "__________________________________________8",
            "JuiVj8KyJ7BFw_SJ8u-Y8NXfrAXTxjM5sTgCiG1T_AU", "xxdqcD1N2E-6PAt2DRBnDyogU_osOczGTsf9d5KsA3o",
        ])
    func weakPoints(text: String) {
        #expect(throws: PublicKey.Fault.weakPoint) { try PublicKey(ed25519: SignatureVector.bytes(text)) }
    }

    @Test("of Ed25519 have 32 bytes", arguments: [0, 31, 33])
    func lengths(count: Int) {
        #expect(throws: PublicKey.Fault.coordinateLength) {
            try PublicKey(ed25519: [UInt8](repeating: 9, count: count))
        }
    }
}
