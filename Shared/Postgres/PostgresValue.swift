/// A parameter of a statement, sent in binary form: no text to write, quote or parse on either side.
///
/// Cost: scalars live in the value; text, bytes and arrays are one reference each.
package enum PostgresValue: Sendable, Equatable {
    /// `integer`.
    case int4(Int32)
    /// `bigint`.
    case int8(Int64)
    /// `text`; the server refuses U+0000 (22021), so check for it before.
    case text(String)
    /// `uuid`.
    case uuid(PostgresUUID)
    /// `boolean`.
    case bool(Bool)
    /// `date`.
    case date(PostgresDate)
    /// `bytea`.
    case bytea([UInt8])
    /// An array of one dimension.
    case array(PostgresArray)
    /// Null of a type. With `.inferred` the server works the type out, which is fixed with the first use of a
    /// named statement; so say the type wherever the same statement also gets values.
    case null(PostgresType)

    /// Null whose type the server works out.
    package static let null = PostgresValue.null(.inferred)

    /// `integer` or null.
    package static func int4(_ value: Int32?) -> PostgresValue {
        if let value { .int4(value) } else { .null(.int4) }
    }
    /// `bigint` or null.
    package static func int8(_ value: Int64?) -> PostgresValue {
        if let value { .int8(value) } else { .null(.int8) }
    }
    /// `text` or null.
    package static func text(_ value: String?) -> PostgresValue {
        if let value { .text(value) } else { .null(.text) }
    }
    /// `uuid` or null.
    package static func uuid(_ value: PostgresUUID?) -> PostgresValue {
        if let value { .uuid(value) } else { .null(.uuid) }
    }
    /// `date` or null.
    package static func date(_ value: PostgresDate?) -> PostgresValue {
        if let value { .date(value) } else { .null(.date) }
    }
    /// An array of elements.
    @inlinable
    package static func array<Element: PostgresElement>(of elements: [Element]) -> PostgresValue {
        .array(PostgresArray(elements))
    }
    /// An array of elements, some of which are null.
    @inlinable
    package static func array<Element: PostgresElement>(of elements: [Element?]) -> PostgresValue {
        .array(PostgresArray(elements))
    }

    /// The type that the server is told.
    package var type: PostgresType {
        switch self {
        case .int4: .int4
        case .int8: .int8
        case .text: .text
        case .uuid: .uuid
        case .bool: .bool
        case .date: .date
        case .bytea: .bytea
        case .array(let array): array.type
        case .null(let type): type
        }
    }

    /// Appends the value as it travels; false for null, which has no bytes.
    func encode(to bytes: inout [UInt8]) -> Bool {
        switch self {
        case .int4(let value): bytes.append(bigEndian: value)
        case .int8(let value): bytes.append(bigEndian: value)
        case .text(let value): bytes.append(contentsOf: value.utf8)
        case .uuid(let value):
            bytes.append(bigEndian: value.high)
            bytes.append(bigEndian: value.low)
        case .bool(let value): bytes.append(value ? 1 : 0)
        case .date(let value): bytes.append(bigEndian: value.wireValue)
        case .bytea(let value): bytes.append(contentsOf: value)
        case .array(let array): array.encode(to: &bytes)
        case .null: return false
        }
        return true
    }
}
