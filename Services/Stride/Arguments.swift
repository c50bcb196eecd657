/// The words after a command: options with values, and the rest in order.
struct Arguments {
    /// The command was called wrongly.
    struct Fault: Error, CustomStringConvertible {
        let description: String
        init(_ description: String) { self.description = description }
    }

    private var words: [String]

    init(_ words: [String]) { self.words = words }

    /// Takes `--name VALUE` out; nil when it is not there.
    mutating func option(_ name: String) throws(Fault) -> String? {
        guard let place = words.firstIndex(of: "--\(name)") else { return nil }
        guard place + 1 < words.count else { throw Fault("--\(name) needs a value") }
        let value = words[place + 1]
        words.removeSubrange(place...(place + 1))
        return value
    }

    /// Takes `--name` out; whether it was there.
    mutating func flag(_ name: String) -> Bool {
        guard let place = words.firstIndex(of: "--\(name)") else { return false }
        words.remove(at: place)
        return true
    }

    /// Takes `--name VALUE` out, a whole number within bounds.
    mutating func integer(
        _ name: String, default standard: Int, in bounds: ClosedRange<Int>
    ) throws(Fault) -> Int {
        guard let text = try option(name) else { return standard }
        guard let value = Int(text), bounds.contains(value) else {
            throw Fault("--\(name) must be a whole number from \(bounds.lowerBound) to \(bounds.upperBound)")
        }
        return value
    }

    /// Takes a required option out.
    mutating func required(_ name: String) throws(Fault) -> String {
        guard let value = try option(name) else { throw Fault("--\(name) is needed") }
        return value
    }

    /// Takes the next word that is no option.
    mutating func word(_ meaning: String) throws(Fault) -> String {
        guard let first = words.first, !first.hasPrefix("--") else { throw Fault("\(meaning) is needed") }
        words.removeFirst()
        return first
    }

    /// Complains about whatever is left.
    func finish() throws(Fault) {
        if let first = words.first { throw Fault("what is \(first)? see: stride help") }
    }
}
