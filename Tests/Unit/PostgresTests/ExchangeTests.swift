import EventLoops
import Glibc
import Testing

@testable import Postgres

@Suite struct ExchangeTests {
    @Test("Statements of one exchange give their results in order, in binary form")
    func results() async throws {
        try await withServer { connection in
            try await connection.run("CREATE TEMP TABLE t (id int8 PRIMARY KEY, note text)")
            let results = try await connection.exchange(
                [
                    .begin, PostgresStatement("put", "INSERT INTO t VALUES ($1, $2)", [.int8(7), .text("é\u{1F3C3}")]),
                    PostgresStatement("get", "SELECT id, note, id::int4, id::int2, true, NULL::int8 FROM t"), .commit,
                ], timeout: .seconds(20))
            #expect(results.count == 4)
            #expect(results[1].affectedRows == 1 && results[1].rowCount == 0 && results[1].columnCount == 0)
            let row = results[2]
            #expect(row.rowCount == 1 && row.columnCount == 6)
            #expect(try row.int64(0, 0) == 7 && row.text(0, 1) == "é\u{1F3C3}" && row.int32(0, 2) == 7)
            #expect(try row.int16(0, 3) == 7 && row.bool(0, 4) && row.isNull(0, 5) && !row.isNull(0, 0))
            #expect(try row.bytes(0, 0) == [0, 0, 0, 0, 0, 0, 0, 7])
            #expect(connection.isProvablyIdle)
        }
    }

    @Test("Asking for another type, a null, or a place that is not there is an error, never a trap")
    func unexpected() async throws {
        try await withServer { connection in
            let row = try await connection.query(
                .simple("SELECT 1::int4, NULL::int8, 'infinity'::date, ARRAY[1,NULL]::int8[], '{{1,2}}'::int8[], 'x'"),
                timeout: .seconds(20))
            func code<Value>(_ read: () throws -> Value) -> PostgresError.Code? {
                do {
                    _ = try read()
                    return nil
                } catch {
                    return (error as? PostgresError)?.code
                }
            }
            #expect(code { try row.int64(0, 0) } == .unexpectedResult)
            #expect(code { try row.int64(0, 1) } == .unexpectedResult)
            #expect(code { try row.date(0, 2) } == .unexpectedResult)
            #expect(code { try row.int64Array(0, 3) } == .unexpectedResult)
            #expect(code { try row.int64Array(0, 4) } == .unexpectedResult)
            #expect(code { try row.uuid(0, 5) } == .unexpectedResult)
            for (line, column) in [(1, 0), (-1, 0), (0, 6), (0, -1), (.max, .max)] {
                #expect(code { try row.int32(line, column) } == .unexpectedResult)
                #expect(row.isNull(line, column))
            }
            #expect(try row.int32(0, 0) == 1 && row.text(0, 5) == "x")
        }
    }

    @Test("A named statement is prepared once, also when its first exchange failed before it")
    func prepared() async throws {
        try await withServer { connection in
            let kept = "SELECT count(*) FROM pg_prepared_statements WHERE name = 'twice'"
            let twice = PostgresStatement("twice", "SELECT $1 * 2", [.int8(21)])
            let broken = await failure {
                try await connection.exchange([.simple("SELECT 1/0"), twice], timeout: .seconds(20))
            }
            #expect(broken.sqlState?.rawValue == "22012")
            #expect(try await connection.number(kept) == 0)
            let both = try await connection.exchange([twice, twice], timeout: .seconds(20))
            #expect(try both[0].int64(0, 0) == 42 && both[1].int64(0, 0) == 42)
            #expect(try await connection.query(twice, timeout: .seconds(20)).int64(0, 0) == 42)
            #expect(try await connection.number(kept) == 1)
        }
    }

    @Test("Behind a pooler nothing is kept prepared")
    func unnamed() async throws {
        var configuration = try serverConfiguration()
        configuration.usesNamedStatements = false
        let pooled = configuration
        try await onLoop { loop in
            let connection = try await PostgresConnection.connect(pooled, loop: loop, timeout: .seconds(20))
            let twice = PostgresStatement("twice", "SELECT $1 * 2", [.int8(21)])
            let results = try await connection.exchange([.begin, twice, twice, .commit], timeout: .seconds(20))
            #expect(try results[2].int64(0, 0) == 42)
            #expect(try await connection.number("SELECT count(*) FROM pg_prepared_statements") == 0)
            connection.close()
        }
    }

    @Test("A NOTICE is not printed and disturbs nothing")
    func notice() async throws {
        try await withServer { connection in
            var pipes: [Int32] = [0, 0]
            try #require(pipe(&pipes) == 0)
            for end in pipes { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            let saved = dup(2)
            dup2(pipes[1], 2)
            let result = await Result { () async throws(PostgresError) in
                try await connection.run("DO $$ BEGIN RAISE WARNING 'stride-notice-marker'; END $$")
            }
            dup2(saved, 2)
            Glibc.close(saved)
            Glibc.close(pipes[1])
            try result.get()
            var printed = ""
            var bytes = [UInt8](repeating: 0, count: 4096)
            while case let count = read(pipes[0], &bytes, bytes.count), count > 0 {
                printed += String(decoding: bytes.prefix(count), as: UTF8.self)
            }
            Glibc.close(pipes[0])
            #expect(!printed.contains("stride-notice-marker"))
            #expect(try await connection.number("SELECT 5::int8") == 5)
        }
    }

    @Test("A hundred thousand rows arrive whole")
    func bigResult() async throws {
        try await withServer { connection in
            let result = try await connection.query(
                .simple("SELECT g::int8, 'row ' || g FROM generate_series(1, 100000) g"), timeout: .seconds(60))
            #expect(result.rowCount == 100_000)
            var sum: Int64 = 0
            for row in 0..<result.rowCount { sum += try result.int64(row, 0) }
            #expect(sum == 5_000_050_000)
            #expect(try result.text(99_999, 1) == "row 100000")
            #expect(connection.isProvablyIdle)
        }
    }

    @Test("More than the socket takes goes both ways without a standstill")
    func bigParameters() async throws {
        try await withServer { connection in
            let bytes = [UInt8](repeating: 0xAB, count: 8 << 20)
            let echo = PostgresStatement("echo", "SELECT $1::bytea", [.bytea(bytes)])
            let results = try await connection.exchange([echo, echo, echo], timeout: .seconds(60))
            for result in results { #expect(try result.bytes(0, 0) == bytes) }
            #expect(try await connection.number("SELECT 5::int8") == 5)
        }
    }

    @Test("A COPY, which a pipeline cannot carry, ends the exchange with an error and is not waited for")
    func copy() async throws {
        try await withServer { connection in
            let error = await failure {
                try await connection.query(.simple("COPY (SELECT 1) TO STDOUT"), timeout: .seconds(20))
            }
            #expect(error.code != .timedOut)
            #expect(connection.isClosed || connection.isProvablyIdle)
        }
    }

    @Test("Two exchanges at once and one name for two statements are refused as misuse")
    func misuse() async throws {
        try await withServer { connection in
            async let slow = connection.query(.simple("SELECT pg_sleep(0.2)"), timeout: .seconds(20))
            try await connection.loop.sleep(for: .milliseconds(50))
            let second = await failure { try await connection.number("SELECT 1::int8") }
            #expect(second.code == .misuse)
            #expect(try await slow.rowCount == 1)
            _ = try await connection.query(PostgresStatement("name", "SELECT 1"), timeout: .seconds(20))
            let other = await failure {
                try await connection.query(PostgresStatement("name", "SELECT 2"), timeout: .seconds(20))
            }
            #expect(other.code == .misuse)
        }
    }

    @Test("A write that meets a read-only session is re-routed, and the session is given up")
    func readOnly() async throws {
        try await withServer { connection in
            try await connection.run("SET default_transaction_read_only = on")
            let error = await failure { try await connection.run("CREATE TABLE never ()") }
            #expect(error.code == .server(.readOnlyTransaction) && error.disposition == .reconnect)
            #expect(connection.transactionStatus == .idle && !connection.isProvablyIdle)
        }
    }

    @Test("A plan whose columns have changed asks for a new session rather than failing for ever")
    func stalePlan() async throws {
        try await withServer { connection in
            try await connection.run("CREATE TEMP TABLE t (id int8)")
            let all = PostgresStatement("all", "SELECT * FROM t")
            _ = try await connection.query(all, timeout: .seconds(20))
            try await connection.run("ALTER TABLE t ADD COLUMN note text")
            let error = await failure {
                try await connection.query(all, timeout: .seconds(20))
            }
            #expect(error.code == .server(.featureNotSupported) && error.disposition == .reconnect)
            #expect(!connection.isProvablyIdle)
        }
    }
}

extension Result where Failure == PostgresError {
    fileprivate init(_ body: () async throws(PostgresError) -> Success) async {
        do throws(PostgresError) {
            self = .success(try await body())
        } catch {
            self = .failure(error)
        }
    }
}
