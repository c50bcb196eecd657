import EventLoops
import Redis
import StrideTestSupport
import TLS
import Testing

/// A cluster that speaks TLS alone.
@Suite(.serialized) struct ClusterTLSTests {
    @Test("rediss-cluster:// finds the servers by their protected ports, and trusts none whose name is another")
    func protected() async throws {
        let loop = try EventLoop.start(name: "cluster")
        let folder = try TestFolder()
        let authority = try await TestAuthority(in: folder)
        let identity = try await authority.issue("cluster", for: ["IP:127.0.0.1"])
        let (port, bus) = (try FreePort.likely(), try FreePort.likely())
        let server = try ChildProcess(
            "redis-server",
            [
                "--port", "0", "--tls-port", "\(port)", "--bind", "127.0.0.1", "--save", "", "--appendonly", "no",
                "--dir", folder.path, "--tls-cert-file", identity.certificate, "--tls-key-file", identity.key,
                "--tls-ca-cert-file", authority.file, "--tls-auth-clients", "no", "--tls-cluster", "yes",
                "--cluster-enabled", "yes", "--cluster-port", "\(bus)",
            ], log: folder.path + "/redis.log")
        defer { server.kill() }
        func configuration(_ url: String) throws -> RedisConfiguration {
            var configuration = try RedisConfiguration(url: url)
            configuration.tls = TLSClientFiles(authority: authority.file)
            configuration.connectTimeout = .seconds(10)
            configuration.commandTimeout = .seconds(10)
            configuration.stallTimeout = .seconds(10)
            return configuration
        }
        let single = try configuration("rediss://127.0.0.1:\(port)")
        let cluster = try configuration("rediss-cluster://127.0.0.1:\(port)")
        let misnamed = try configuration("rediss-cluster://localhost:\(port)")
        try await loop.run {
            let operatorsClient = RedisClient(configuration: single, loop: loop)
            operatorsClient.start()
            defer { operatorsClient.close() }
            try await operatorsClient.waitUntilReady(timeout: .seconds(30))
            #expect(try await operatorsClient.send(RedisCommand("CLUSTER", "ADDSLOTSRANGE", "0", "16383")).isOK)

            let client = RedisClient(configuration: cluster, loop: loop)
            client.start()
            defer { client.close() }
            try await client.waitUntilReady(timeout: .seconds(30))
            try await eventually("the cluster serves") {
                try await client.send(RedisCommand("SET", "k", "v")).isOK
            }
            #expect(try await client.send([RedisCommand("GET", "k"), RedisCommand("GET", "none")])[0].text == "v")

            let stranger = RedisClient(configuration: misnamed, loop: loop)
            stranger.start()
            defer { stranger.close() }
            await #expect(throws: RedisError.self) { try await stranger.waitUntilReady(timeout: .seconds(2)) }
            #expect(!stranger.isConnected)
        }
        await loop.stop()
    }
}
