import Foundation

/// A JSON document as a test writes and reads it.
///
/// Read by Foundation, not by the code under test; numbers may be written in any spelling (`raw`).
package enum JSON: Hashable, Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A whole number.
    case int(Int)
    /// Any other number.
    case double(Double)
    /// A text.
    case string(String)
    /// An array.
    case array([JSON])
    /// An object.
    case object([String: JSON])
    /// Text that is written as it is, such as `87.50` or `1e400`.
    case raw(String)

    /// The document, members in the order of their names.
    package var text: String {
        switch self {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .int(let value): String(value)
        case .double(let value): String(value)
        case .string(let value): Self.quoted(value)
        case .array(let values): "[" + values.map(\.text).joined(separator: ",") + "]"
        case .object(let members):
            "{"
                + members.sorted { $0.key < $1.key }.map { Self.quoted($0.key) + ":" + $0.value.text }
                .joined(separator: ",") + "}"
        case .raw(let text): text
        }
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\" + String(scalar)
            case "\u{0}"..."\u{1F}":
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    /// Reads a document.
    package init(parsing bytes: [UInt8]) throws {
        self = try JSONDecoder().decode(JSON.self, from: Data(bytes))
    }
}

extension JSON {
    /// A member of an object; `null` where there is none.
    package subscript(_ name: String) -> JSON {
        get {
            guard case .object(let members) = self else { return .null }
            return members[name] ?? .null
        }
        set {
            guard case .object(var members) = self else { return }
            members[name] = newValue
            self = .object(members)
        }
    }

    /// An element of an array; `null` where there is none.
    package subscript(_ index: Int) -> JSON {
        guard case .array(let elements) = self, elements.indices.contains(index) else { return .null }
        return elements[index]
    }

    /// The names of an object's members, in order.
    package var names: [String] {
        guard case .object(let members) = self else { return [] }
        return members.keys.sorted()
    }

    /// The elements of an array.
    package var elements: [JSON] {
        guard case .array(let elements) = self else { return [] }
        return elements
    }

    /// The text of a string.
    package var string: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    /// A whole number.
    package var int: Int? {
        guard case .int(let value) = self else { return nil }
        return value
    }

    /// The same object with some members set anew.
    package func with(_ changes: [String: JSON]) -> JSON {
        var copy = self
        for (name, value) in changes { copy[name] = value }
        return copy
    }

    /// The same object without a member.
    package func without(_ name: String) -> JSON {
        guard case .object(var members) = self else { return self }
        members[name] = nil
        return .object(members)
    }
}

extension JSON: Decodable {
    /// Reads any value.
    package init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let bool = try? value.decode(Bool.self) {
            self = .bool(bool)
        } else if let int = try? value.decode(Int.self) {
            self = .int(int)
        } else if let double = try? value.decode(Double.self) {
            self = .double(double)
        } else if let string = try? value.decode(String.self) {
            self = .string(string)
        } else if let array = try? value.decode([JSON].self) {
            self = .array(array)
        } else {
            self = .object(try value.decode([String: JSON].self))
        }
    }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
    /// A text.
    package init(stringLiteral value: String) { self = .string(value) }
    /// A whole number.
    package init(integerLiteral value: Int) { self = .int(value) }
    /// A number with a fraction.
    package init(floatLiteral value: Double) { self = .double(value) }
    /// `true` or `false`.
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    /// An array.
    package init(arrayLiteral elements: JSON...) { self = .array(elements) }
    /// An object.
    package init(dictionaryLiteral elements: (String, JSON)...) {
        self = .object(Dictionary(elements) { _, last in last })
    }
    /// `null`.
    package init(nilLiteral: ()) { self = .null }
}
