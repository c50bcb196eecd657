internal import CPostgres

/// The rows that one statement gave, in binary form.
///
/// It owns libpq's result and frees it; values are copied out one by one as they are asked for. Nothing that a server
/// sends traps: another type, another width, null or a missing row is `unexpectedResult`.
///
/// Cost: one object over libpq's own memory; reading a number allocates nothing.
/// - Note: `@unchecked Sendable`: a `PGresult` is independent of its connection and never changed once it is handed
///   out; every function called on it here only reads.
@safe package final class PostgresResult: @unchecked Sendable {
    let raw: OpaquePointer
    /// How many rows there are.
    package let rowCount: Int
    /// How many columns there are.
    package let columnCount: Int

    /// Takes over a result.
    init(adopting raw: OpaquePointer) {
        unsafe self.raw = raw
        rowCount = unsafe Int(PQntuples(raw))
        columnCount = unsafe Int(PQnfields(raw))
    }

    deinit { unsafe PQclear(raw) }

    /// How many rows the statement wrote, or returned; 0 where that makes no sense.
    package var affectedRows: Int {
        guard let text = unsafe PQcmdTuples(raw) else { return 0 }
        return unsafe Int(String(cString: text)) ?? 0
    }

    /// Whether a value is null; true as well when there is no such row or column.
    package func isNull(_ row: Int, _ column: Int) -> Bool {
        guard isInside(row, column) else { return true }
        return unsafe PQgetisnull(raw, Int32(row), Int32(column)) != 0
    }

    private func isInside(_ row: Int, _ column: Int) -> Bool {
        row >= 0 && row < rowCount && column >= 0 && column < columnCount
    }

    /// Lends a value that is not null and has one of the given types; every reader goes through here.
    func field<Value>(
        _ row: Int, _ column: Int, _ wanted: StaticString, types: (UInt32) -> Bool,
        read: (UnsafeRawBufferPointer) -> Value?
    ) throws(PostgresError) -> Value {
        guard isInside(row, column) else { throw .unexpected(row, column, wanted, "is not there") }
        let (r, c) = (Int32(row), Int32(column))
        guard unsafe PQgetisnull(raw, r, c) == 0 else { throw .unexpected(row, column, wanted, "is null") }
        guard unsafe PQfformat(raw, c) == 1, unsafe types(PQftype(raw, c)) else {
            throw .unexpected(row, column, wanted, "has another type")
        }
        let bytes = unsafe UnsafeRawBufferPointer(start: PQgetvalue(raw, r, c), count: Int(PQgetlength(raw, r, c)))
        guard let value = unsafe read(bytes) else { throw .unexpected(row, column, wanted, "has another width") }
        return value
    }
}

extension PostgresResult {
    /// A `bigint`.
    package func int64(_ row: Int, _ column: Int) throws(PostgresError) -> Int64 {
        try unsafe field(row, column, "bigint", types: { $0 == PostgresType.int8.rawValue }) { unsafe $0.bigEndian() }
    }

    /// An `integer`.
    package func int32(_ row: Int, _ column: Int) throws(PostgresError) -> Int32 {
        try unsafe field(row, column, "integer", types: { $0 == PostgresType.int4.rawValue }) { unsafe $0.bigEndian() }
    }

    /// A `smallint`.
    package func int16(_ row: Int, _ column: Int) throws(PostgresError) -> Int16 {
        try unsafe field(row, column, "smallint", types: { $0 == PostgresType.int2.rawValue }) { unsafe $0.bigEndian() }
    }

    /// A `boolean`.
    package func bool(_ row: Int, _ column: Int) throws(PostgresError) -> Bool {
        try unsafe field(row, column, "boolean", types: { $0 == PostgresType.bool.rawValue }) { bytes in
            bytes.count == 1 ? unsafe bytes[0] != 0 : nil
        }
    }

    /// A `uuid`.
    package func uuid(_ row: Int, _ column: Int) throws(PostgresError) -> PostgresUUID {
        try unsafe field(row, column, "uuid", types: { $0 == PostgresType.uuid.rawValue }) {
            unsafe PostgresUUID(bytes: $0)
        }
    }

    /// A `date`; the infinities are `unexpectedResult`.
    package func date(_ row: Int, _ column: Int) throws(PostgresError) -> PostgresDate {
        try unsafe field(row, column, "date", types: { $0 == PostgresType.date.rawValue }) { bytes in
            unsafe bytes.bigEndian().flatMap { PostgresDate(wireValue: $0) }
        }
    }

    /// A `text`, `varchar`, `char`, `name` or `json`.
    package func text(_ row: Int, _ column: Int) throws(PostgresError) -> String {
        try unsafe field(row, column, "text", types: Self.isText) { unsafe String(decoding: $0, as: UTF8.self) }
    }

    /// The bytes of a value of any type.
    package func bytes(_ row: Int, _ column: Int) throws(PostgresError) -> [UInt8] {
        try unsafe field(row, column, "value", types: { _ in true }) { unsafe Array($0) }
    }

    /// text, varchar, bpchar, name, json, unknown.
    static func isText(_ type: UInt32) -> Bool {
        switch type {
        case 25, 1043, 1042, 19, 114, 705: true
        default: false
        }
    }
}

extension PostgresUUID {
    /// Reads sixteen bytes; nil for another number.
    init?(bytes: UnsafeRawBufferPointer) {
        guard bytes.count == 16 else { return nil }
        high = unsafe UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
        low = unsafe UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    }
}

extension UnsafeRawBufferPointer {
    /// The whole buffer as one integer, most significant byte first; nil when the width is another.
    @inline(__always) func bigEndian<Integer: FixedWidthInteger>() -> Integer? {
        guard count == MemoryLayout<Integer>.size else { return nil }
        return unsafe Integer(bigEndian: loadUnaligned(as: Integer.self))
    }
}

extension PostgresError {
    static func unexpected(_ row: Int, _ column: Int, _ wanted: StaticString, _ what: StaticString) -> PostgresError {
        PostgresError(.unexpectedResult, "the \(wanted) in row \(row), column \(column) \(what)")
    }
}
