/// A public key that signatures are checked with, known to be of a kind and size that is safe to use.
///
/// A value without a handle: it may be compared, kept and passed between threads; `SignatureVerifier` makes it ready for
/// one thread. The algorithm follows from the kind alone, so a key can never be used with another.
package struct PublicKey: Sendable, Equatable {
    /// What the key works with, which also decides the algorithm.
    package enum Kind: Sendable, CaseIterable {
        /// RSASSA-PKCS1-v1_5 with SHA-256 (RFC 8017 §8.2).
        case rsa
        /// ECDSA on P-256 with SHA-256 (FIPS 186-4 §6).
        case p256
        /// Ed25519 (RFC 8032 §5.1).
        case ed25519
    }

    /// Why numbers are no key that may be used.
    package enum Fault: Error, Sendable, Equatable {
        /// An RSA modulus that is not 2048 to 8192 bits long, or has a leading zero.
        case modulusSize
        /// An RSA exponent that is not an odd number from 3 to 2³² − 1, or has a leading zero.
        case exponent
        /// A coordinate or point that is not 32 bytes long.
        case coordinateLength
        /// An Ed25519 point of which anybody can make signatures, or one that is not written the only right way.
        case weakPoint
        /// OpenSSL does not take it: a point that is not on the curve, a modulus that is prime or has small factors.
        case refusedByLibrary
    }

    /// The kind.
    package let kind: Kind
    /// How many bytes a signature of this key has: for ECDSA the two numbers one behind the other (RFC 7518 §3.4).
    package let signatureLength: Int
    /// The key as a SubjectPublicKeyInfo in DER (RFC 5280 §4.1.2.7), the one form that OpenSSL reads of all kinds.
    let encoded: [UInt8]

    /// An RSA key from its numbers, unsigned and big-endian.
    ///
    /// Shorter moduli can be factored; longer ones, and exponents above 32 bits, make each stranger's token expensive to
    /// check. Costs 4 ms for 2048 bits and 0.2 s for 8192, which is OpenSSL's
    /// look at the modulus.
    package init(modulus: [UInt8], exponent: [UInt8]) throws(Fault) {
        guard let first = modulus.first, first != 0, modulus.count <= 1024,
            modulus.count * 8 - first.leadingZeroBitCount >= 2048
        else { throw .modulusSize }
        guard let lowest = exponent.last, lowest & 1 == 1, exponent.first != 0, exponent.count <= 4, exponent != [1]
        else { throw .exponent }
        let numbers = DER.sequence(DER.integer(modulus) + DER.integer(exponent))
        kind = .rsa
        signatureLength = modulus.count
        encoded = DER.publicKey(algorithm: DER.rsaEncryption, key: numbers)
        guard SignatureVerifier.libraryTakes(encoded) else { throw .refusedByLibrary }
    }

    /// A point on P-256, each coordinate 32 bytes, big-endian.
    package init(x: [UInt8], y: [UInt8]) throws(Fault) {
        guard x.count == 32, y.count == 32 else { throw .coordinateLength }
        kind = .p256
        signatureLength = 64
        encoded = DER.publicKey(algorithm: DER.ecPublicKeyOnP256, key: [0x04] + x + y)
        guard SignatureVerifier.libraryTakes(encoded) else { throw .refusedByLibrary }
    }

    /// An Ed25519 point as RFC 8032 §5.1.2 writes it.
    ///
    /// OpenSSL takes any 32 bytes, among them 32 zeros that someone forgot to fill in, for which a stranger can make
    /// signatures; so such points are refused here.
    package init(ed25519 point: [UInt8]) throws(Fault) {
        guard point.count == 32 else { throw .coordinateLength }
        guard !EdwardsPoint.isWeak(point) else { throw .weakPoint }
        kind = .ed25519
        signatureLength = 64
        encoded = DER.publicKey(algorithm: DER.ed25519, key: point)
        guard SignatureVerifier.libraryTakes(encoded) else { throw .refusedByLibrary }
    }
}

/// What can be seen of an Ed25519 point from its bytes.
private enum EdwardsPoint {
    /// Whether the point's order divides 8, or its y is not below 2²⁵⁵ − 19.
    ///
    /// With a point of small order, a signature made of nothing holds for one text in eight or more. There are eight such
    /// points with five different y; the sign of x is left out of the comparison.
    static func isWeak(_ point: [UInt8]) -> Bool {
        var y = point
        y[31] &= 0x7f
        if y[31] == 0x7f, y[0] >= 0xed, y[1..<31].allSatisfy({ $0 == 0xff }) { return true }
        return smallOrders.contains(y)
    }

    private static let smallOrders: [[UInt8]] = [
        [UInt8](repeating: 0, count: 32),
        [1] + [UInt8](repeating: 0, count: 31),
        [0xec] + [UInt8](repeating: 0xff, count: 30) + [0x7f],
        [
            0x26, 0xe8, 0x95, 0x8f, 0xc2, 0xb2, 0x27, 0xb0, 0x45, 0xc3, 0xf4, 0x89, 0xf2, 0xef, 0x98, 0xf0,
            0xd5, 0xdf, 0xac, 0x05, 0xd3, 0xc6, 0x33, 0x39, 0xb1, 0x38, 0x02, 0x88, 0x6d, 0x53, 0xfc, 0x05,
        ],
        [
            0xc7, 0x17, 0x6a, 0x70, 0x3d, 0x4d, 0xd8, 0x4f, 0xba, 0x3c, 0x0b, 0x76, 0x0d, 0x10, 0x67, 0x0f,
            0x2a, 0x20, 0x53, 0xfa, 0x2c, 0x39, 0xcc, 0xc6, 0x4e, 0xc7, 0xfd, 0x77, 0x92, 0xac, 0x03, 0x7a,
        ],
    ]
}
