import Glibc

/// Random numbers that are the same in every run.
struct Dice: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: Int) {
        state = 0x9e37_79b9_7f4a_7c15 &+ UInt64(truncatingIfNeeded: seed) &* 0xbf58_476d_1ce4_e5b9
        for _ in 0..<8 { _ = next() }
    }

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }

    /// A number of the normal distribution.
    mutating func normal() -> Double {
        let (radius, turn) = (Double.random(in: 1e-12..<1, using: &self), Double.random(in: 0..<1, using: &self))
        return (-2 * log(radius)).squareRoot() * cos(2 * .pi * turn)
    }
}
