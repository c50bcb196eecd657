internal import CPostgres

extension PostgresResult {
    /// A `bigint[]` without nulls.
    package func int64Array(_ row: Int, _ column: Int) throws(PostgresError) -> [Int64] {
        try unsafe array(row, column, "bigint[]", .int8) { unsafe $0.bigEndian() }
    }

    /// An `integer[]` without nulls.
    package func int32Array(_ row: Int, _ column: Int) throws(PostgresError) -> [Int32] {
        try unsafe array(row, column, "integer[]", .int4) { unsafe $0.bigEndian() }
    }

    /// A `smallint[]` without nulls.
    package func int16Array(_ row: Int, _ column: Int) throws(PostgresError) -> [Int16] {
        try unsafe array(row, column, "smallint[]", .int2) { unsafe $0.bigEndian() }
    }

    /// A `uuid[]` without nulls.
    package func uuidArray(_ row: Int, _ column: Int) throws(PostgresError) -> [PostgresUUID] {
        try unsafe array(row, column, "uuid[]", .uuid) { unsafe PostgresUUID(bytes: $0) }
    }

    /// A `text[]` without nulls.
    package func textArray(_ row: Int, _ column: Int) throws(PostgresError) -> [String] {
        try unsafe array(row, column, "text[]", .text) { unsafe String(decoding: $0, as: UTF8.self) }
    }

    private func array<Element>(
        _ row: Int, _ column: Int, _ wanted: StaticString, _ element: PostgresType,
        read: (UnsafeRawBufferPointer) -> Element?
    ) throws(PostgresError) -> [Element] {
        try unsafe field(row, column, wanted, types: { $0 == element.array?.rawValue }) { bytes in
            unsafe Self.elements(of: bytes, type: element.rawValue, read: read)
        }
    }

    /// Reads the layout of `array_send`; nil for another element type, more than one dimension, a null element or
    /// bytes that do not add up.
    static func elements<Element>(
        of bytes: UnsafeRawBufferPointer, type: UInt32, read: (UnsafeRawBufferPointer) -> Element?
    ) -> [Element]? {
        var rest = unsafe bytes[...]
        func number() -> Int32? {
            guard unsafe rest.count >= 4 else { return nil }
            defer { unsafe rest = rest.dropFirst(4) }
            return unsafe UnsafeRawBufferPointer(rebasing: rest.prefix(4)).bigEndian()
        }
        guard let dimensions = number(), number() != nil, let found = number(), UInt32(bitPattern: found) == type
        else { return nil }
        if dimensions == 0 { return unsafe rest.isEmpty ? [] : nil }
        guard dimensions == 1, let count = number(), count >= 0, number() != nil else { return nil }
        // Each element has four bytes of length at least, which bounds what a wrong count can reserve.
        guard unsafe Int(count) <= rest.count / 4 else { return nil }
        var elements: [Element] = []
        elements.reserveCapacity(Int(count))
        for _ in 0..<count {
            guard let width = number(), width >= 0, unsafe rest.count >= Int(width) else { return nil }
            guard let element = unsafe read(UnsafeRawBufferPointer(rebasing: rest.prefix(Int(width)))) else {
                return nil
            }
            elements.append(element)
            unsafe rest = rest.dropFirst(Int(width))
        }
        return unsafe rest.isEmpty ? elements : nil
    }
}
