import EventLoops
import Glibc
import Redis
import StrideTestSupport
import TLS
import Testing

/// A real Redis that speaks TLS.
@Suite(.serialized) struct RedisTLSTests {
    @Test("rediss:// works with the right authority, by name and by address, for small and large values")
    func works() async throws {
        try await Keep.run { keep in
            for host in ["localhost", "127.0.0.1"] {
                try await keep.withClient(host) { client in
                    #expect(try await client.send(RedisCommand("PING")).text == "PONG")
                    let large = String(repeating: "0123456789abcdef", count: 300_000)
                    #expect(try await client.send(RedisCommand("SET", "large", large)).text == "OK")
                    #expect(try await client.send(RedisCommand("GET", "large")).text == large)
                    // Many at once leave in one write and come back in their order.
                    let replies = try await client.send((0..<2000).map { RedisCommand("ECHO", "\($0)") })
                    #expect(replies.compactMap(\.text) == (0..<2000).map(String.init))
                }
            }
        }
    }

    @Test("Another authority, another name, an expired certificate, no TLS there: nothing is sent, and each is told")
    func refusals() async throws {
        try await Keep.run { keep in
            let other = try await TestAuthority(in: keep.folder, name: "other")
            #expect(try await keep.failure(authority: other.file) == .insecure(.untrusted(.unknownAuthority)))
            #expect(try await keep.failure(authority: nil) == .insecure(.untrusted(.unknownAuthority)))
            #expect(try await keep.failure(authority: "/nowhere.pem") == .insecure(.file(.authority)))
            #expect(try await keep.failure("127.0.0.2") == .insecure(.untrusted(.wrongName)))
            try await keep.restart(with: try await keep.authority.issue("expired", .expired))
            #expect(try await keep.failure() == .insecure(.untrusted(.expired)))
            try await keep.restart(with: try await keep.authority.issue("elsewhere", for: ["DNS:elsewhere.test"]))
            #expect(try await keep.failure() == .insecure(.untrusted(.wrongName)))
            #expect(try await keep.failure().disposition == .misconfigured)
            // And Redis in the clear is not taken for one that is protected.
            let plain = try await keep.failure(port: TestRun.redisPort(), within: .seconds(2))
            // Redis takes the greeting for half a command, or for one that it does not know.
            #expect([.insecure(.timedOut), .insecure(.notTLS), .insecure(.truncated)].contains(plain))
        }
    }

    @Test("A server that demands certificates takes ours, and its refusal of none is told")
    func clientCertificate() async throws {
        try await Keep.run(demandsCertificates: true) { keep in
            let identity = try await keep.authority.issue("client")
            try await keep.withClient(identity: identity) { client in
                let reply = try await client.send(RedisCommand("PING"))
                #expect(reply.text == "PONG")
            }
            // The alert (certificate_required), or the reset that overtakes it while we are writing.
            let refusal = try await keep.failure()
            if case .insecure(.stream) = refusal { return }
            #expect(refusal == .insecure(.refused(alert: 116)))
        }
    }

    @Test("After a restart with another certificate the client comes back by itself")
    func comesBack() async throws {
        try await Keep.run { keep in
            try await keep.withClient { client in
                #expect(try await client.send(RedisCommand("PING")).text == "PONG")
                try await keep.restart(with: try await keep.authority.issue("next"))
                try await client.waitUntilReady(timeout: .seconds(30))
                #expect(try await client.send(RedisCommand("PING")).text == "PONG")
            }
        }
    }

    @Test("A whole ingest over rediss://: a workout is stored and shown")
    func service() async throws {
        try await Keep.run { keep in
            try await TestStores.run { stores in
                let settings = [
                    "STRIDE_REDIS_URL": "rediss://localhost:\(keep.port)",
                    "STRIDE_REDIS_CA_FILE": keep.authority.file,
                ]
                let ingest = try await InProcessIngest.start(stores, settings: settings)
                let phone = try stores.phone("walker", ports: [ingest.port])
                try await ingest.awaitRedis(phone)
                let walk = workout(from: "2025-06-10T08:00:00Z", to: "2025-06-10T09:00:00Z", steps: 7)
                #expect(try await phone.post(walk).status == 201)
                try await keep.withClient { client in
                    let days = try await client.send(RedisCommand("HGETALL", TestRedis.daysKey(of: phone.user)))
                    #expect(days.elements?.isEmpty == false)
                }
                await stores.client.closeIdle()
                await ingest.stop()
            }
        }
    }
}

/// A Redis with TLS alone, its authority, and clients of it.
private final class Keep: @unchecked Sendable {
    let folder: TestFolder
    let authority: TestAuthority
    let port: UInt16
    private let loop: EventLoop
    private let demandsCertificates: Bool
    private var process: ChildProcess?

    static func run(demandsCertificates: Bool = false, _ body: @Sendable (Keep) async throws -> Void) async throws {
        let keep = try await Keep(demandsCertificates: demandsCertificates)
        do {
            try await keep.restart(with: try await keep.authority.issue("server"))
            try await body(keep)
        } catch {
            await keep.end()
            throw error
        }
        await keep.end()
    }

    private init(demandsCertificates: Bool) async throws {
        folder = try TestFolder()
        authority = try await TestAuthority(in: folder)
        self.demandsCertificates = demandsCertificates
        port = try FreePort.likely()
        loop = try EventLoop.start(name: "test")
    }

    private func end() async {
        process?.kill()
        await loop.stop()
    }

    /// Starts the server with a certificate, in place of the one that runs.
    func restart(with identity: TLSIdentityFiles) async throws {
        process?.kill()
        let started = try ChildProcess(
            "redis-server",
            [
                "--port", "0", "--tls-port", "\(port)", "--bind", "127.0.0.1", "127.0.0.2", "--save", "",
                "--appendonly",
                "no", "--dir", folder.path, "--tls-cert-file", identity.certificate, "--tls-key-file", identity.key,
                "--tls-ca-cert-file", authority.file, "--tls-auth-clients", demandsCertificates ? "yes" : "no",
            ], log: folder.path + "/redis.log")
        process = started
        try await eventually("Redis listens") {
            if started.ending != nil { throw Late("redis-server ended: \(started.log)") }
            return try await loop.run { [loop, port] in
                guard let address = SocketAddress(ip: "127.0.0.1", port: port) else { return false }
                guard let probe = try? await TCPStream.connect(to: address, loop: loop, timeout: .seconds(5)) else {
                    return false
                }
                probe.close()
                return true
            }
        }
    }

    private func configuration(
        _ host: String, port: UInt16? = nil, authority: String?, identity: TLSIdentityFiles? = nil
    ) throws -> RedisConfiguration {
        var configuration = try RedisConfiguration(url: "rediss://\(host):\(port ?? self.port)")
        configuration.tls = TLSClientFiles(authority: authority, identity: identity)
        configuration.connectTimeout = .seconds(20)
        configuration.commandTimeout = .seconds(20)
        configuration.stallTimeout = .seconds(20)
        return configuration
    }

    /// Lends a client that trusts the authority.
    func withClient(
        _ host: String = "localhost", identity: TLSIdentityFiles? = nil,
        _ body: @escaping @Sendable (RedisClient) async throws -> Void
    ) async throws {
        let (settings, loop) = (try configuration(host, authority: authority.file, identity: identity), loop)
        try await loop.run {
            let client = RedisClient(configuration: settings, loop: loop)
            client.start()
            defer { client.close() }
            try await client.waitUntilReady(timeout: .seconds(30))
            try await body(client)
        }
    }

    /// Why a client gets no connection.
    func failure(
        _ host: String = "localhost", port: UInt16? = nil, within patience: Duration = .seconds(20)
    ) async throws -> RedisError {
        try await failure(host, port: port, authority: authority.file, within: patience)
    }

    func failure(
        _ host: String = "localhost", port: UInt16? = nil, authority: String?, within patience: Duration = .seconds(20)
    ) async throws -> RedisError {
        var configuration = try configuration(host, port: port, authority: authority)
        configuration.connectTimeout = patience
        let (settings, loop) = (configuration, loop)
        return try await loop.run {
            let client = RedisClient(configuration: settings, loop: loop)
            client.start()
            defer { client.close() }
            // The first attempt may take a while; until it has failed there is no reason to tell.
            for _ in 0..<60 {
                do throws(RedisError) {
                    try await client.waitUntilReady(timeout: .milliseconds(500))
                    throw RedisError.cancelled
                } catch .notConnected {
                    continue
                } catch {
                    return error
                }
            }
            throw Late("no attempt has failed")
        }
    }
}
