internal import COpenSSL

/// Comparisons whose duration tells nothing about the bytes.
package enum ConstantTime {
    /// Whether both hold the same bytes.
    ///
    /// The time depends on the length alone; lengths are no secret.
    package static func equal(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
        guard left.count == right.count else { return false }
        guard !left.isEmpty else { return true }
        return unsafe left.withUnsafeBufferPointer { left in
            unsafe right.withUnsafeBufferPointer { right in
                unsafe CRYPTO_memcmp(left.baseAddress, right.baseAddress, left.count) == 0
            }
        }
    }
}
