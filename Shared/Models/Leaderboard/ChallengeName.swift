/// The name of a challenge in paths: 1 … 40 of `a-z`, `0-9` and `-`.
public struct ChallengeName: Hashable, Sendable, CustomStringConvertible {
    /// The name.
    public let text: String

    /// Takes a name that keeps the rule; nil for any other.
    public init?(_ text: String) {
        let bytes = text.utf8
        guard (1...40).contains(bytes.count), bytes.allSatisfy(Self.isAllowed) else { return nil }
        self.text = text
    }

    private init(known text: String) { self.text = text }

    /// The challenge that the paths without a name mean; it is there from the start.
    public static let open = ChallengeName(known: "open")

    /// The name.
    public var description: String { text }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "-")
    }
}
