import EventLoops
import Postgres
import StrideTestSupport
import TLS
import Testing

/// Sessions with a PostgreSQL that speaks TLS.
@Suite(.serialized) struct PostgresTLSTests {
    /// Runs a body with one session, or says why there is none.
    @discardableResult
    private func withSession(
        _ url: String, _ body: @escaping @Sendable (PostgresConnection) async throws -> Void = { _ in }
    ) async throws -> PostgresError? {
        let loop = try EventLoop.start(name: "test")
        let outcome = await Task(executorPreference: loop) { () -> Result<PostgresError?, any Error> in
            do {
                let configuration = try PostgresConfiguration(url: url, applicationName: "stride-tests")
                let connection = try await PostgresConnection.connect(configuration, loop: loop, timeout: .seconds(30))
                defer { connection.close() }
                do { try await body(connection) } catch { return .failure(error) }
                return .success(nil)
            } catch let error as PostgresError {
                return .success(error)
            } catch {
                return .failure(error)
            }
        }.value
        await loop.stop()
        return try outcome.get()
    }

    private static func query(_ connection: PostgresConnection, _ sql: String) async throws -> PostgresResult {
        try await connection.query(PostgresStatement("", sql, []), timeout: .seconds(60))
    }

    @Test("verify-full: the right authority and name are let in; each wrong thing is refused and told apart")
    func verification() async throws {
        try await ProtectedPostgres.run { server in
            for changes in [[:], ["host": "127.0.0.1", "hostaddr": ""], ["sslmode": "verify-ca"]] {
                let refusal = try await withSession(server.url(changes)) { connection in
                    let version = try await Self.query(
                        connection, "select version from pg_stat_ssl where pid = pg_backend_pid() and ssl")
                    #expect(try version.text(0, 0) == "TLSv1.3")
                }
                #expect(refusal == nil, "\(changes)")
            }
            let other = try await TestAuthority(in: server.folder, name: "other")
            for changes in [
                ["sslrootcert": other.file], ["host": "other.test"], ["sslrootcert": "/nowhere.pem"],
                ["ssl_max_protocol_version": "TLSv1.1", "ssl_min_protocol_version": "TLSv1.1"],
            ] {
                let refusal = try await withSession(server.url(changes))
                #expect(refusal?.code == .insecure && refusal?.disposition == .shed, "\(changes): \(refusal as Any)")
                // Names and paths are for the log, not for an answer.
                #expect(refusal?.description == "no protected connection to PostgreSQL")
            }
            // In the clear the server lets nobody in.
            let plain = try await withSession(server.url(["sslmode": "disable", "sslrootcert": ""]))
            #expect(plain?.sqlState?.rawValue == "28000")
        }
    }

    @Test("A server that offers no TLS is refused when TLS is demanded")
    func noTLSThere() async throws {
        let url = try TestRun.postgresURL()
        #expect(try await withSession(url + "?sslmode=require")?.code == .insecure)
        #expect(try await withSession(url + "?sslmode=prefer") == nil)
    }

    @Test("A role that needs a certificate gets in with its own, and with none or another's it does not")
    func clientCertificate() async throws {
        try await ProtectedPostgres.run { server in
            let (own, other) = (
                try await server.authority.issue("bearer"), try await server.authority.issue("somebody")
            )
            try await withSession(server.url()) { connection in
                _ = try await Self.query(connection, "create role bearer login")
            }
            func refusal(_ certificate: String, _ key: String) async throws -> PostgresError? {
                try await withSession(server.url(["user": "bearer", "sslcert": certificate, "sslkey": key]))
            }
            #expect(try await refusal(own.certificate, own.key) == nil)
            #expect(try await refusal(other.certificate, other.key)?.sqlState?.conditionClass == "28")
            #expect(try await refusal("/nowhere", "/nowhere")?.sqlState?.conditionClass == "28")
        }
    }

    @Test("Results of all sizes arrive over TLS, also in one pipeline and in a pool")
    func results() async throws {
        try await ProtectedPostgres.run { server in
            try await withSession(server.url()) { connection in
                for size in [1, 8191, 8192, 16_384, 65_536, 1_000_000, 30_000_000] {
                    let result = try await Self.query(connection, "select repeat('x', \(size))")
                    #expect(try result.text(0, 0).utf8.count == size)
                }
                let rows = try await Self.query(connection, "select n, md5(n::text) from generate_series(1, 100000) n")
                #expect(rows.rowCount == 100_000)
                let statements = (1...200).map { PostgresStatement("", "select repeat('y', \($0 * 500))", []) }
                let results = try await connection.exchange(statements, timeout: .seconds(60))
                #expect(try results.map { try $0.text(0, 0).utf8.count } == (1...200).map { $0 * 500 })
                // And as much in the other direction.
                let large = String(repeating: "z", count: 20_000_000)
                let sent = try await connection.query(
                    PostgresStatement("", "select length($1::text)::int8", [.text(large)]), timeout: .seconds(60))
                #expect(try sent.int64(0, 0) == 20_000_000)
            }
        }
    }

    @Test("What TLS has decrypted and libpq not yet taken is never waited for: records of 16 KiB, each result whole")
    func decryptedInput() async throws {
        let folder = try TestFolder()
        let authority = try await TestAuthority(in: folder)
        let identity = try await authority.issue("pooler")
        let loop = try EventLoop.start(name: "pooler")
        let plain = try PostgresConfiguration(url: TestRun.postgresURL(), applicationName: "stride-tests")
        let host = try #require(plain.hosts.first)
        let address = try #require(SocketAddress(ip: host.name, port: host.port))
        let terminator = try await loop.run { try TLSTerminator(identity, to: address, loop: loop) }
        let url = try TestRun.postgresURL()
        let credentials = try #require(url.firstRange(of: "@").map { url[..<$0.lowerBound] })
        let database = try #require(url.lastIndex(of: "/").map { url[$0...] })
        let protected =
            "\(credentials)@localhost:\(terminator.port)\(database)"
            + "?hostaddr=127.0.0.1&sslmode=verify-full&sslrootcert=\(authority.file)"
        let refusal = try await withSession(protected) { connection in
            // A piece of a row stays in libpq's buffer, so the last record finds less room than it needs in some of these.
            for count in 5...120 {
                let sql = "select repeat('x', \(3000 + count % 7)) from generate_series(1, \(count))"
                let result = try await Self.query(connection, sql)
                #expect(result.rowCount == count)
            }
        }
        #expect(refusal == nil)
        try await loop.run { terminator.close() }
        await loop.stop()
    }
}
