/// The rule of texts that people write: names of plans, of athletes, descriptions.
///
/// A text is kept and returned as it was sent; white space round it only does not count for its length.
public enum TextRule {
    /// The most Unicode scalars of a name.
    public static let longestName = 100

    /// Whether a text has 1 … `longest` Unicode scalars after trimming white space, and no control character anywhere.
    ///
    /// White space is the Unicode property White_Space, control characters are the category Cc. A line break is both and is
    /// refused, at the ends too. Cost: one pass; nothing is copied.
    public static func accepts(_ text: String, upTo longest: Int = longestName) -> Bool {
        var (length, trailing) = (0, 0)
        for scalar in text.unicodeScalars {
            if isControl(scalar) { return false }
            if isWhiteSpace(scalar) {
                if length > 0 { trailing += 1 }
            } else {
                length += trailing + 1
                trailing = 0
                if length > longest { return false }
            }
        }
        return length > 0
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
    }

    /// A table of our own: the standard library's would bring all Unicode properties into the browser's build.
    private static func isWhiteSpace(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09...0x0D, 0x20, 0x85, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000: true
        default: false
        }
    }
}
