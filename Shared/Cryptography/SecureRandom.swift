/// Random values that nobody can predict, from the kernel's generator.
///
/// The kernel's, not OpenSSL's: it has no failure to handle and no state that a fork could copy. It costs one
/// system call for each eight bytes, so it is for keys, identifiers and jitter, not for bulk data.
package enum SecureRandom {
    /// A random number over the whole range.
    package static func uint64() -> UInt64 {
        var generator = SystemRandomNumberGenerator()
        return generator.next()
    }

    /// As many random bytes as asked for; none when `count` is not positive.
    package static func bytes(count: Int) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(max(count, 0))
        while result.count < count {
            var word = uint64()
            for _ in 0..<min(8, count - result.count) {
                result.append(UInt8(truncatingIfNeeded: word))
                word >>= 8
            }
        }
        return result
    }
}
