/// Why bytes are no JSON document, and where.
public struct JSONError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The closed list of faults.
    public enum Kind: Equatable, Sendable {
        /// No byte but white space.
        case empty
        /// The document stops in the middle.
        case unexpectedEnd
        /// A byte that cannot stand here.
        case unexpectedByte
        /// Something follows the document.
        case trailingBytes
        /// A byte order mark in front (RFC 8259 §8.1).
        case byteOrderMark
        /// A string is not UTF-8.
        case invalidUTF8
        /// Half of a surrogate pair, which is no character.
        case loneSurrogate
        /// A control character in a string that is not escaped.
        case controlCharacter
        /// A backslash with something unknown behind it.
        case invalidEscape
        /// A number that begins with a superfluous zero.
        case leadingZero
        /// A number that is cut short or malformed.
        case malformedNumber
        /// `NaN` or `Infinity`, which JSON does not have.
        case notFinite
        /// More arrays and objects within each other than allowed.
        case tooDeep
        /// A name twice in one object.
        case duplicateName
    }

    /// What is wrong.
    public var kind: Kind
    /// The byte, counted from 0, at which it was noticed.
    public var offset: Int

    /// Names a fault and its place.
    public init(_ kind: Kind, at offset: Int) {
        self.kind = kind
        self.offset = offset
    }

    /// A sentence that is safe to send back: it repeats nothing of the document.
    public var description: String {
        let fault =
            switch kind {
            case .empty: "the body is empty"
            case .unexpectedEnd: "the document ends too early"
            case .unexpectedByte: "a character that cannot stand here"
            case .trailingBytes: "something follows the end of the document"
            case .byteOrderMark: "a byte order mark is not allowed"
            case .invalidUTF8: "the text is not UTF-8"
            case .loneSurrogate: "an escape is half of a surrogate pair"
            case .controlCharacter: "a control character in a string must be escaped"
            case .invalidEscape: "an unknown escape in a string"
            case .leadingZero: "a number must not begin with a superfluous zero"
            case .malformedNumber: "a malformed number"
            case .notFinite: "NaN and Infinity are not numbers of JSON"
            case .tooDeep: "arrays and objects are nested too deeply"
            case .duplicateName: "a name occurs twice in one object"
            }
        return "not valid JSON: \(fault) (byte \(offset))"
    }
}
