#if hasFeature(Embedded)
    /// A text in a browser: its bytes in UTF-8, and nothing that would need the tables of Unicode.
    ///
    /// Takes the name of the standard library's type in the modules that the core is made of. That one takes five words to hand over on
    /// a machine of 32 bits, each kept and released by cases, and brings views by character along: a quarter of the core's size.
    /// Equal are texts with the same bytes. Made from bytes that were checked, or from literals.
    public struct String: Hashable, Sendable {
        /// The bytes.
        public private(set) var utf8: [UInt8]

        /// Takes over bytes that are UTF-8.
        public init(decoding bytes: [UInt8], as encoding: UTF8.Type) { utf8 = bytes }

        /// Takes over bytes that are UTF-8.
        public init(decoding bytes: some Sequence<UInt8>, as encoding: UTF8.Type) { utf8 = Array(bytes) }

        /// Copies bytes that were checked.
        public init(copying text: borrowing UTF8Span) {
            utf8 = text.span.withUnsafeBufferPointer { Array($0) }
        }

        /// Takes over bytes if they are UTF-8.
        public init?(validating bytes: some Sequence<UInt8>, as encoding: UTF8.Type) {
            utf8 = Array(bytes)
            do throws(UTF8.ValidationError) { _ = try UTF8Span(validating: utf8.span) } catch { return nil }
        }

        /// Lets a function write the bytes, which have to be UTF-8, and say how many they are.
        public init(unsafeUninitializedCapacity capacity: Int, _ write: (UnsafeMutableBufferPointer<UInt8>) -> Int) {
            utf8 = Array(unsafeUninitializedCapacity: capacity) { bytes, count in count = write(bytes) }
        }

        /// The same text several times.
        public init(repeating text: String, count: Int) {
            utf8 = []
            for _ in 0..<count { utf8.append(contentsOf: text.utf8) }
        }

        /// Whether there is no byte.
        public var isEmpty: Bool { utf8.isEmpty }

        /// Joins two texts.
        public static func + (left: String, right: String) -> String {
            String(decoding: left.utf8 + right.utf8, as: UTF8.self)
        }

        /// Appends a text.
        public static func += (left: inout String, right: String) { left.utf8.append(contentsOf: right.utf8) }
    }

    extension String: ExpressibleByStringInterpolation {
        /// Copies a literal.
        @inline(never)
        public init(stringLiteral text: StaticString) {
            utf8 = Array(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
        }

        /// Takes over what was joined.
        public init(stringInterpolation parts: Interpolation) { utf8 = parts.utf8 }

        /// What stands in a literal with values in it.
        public struct Interpolation: StringInterpolationProtocol {
            var utf8: [UInt8] = []

            /// Begins with nothing.
            public init(literalCapacity: Int, interpolationCount: Int) {}

            /// A piece between values.
            public mutating func appendLiteral(_ text: StaticString) {
                utf8.append(contentsOf: String(stringLiteral: text).utf8)
            }

            /// A text.
            public mutating func appendInterpolation(_ text: String) { utf8.append(contentsOf: text.utf8) }

            /// A whole number that fits into 64 bits.
            public mutating func appendInterpolation(_ value: some BinaryInteger) {
                var writer = JSONWriter(reserving: 20)
                writer.integer(Int64(truncatingIfNeeded: value))
                utf8.append(contentsOf: writer.bytes)
            }
        }
    }

    /// Literals that no type is asked of.
    public typealias StringLiteralType = String

    /// What has a text for people.
    public protocol CustomStringConvertible {
        /// The text.
        var description: String { get }
    }

    extension String {
        /// The characters of Unicode, for rules about them.
        public var unicodeScalars: [Unicode.Scalar] {
            var scalars: [Unicode.Scalar] = []
            var value: UInt32 = 0
            var rest = 0
            for byte in utf8 {
                if byte & 0xC0 == 0x80 {
                    value = value << 6 | UInt32(byte & 0x3F)
                    rest -= 1
                } else {
                    rest = byte < 0xC0 ? 0 : byte < 0xE0 ? 1 : byte < 0xF0 ? 2 : 3
                    value = UInt32(rest == 0 ? byte : byte & (0x3F >> UInt8(rest)))
                }
                if rest == 0, let scalar = Unicode.Scalar(value) { scalars.append(scalar) }
            }
            return scalars
        }
    }

    /// Names of members are literals, and stay where they are.
    public typealias MemberName = StaticString

    extension JSONValue {
        /// The value of a member; nil if there is none, or this is no object.
        public subscript(member name: StaticString) -> JSONValue? {
            guard case .object(let members) = self else { return nil }
            let bytes = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
            for member in members where member.name.utf8.elementsEqual(bytes) { return member.value }
            return nil
        }
    }

    extension AthleteRules {
        /// The same as for the texts of the standard library.
        public static func integer(_ text: String) -> Int64? {
            integer(Swift.String(decoding: text.utf8, as: UTF8.self))
        }
    }

    extension Int64 {
        /// Reads a number in decimal digits; nil if it is none.
        public init?(_ text: String) { self.init(Swift.String(decoding: text.utf8, as: UTF8.self)) }
    }
#else
    /// How the names of members are handed over.
    public typealias MemberName = String
#endif
