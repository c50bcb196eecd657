import Models

/// Random numbers from a seed that came in with an event: the same seed gives the same numbers everywhere.
///
/// The algorithm is xoroshiro128++ by D. Blackman and S. Vigna (2019). Not for secrets.
struct SeededRandom {
    private var low: UInt64
    private var high: UInt64

    init(_ seed: UUIDValue) {
        low = seed.high ^ 0x9E37_79B9_7F4A_7C15
        high = seed.low
        if low == 0 && high == 0 { low = 1 }
        for _ in 0..<8 { _ = next() }
    }

    mutating func next() -> UInt64 {
        let sum = low &+ high
        let result = (sum << 17 | sum >> 47) &+ low
        high ^= low
        low = (low << 49 | low >> 15) ^ high ^ (high << 21)
        high = high << 28 | high >> 36
        return result
    }

    /// A number from 0 up to and including a limit.
    mutating func upTo(_ limit: Int64) -> Int64 {
        guard limit > 0 else { return 0 }
        return Int64(truncatingIfNeeded: next() % (UInt64(truncatingIfNeeded: limit) &+ 1))
    }

    /// A UUID whose order is that of time (version 7, RFC 9562): it keeps the server's index warm.
    mutating func requestID(at milliseconds: Int64) -> UUIDValue {
        let time = UInt64(truncatingIfNeeded: max(0, milliseconds)) & 0xFFFF_FFFF_FFFF
        return UUIDValue(
            high: time << 16 | 0x7000 | next() & 0x0FFF, low: 0x8000_0000_0000_0000 | next() & 0x3FFF_FFFF_FFFF_FFFF)
    }
}
