import Glibc
import StrideTestSupport
import TLS
import Telemetry
import Testing

/// The public listener over TLS, asked by clients that are not ours.
@Suite(.serialized) struct ListenerTLSTests {
    private static let walk = workout(from: "2025-06-10T08:00:00Z", to: "2025-06-10T09:00:00Z", steps: 1)

    /// Runs a body with an ingest that listens with TLS.
    private func withIngest(
        demandsCertificates: Bool = false, settings: [String: String] = [:],
        _ body: @Sendable (TestStores, InProcessIngest, TestAuthority) async throws -> Void
    ) async throws {
        try await TestStores.run { stores in
            let authority = try await TestAuthority(in: stores.folder)
            let identity = try await authority.issue("server")
            var all = [
                "STRIDE_TLS_CERTIFICATE_FILE": identity.certificate, "STRIDE_TLS_KEY_FILE": identity.key,
            ].merging(settings) { _, own in own }
            if demandsCertificates { all["STRIDE_TLS_CLIENT_CA_FILE"] = authority.file }
            let ingest = try await InProcessIngest.start(stores, settings: all)
            do {
                try await body(stores, ingest, authority)
            } catch {
                await ingest.stop()
                throw error
            }
            await ingest.stop()
        }
    }

    /// Runs a command to its end.
    private func run(_ command: String, _ arguments: [String], in folder: TestFolder) async throws -> (Bool, String) {
        let log = "\(folder.path)/\(command)-\(UInt32.random(in: 0...UInt32.max)).log"
        let process = try ChildProcess(command, arguments, log: log)
        let ending = try await process.wait(within: .seconds(60))
        return (ending == .exited(0), process.log)
    }

    private func curl(
        _ ingest: InProcessIngest, _ stores: TestStores, _ options: [String]
    ) async throws -> (Bool, String) {
        let token = try stores.tokens.token(for: "walker")
        try stores.folder.write("headers", "Authorization: Bearer \(token)\nContent-Type: application/json\n")
        try stores.folder.write("body", Self.walk.text)
        return try await run(
            "curl",
            [
                "-sS", "--noproxy", "*", "--max-time", "60", "-H", "@\(stores.folder.path)/headers", "--data-binary",
                "@\(stores.folder.path)/body", "-w", "\n%{http_code} %{http_version} %{ssl_verify_result}\n",
            ] + options + ["https://localhost:\(ingest.port)/v1/workouts"], in: stores.folder)
    }

    @Test("curl stores a workout over TLS 1.2 and 1.3, and HTTP/1.1 is agreed on where HTTP/2 is offered first")
    func versions() async throws {
        try await withIngest { stores, ingest, authority in
            for options in [["--tls-max", "1.2"], ["--tlsv1.3"], ["--http2"]] {
                let (isDone, text) = try await curl(ingest, stores, ["--cacert", authority.file] + options)
                #expect(isDone && text.contains("20") && text.contains(" 1.1 0"), "\(options): \(text)")
            }
            let (isTrusted, _) = try await curl(ingest, stores, [])
            #expect(!isTrusted)
        }
    }

    @Test("TLS 1.1 is refused, TLS 1.2 too when 1.3 is the minimum, and so is a client that speaks HTTP/2 only")
    func refusedVersions() async throws {
        try await withIngest { stores, ingest, authority in
            func connects(_ options: [String], to port: UInt16) async throws -> (Bool, String) {
                try await run(
                    "openssl",
                    ["s_client", "-connect", "127.0.0.1:\(port)", "-CAfile", authority.file, "-verify_return_error"]
                        + options, in: stores.folder)
            }
            let old = ["-tls1_1", "-cipher", "ALL:@SECLEVEL=0"]
            let (isOldLetIn, oldText) = try await connects(old, to: ingest.port)
            #expect(!isOldLetIn && oldText.contains("alert protocol version"), "\(oldText)")
            #expect(try await connects(["-tls1_2"], to: ingest.port).0)
            let (isHTTP2, text) = try await connects(["-alpn", "h2"], to: ingest.port)
            #expect(!isHTTP2 && text.contains("no application protocol"), "\(text)")
            #expect(
                try await connects(["-alpn", "h2,http/1.1"], to: ingest.port).1.contains("ALPN protocol: http/1.1"))
            // Static RSA and CBC have no place in TLS 1.2.
            #expect(try await !connects(["-tls1_2", "-cipher", "ECDHE+AES:!AESGCM"], to: ingest.port).0)

            let identity = try await authority.issue("strict")
            let strict = try await InProcessIngest.start(
                stores,
                settings: [
                    "STRIDE_TLS_CERTIFICATE_FILE": identity.certificate, "STRIDE_TLS_KEY_FILE": identity.key,
                    "STRIDE_TLS_MIN_VERSION": "1.3",
                ])
            #expect(try await connects(["-tls1_3"], to: strict.port).0)
            #expect(try await !connects(["-tls1_2"], to: strict.port).0)
            await strict.stop()
        }
    }

    @Test("A session is resumed by its ticket, and the client must not ask for new keys in the middle (1.2)")
    func tickets() async throws {
        try await withIngest { stores, ingest, authority in
            let file = "\(stores.folder.path)/session"
            for version in ["-tls1_2", "-tls1_3"] {
                // The request has no end of its own: the server's answer to a connection that ends is what is waited for.
                let script = """
                    ask() { printf 'GET /v1/nothing HTTP/1.1\\r\\nHost: a\\r\\nConnection: close\\r\\n\\r\\n' |
                        openssl s_client -connect 127.0.0.1:\(ingest.port) -CAfile \(authority.file) \(version) \
                        -ign_eof "$@"; }
                    ask -sess_out \(file) && ask -sess_in \(file)
                    """
                let (isDone, text) = try await run("bash", ["-c", script], in: stores.folder)
                #expect(isDone && text.contains("Reused, TLSv1"), "\(version): \(text)")
                #expect(text.components(of: "HTTP/1.1 40") == 2)
            }
            let renegotiation = """
                { echo R; sleep 1; } | openssl s_client -connect 127.0.0.1:\(ingest.port) -CAfile \(authority.file) -tls1_2
                """
            let (_, text) = try await run("bash", ["-c", renegotiation], in: stores.folder)
            #expect(text.contains("no renegotiation"), "\(text)")
        }
    }

    @Test("Plain HTTP on the TLS port is closed without a word and reaches no route")
    func plain() async throws {
        try await withIngest { stores, ingest, _ in
            for _ in 0..<3 {
                let line = try await HTTPLine.open(ingest.port, on: stores.loop)
                try await line.send("GET /v1/workouts HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(try await line.ends())
            }
            let failed = #"stride_tls_handshakes_total{service="ingest",outcome="failed"}"#
            try await eventually("they are counted") { ingest.metric(failed) == 3 }
            let page = String(decoding: ingest.registry.render(), as: UTF8.self)
            #expect(!page.contains("http_server_request_duration_seconds_count"))
        }
    }

    @Test("Where clients need a certificate, one of the authority is let in, and none or another is not")
    func clientCertificates() async throws {
        try await withIngest(demandsCertificates: true) { stores, ingest, authority in
            let client = try await authority.issue("client")
            let stranger = try await TestAuthority(in: stores.folder, name: "other").issue("stranger")
            func post(_ options: [String]) async throws -> (Bool, String) {
                try await curl(ingest, stores, ["--cacert", authority.file] + options)
            }
            let (isDone, text) = try await post(["--cert", client.certificate, "--key", client.key])
            #expect(isDone && text.contains("\n201 "), "\(text)")
            #expect(try await !post([]).0)
            #expect(try await !post(["--cert", stranger.certificate, "--key", stranger.key]).0)
            #expect(try await post(["--tls-max", "1.2"]).0 == false)
            // The operators' port is none of this.
            let line = try await HTTPLine.open(ingest.adminPort, on: stores.loop)
            #expect(try await line.exchange(HTTPCall("GET", "/livez")).status == 200)
            line.close()
        }
    }

    @Test("Half a configuration, files that cannot be used: the service does not start, least of all in the clear")
    func faults() async throws {
        try await TestStores.run { stores in
            let identity = try await TestAuthority(in: stores.folder).issue("server")
            let (certificate, key) = (identity.certificate, identity.key)
            for settings in [
                ["STRIDE_TLS_CERTIFICATE_FILE": certificate], ["STRIDE_TLS_KEY_FILE": key],
                ["STRIDE_TLS_CLIENT_CA_FILE": certificate], ["STRIDE_TLS_MIN_VERSION": "1.3"],
                ["STRIDE_TLS_CERTIFICATE_FILE": certificate, "STRIDE_TLS_KEY_FILE": certificate],
                ["STRIDE_TLS_CERTIFICATE_FILE": "/nowhere", "STRIDE_TLS_KEY_FILE": key],
                [
                    "STRIDE_TLS_CERTIFICATE_FILE": certificate, "STRIDE_TLS_KEY_FILE": key,
                    "STRIDE_TLS_MIN_VERSION": "1.1",
                ],
                ["STRIDE_REDIS_CA_FILE": certificate],
                ["STRIDE_REDIS_URL": "rediss://localhost:1", "STRIDE_REDIS_CA_FILE": "/nowhere"],
                ["STRIDE_REDIS_URL": "rediss://localhost:1", "STRIDE_REDIS_KEY_FILE": key],
            ] {
                await #expect(throws: (any Error).self, "\(settings.keys)") {
                    let ingest = try await InProcessIngest.start(stores, settings: settings)
                    await ingest.stop()
                }
            }
        }
    }
}

extension String {
    /// How often a text stands in this one.
    fileprivate func components(of part: String) -> Int { ranges(of: part).count }
}
