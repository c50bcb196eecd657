internal import COpenSSL

/// The 32 bytes of a SHA-256 digest or an HMAC-SHA-256 code, held in place without an allocation.
///
/// Comparison takes the same time wherever the first difference lies, so codes may be compared with `==`.
package struct Digest256: Sendable, Equatable {
    /// How many bytes there are.
    package static let count = 32

    /// The bytes, in the order in which the algorithm writes them.
    package internal(set) var bytes: InlineArray<32, UInt8>

    init() { bytes = InlineArray(repeating: 0) }

    /// Compares in constant time.
    package static func == (left: Digest256, right: Digest256) -> Bool {
        ConstantTime.equal(left.bytes.span, right.bytes.span)
    }

    /// Compares with bytes that came from elsewhere, in constant time; another length is never equal.
    package func equals(_ other: Span<UInt8>) -> Bool { ConstantTime.equal(bytes.span, other) }
}

/// SHA-256 in one call (FIPS 180-4).
package enum SHA256 {
    /// The digest of `message`.
    ///
    /// About 0.4 µs for 250 bytes.
    ///
    /// - Throws: `CryptographyError` when OpenSSL has no memory or no provider with SHA-256.
    package static func digest(of message: Span<UInt8>) throws(CryptographyError) -> Digest256 {
        var digest = Digest256()
        try ErrorQueue.drained(.digest) {
            var output = digest.bytes.mutableSpan
            return unsafe output.withUnsafeMutableBufferPointer { output in
                unsafe message.withUnsafeBufferPointer { input in
                    unsafe EVP_Digest(
                        input.baseAddress, input.count, output.baseAddress, nil, Algorithms.sha256.pointer, nil)
                }
            }
        }
        return digest
    }
}

/// Algorithms fetched from OpenSSL once; fetching by name on each call costs more than hashing a short message.
enum Algorithms {
    /// A fetched algorithm, nil when no provider has it: the call that uses it then reports the failure.
    ///
    /// `@unchecked Sendable`: OpenSSL's algorithm objects are immutable and counted atomically, and these live as long
    /// as the process, so no thread can see one freed.
    @safe struct Fetched: @unchecked Sendable {
        let pointer: OpaquePointer?
    }

    static let sha256 = unsafe Fetched(pointer: EVP_MD_fetch(nil, "SHA256", nil))
    static let hmac = unsafe Fetched(pointer: EVP_MAC_fetch(nil, "HMAC", nil))
}
