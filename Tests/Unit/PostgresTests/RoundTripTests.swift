import Testing

@testable import Postgres

@Suite struct RoundTripTests {
    /// 500 elements, every seventh of them null.
    private static func elements<Element>(_ make: (Int) -> Element) -> [Element?] {
        (0..<500).map { $0 % 7 == 3 ? nil : make($0) }
    }

    /// Sends an array and reads it back element by element, in order.
    private func check<Element: PostgresElement & Equatable & Sendable>(
        _ elements: [Element?], as type: String,
        read: @escaping @Sendable (PostgresResult, Int) throws(PostgresError) -> Element
    ) async throws {
        try await withServer { connection in
            let sql = "SELECT x, cardinality($1) FROM unnest($1::\(type)[]) WITH ORDINALITY u(x, n) ORDER BY n"
            let rows = try await connection.query(
                PostgresStatement("", sql, [.array(of: elements)]), timeout: .seconds(20))
            #expect(rows.rowCount == elements.count)
            for (row, element) in elements.enumerated() {
                if let element {
                    let back = try read(rows, row)
                    guard back == element else {
                        Issue.record("element \(row): \(back) instead of \(element)")
                        return
                    }
                } else {
                    #expect(rows.isNull(row, 0))
                }
            }
            let empty: [Element] = []
            let none = try await connection.query(
                PostgresStatement("", "SELECT cardinality($1::\(type)[])", [.array(of: empty)]), timeout: .seconds(20))
            #expect(try none.int32(0, 0) == 0)
        }
    }

    @Test("500 int2 with nulls, and none")
    func int2() async throws {
        try await check(Self.elements { Int16(truncatingIfNeeded: $0 * 977) }, as: "int2") {
            (result, row) throws(PostgresError) in try result.int16(row, 0)
        }
    }

    @Test("500 int4 with nulls, and none")
    func int4() async throws {
        try await check(Self.elements { Int32(truncatingIfNeeded: $0 * 123_456_789) }, as: "int4") {
            (result, row) throws(PostgresError) in try result.int32(row, 0)
        }
    }

    @Test("500 int8 with nulls, and none")
    func int8() async throws {
        try await check(Self.elements { Int64($0) &* 0x7FFF_FFFF_FFFF_FF13 }, as: "int8") {
            (result, row) throws(PostgresError) in try result.int64(row, 0)
        }
    }

    @Test("500 uuids with nulls, and none")
    func uuid() async throws {
        try await check(Self.elements { PostgresUUID(high: UInt64($0) << 40, low: .max - UInt64($0)) }, as: "uuid") {
            (result, row) throws(PostgresError) in try result.uuid(row, 0)
        }
    }

    @Test("500 texts with nulls and empty ones, and none")
    func text() async throws {
        try await check(Self.elements { $0 % 5 == 0 ? "" : "é{\",\\\($0)" }, as: "text") {
            (result, row) throws(PostgresError) in try result.text(row, 0)
        }
    }

    @Test("500 bools with nulls, and none")
    func bool() async throws {
        try await check(Self.elements { $0 % 3 == 0 }, as: "bool") { (result, row) throws(PostgresError) in
            try result.bool(row, 0)
        }
    }

    @Test("500 dates with nulls, and none")
    func date() async throws {
        try await check(Self.elements { PostgresDate(daysSince1970: Int32($0 * 101 - 20_000)) }, as: "date") {
            (result, row) throws(PostgresError) in try result.date(row, 0)
        }
    }

    @Test("Whole arrays are read back, empty ones too")
    func wholeArrays() async throws {
        try await withServer { connection in
            let eights: [Int64] = (0..<500).map { Int64($0) << 32 }
            let uuids = [PostgresUUID(high: 1, low: 2), PostgresUUID(high: 3, low: 4)]
            let row = try await connection.query(
                PostgresStatement(
                    "", "SELECT $1, $2, $3, $4, $5, '{}'::int8[]",
                    [
                        .array(of: eights), .array(of: [1, -1] as [Int32]), .array(of: [2, -2] as [Int16]),
                        .array(of: uuids), .array(of: ["a", ""]),
                    ]), timeout: .seconds(20))
            #expect(try row.int64Array(0, 0) == eights)
            #expect(try row.int32Array(0, 1) == [1, -1])
            #expect(try row.int16Array(0, 2) == [2, -2])
            #expect(try row.uuidArray(0, 3) == uuids)
            #expect(try row.textArray(0, 4) == ["a", ""])
            #expect(try row.int64Array(0, 5) == [])
        }
    }

    @Test("Scalars, and typed and inferred nulls, come back as they went")
    func scalars() async throws {
        try await withServer { connection in
            let row = try await connection.query(
                PostgresStatement(
                    "", "SELECT $1, $2, $3, $4, $5, $6, $7, $8::int8, $9::text, $2 + 1",
                    [
                        .int4(-5), .int8(.max - 1), .text(""), .uuid(PostgresUUID(high: .max, low: 0)), .bool(true),
                        .date(PostgresDate(daysSince1970: 20_787)), .bytea([]), .null(.int8), .null,
                    ]), timeout: .seconds(20))
            #expect(try row.int32(0, 0) == -5 && row.int64(0, 1) == .max - 1 && row.text(0, 2) == "")
            #expect(try row.uuid(0, 3) == PostgresUUID(high: .max, low: 0) && row.bool(0, 4))
            #expect(try row.date(0, 5).daysSince1970 == 20_787 && row.bytes(0, 6) == [])
            #expect(row.isNull(0, 7) && row.isNull(0, 8))
            #expect(try row.int64(0, 9) == .max)
            // 20787 days after 1970-01-01: 56 years with 14 leap days make 20454 (2026-01-01), and 333 more.
            let day = try await connection.query(
                PostgresStatement("", "SELECT $1::text", [.date(PostgresDate(daysSince1970: 20_787))]),
                timeout: .seconds(20))
            #expect(try day.text(0, 0) == "2026-11-30")
        }
    }
}
