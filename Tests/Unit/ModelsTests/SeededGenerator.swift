/// Random numbers that are the same in every run (SplitMix64), so that a failure can be repeated.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A valid text with a few bytes changed, dropped, doubled or exchanged for another piece of the text.
    mutating func mutated(_ original: [UInt8]) -> [UInt8] {
        var bytes = original
        for _ in 0..<Int.random(in: 1...4, using: &self) {
            guard !bytes.isEmpty else { return bytes }
            let index = Int.random(in: 0..<bytes.count, using: &self)
            switch Int.random(in: 0..<6, using: &self) {
            case 0: bytes[index] = UInt8.random(in: 0...255, using: &self)
            case 1: bytes.remove(at: index)
            case 2: bytes.insert(bytes[index], at: index)
            case 3: bytes[index] = Array("{}[]\",:\\-+.eE0123456789tfn".utf8).randomElement(using: &self) ?? 0
            case 4:
                let start = Int.random(in: 0..<original.count, using: &self)
                let end = min(original.count, start + Int.random(in: 1...20, using: &self))
                bytes.insert(contentsOf: original[start..<end], at: index)
            default: bytes.removeSubrange(index..<min(bytes.count, index + Int.random(in: 1...20, using: &self)))
            }
        }
        return bytes
    }
}
