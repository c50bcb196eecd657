/// The types that travel in binary form, by their object id, which is fixed in PostgreSQL's `pg_type.dat`.
package enum PostgresType: UInt32, CaseIterable, Sendable {
    /// The server works the type out from the statement.
    case inferred = 0
    /// `boolean`, one byte.
    case bool = 16
    /// `bytea`, any bytes.
    case bytea = 17
    /// `bigint`, eight bytes.
    case int8 = 20
    /// `smallint`, two bytes.
    case int2 = 21
    /// `integer`, four bytes.
    case int4 = 23
    /// `text`, UTF-8.
    case text = 25
    /// `date`, days since 2000-01-01 in four bytes.
    case date = 1082
    /// `uuid`, sixteen bytes.
    case uuid = 2950
    /// `boolean[]`.
    case boolArray = 1000
    /// `bytea[]`.
    case byteaArray = 1001
    /// `smallint[]`.
    case int2Array = 1005
    /// `integer[]`.
    case int4Array = 1007
    /// `text[]`.
    case textArray = 1009
    /// `bigint[]`.
    case int8Array = 1016
    /// `date[]`.
    case dateArray = 1182
    /// `uuid[]`.
    case uuidArray = 2951

    /// The type of an array of this type; nil for arrays and `inferred`.
    package var array: PostgresType? {
        switch self {
        case .bool: .boolArray
        case .bytea: .byteaArray
        case .int8: .int8Array
        case .int2: .int2Array
        case .int4: .int4Array
        case .text: .textArray
        case .date: .dateArray
        case .uuid: .uuidArray
        case .inferred, .boolArray, .byteaArray, .int2Array, .int4Array, .textArray, .int8Array, .dateArray,
            .uuidArray:
            nil
        }
    }
}

/// Sixteen bytes of a `uuid` as two numbers, first byte on top; so comparing halves gives the server's order.
package struct PostgresUUID: Hashable, Sendable, Comparable {
    /// The first eight bytes, big-endian.
    package var high: UInt64
    /// The last eight bytes, big-endian.
    package var low: UInt64

    /// Takes the two halves.
    @inlinable package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Orders as PostgreSQL does: by bytes.
    @inlinable package static func < (left: PostgresUUID, right: PostgresUUID) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }
}

/// A `date` as days since 1970-01-01, which is how the rest of Stride counts days.
package struct PostgresDate: Hashable, Sendable, Comparable {
    /// Days since 1970-01-01; negative before.
    package var daysSince1970: Int32

    /// Takes days since 1970-01-01.
    @inlinable package init(daysSince1970: Int32) { self.daysSince1970 = daysSince1970 }

    /// Days from 1970-01-01 to 2000-01-01, PostgreSQL's first day: 30 years with 7 leap days.
    static let epochOffset: Int32 = 10_957

    /// The number on the wire.
    ///
    /// A day so early that it does not fit becomes one that the server refuses (22008), never the smallest number,
    /// which means "minus infinity".
    var wireValue: Int32 {
        let (days, overflow) = daysSince1970.subtractingReportingOverflow(Self.epochOffset)
        return overflow || days == .min ? .min + 1 : days
    }

    /// Reads the number on the wire; nil for the infinities and days that do not fit.
    init?(wireValue: Int32) {
        guard wireValue != .max, wireValue != .min else { return nil }
        let (days, overflow) = wireValue.addingReportingOverflow(Self.epochOffset)
        guard !overflow else { return nil }
        daysSince1970 = days
    }

    /// Orders by day.
    @inlinable package static func < (left: PostgresDate, right: PostgresDate) -> Bool {
        left.daysSince1970 < right.daysSince1970
    }
}
