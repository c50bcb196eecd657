import Testing

@testable import Postgres

@Suite struct StatementTests {
    @Test(
        "The effect is told by the first word, and the unknown counts as a write",
        arguments: [
            ("SELECT 1", PostgresStatement.Effect.read), ("\n  select 1", .read), ("SHOW x", .read),
            ("VALUES (1)", .read),
            ("TABLE t", .read), ("", .read), ("  ", .read),
            ("BEGIN", .begin), ("begin;", .begin), ("START TRANSACTION", .begin),
            ("COMMIT", .commit), ("END", .commit), ("commit;", .commit), ("COMMIT AND CHAIN", .commit),
            ("ROLLBACK", .rollback), ("ABORT", .rollback), ("ROLLBACK TO s", .read), ("ROLLBACK;", .rollback),
            ("INSERT INTO t", .write), ("WITH x AS (INSERT", .write), ("SELECTED", .write), ("(SELECT 1)", .write),
            ("-- SELECT\nDELETE FROM t", .write), ("UPDATE t", .write), ("CREATE TABLE t", .write),
            ("TRANSACTIONAL", .write), ("SAVEPOINT s", .write),
        ])
    func effects(sql: String, effect: PostgresStatement.Effect) {
        #expect(PostgresStatement("", sql).effect == effect)
    }

    @Test("A given effect wins over the first word")
    func givenEffect() {
        #expect(PostgresStatement("", "SELECT nextval('s')", effect: .write).effect == .write)
    }

    @Test("A kept statement accepts the same text and types, and a null of inferred type")
    func prepared() {
        let kept = PreparedStatement(sql: "SELECT $1, $2", types: [.int8, .text])
        func accepts(_ sql: String, _ parameters: [PostgresValue]) -> Bool {
            kept.accepts(PostgresStatement("s", sql, parameters))
        }
        #expect(accepts("SELECT $1, $2", [.int8(1), .text("a")]))
        #expect(accepts("SELECT $1, $2", [.null(.int8), .null]))
        #expect(!accepts("SELECT $1, $2", [.int4(1), .text("a")]))
        #expect(!accepts("SELECT $1, $2", [.int8(1)]))
        #expect(!accepts("SELECT $2, $1", [.int8(1), .text("a")]))
    }
}
