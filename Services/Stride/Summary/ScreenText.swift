/// Text as a terminal shows it, in columns.
enum ScreenText {
    /// How many columns a text takes: two for East Asian wide characters and emoji, none for marks.
    static func width(_ text: String) -> Int { text.reduce(0) { $0 + width($1) } }

    /// The text without what could move the cursor or turn the direction of writing, cut to a number of columns.
    static func fit(_ text: String, _ columns: Int) -> String {
        let clean = String(String.UnicodeScalarView(text.unicodeScalars.filter(isHarmless)))
        guard width(clean) > columns else { return clean }
        var (result, used) = ("", 0)
        for character in clean {
            guard used + width(character) <= columns - 1 else { break }
            result.append(character)
            used += width(character)
        }
        return result + (columns > 0 ? "…" : "")
    }

    /// The text and spaces up to a number of columns, the text at the left.
    static func left(_ text: String, _ columns: Int) -> String {
        text + String(repeating: " ", count: max(0, columns - width(text)))
    }

    /// The text and spaces up to a number of columns, the text at the right.
    static func right(_ text: String, _ columns: Int) -> String {
        String(repeating: " ", count: max(0, columns - width(text))) + text
    }

    /// A number with a space before each three digits: `12 345`.
    static func grouped(_ number: Int64) -> String {
        let digits = String(number.magnitude)
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { text.append(" ") }
            text.append(digit)
        }
        return (number < 0 ? "-" : "") + text
    }

    /// Metres as kilometres with one decimal: `9.8 km`.
    static func kilometres(_ metres: Int64) -> String {
        let tenths = (metres + 50) / 100
        return "\(grouped(tenths / 10)).\(tenths % 10) km"
    }

    private static func width(_ character: Character) -> Int {
        guard let first = character.unicodeScalars.first else { return 0 }
        if first.properties.generalCategory == .nonspacingMark { return 0 }
        if first.properties.isEmojiPresentation || character.unicodeScalars.contains("\u{FE0F}") { return 2 }
        return wide.contains { $0.contains(first.value) } ? 2 : 1
    }

    private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse: false
        case .format: scalar == "\u{200D}"
        default: true
        }
    }

    /// The large blocks of wide characters (Unicode Annex 11).
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
        0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x20000...0x3FFFD,
    ]
}
