/// Makes and checks request ids.
///
/// An id ties log lines, problems and traces together; it need not be secret. Fifteen hexadecimal digits are 60 random bits and
/// the longest text that Swift keeps without an allocation.
struct RequestIDs {
    private var state: UInt64

    /// Seeded from the system once; each id is then a few instructions.
    init() {
        state = UInt64.random(in: .min ... .max)
    }

    /// A fresh id (SplitMix64: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014).
    mutating func next() -> String {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        bits ^= bits >> 31
        return unsafe String(unsafeUninitializedCapacity: 15) { buffer in
            for index in 0..<15 {
                let digit = UInt8(truncatingIfNeeded: bits & 15)
                unsafe buffer[index] = digit < 10 ? 0x30 + digit : 0x57 + digit
                bits >>= 4
            }
            return 15
        }
    }

    /// The id that the client sent, if it has 1 … 64 bytes and all are visible ASCII; such a value is safe in a header and a log.
    static func accepted(_ sent: ArraySlice<UInt8>?) -> String? {
        guard let sent, (1...64).contains(sent.count), sent.allSatisfy({ $0 >= 0x21 && $0 <= 0x7E }) else { return nil }
        return String(decoding: sent, as: UTF8.self)
    }
}
