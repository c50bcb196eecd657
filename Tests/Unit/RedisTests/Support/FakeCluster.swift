import EventLoops
import Redis

/// Two servers that call themselves a cluster: everything lies on the first one, unless a test says otherwise.
///
/// Confined to the loop.
final class FakeCluster: @unchecked Sendable {
    private let loop: EventLoop
    private var servers: [FakeRedis] = []
    let ports: [UInt16]
    /// Answers to everything but the handshake and the map, by server; the usual one repeats the command.
    var answers: [Int: FakeRedis.Handler] = [:]
    /// Answers to `CLUSTER SLOTS` by server; the usual one is `slots`.
    var maps: [Int: (FakeConnection) -> Void] = [:]
    var slots: () -> [RESPValue] = { [] }
    /// How many `GET` have come.
    private(set) var gets = 0

    init(loop: EventLoop) throws {
        self.loop = loop
        for _ in 0..<2 { servers.append(try FakeRedis(loop: loop) { _, _ in }) }
        ports = servers.map(\.address.port)
        slots = { [ports] in [RESPText.slots(0, 16_383, ports[0])] }
        for (index, server) in servers.enumerated() {
            server.handler = { [weak self] command, connection in self?.answer(command, index, connection) }
        }
    }

    private func answer(_ command: [String], _ index: Int, _ connection: FakeConnection) {
        if command == ["CLUSTER", "SLOTS"] {
            return maps[index].map { $0(connection) } ?? connection.reply(.array(slots()))
        }
        if command == ["ASKING"] { return connection.reply("+OK\r\n") }
        if command.first == "GET" { gets += 1 }
        if let answer = answers[index] { return answer(command, connection) }
        connection.reply(.simple(Array((command + ["at", "\(index)"]).joined(separator: " ").utf8)))
    }

    /// What a server was sent after the handshakes, in the order of its connections.
    func commands(of index: Int) -> [[String]] {
        servers[index].connections.flatMap(\.commands).filter { !["CLIENT", "SCRIPT"].contains($0.first) }
    }

    func stop() { for server in servers { server.stop() } }

    func withClient(
        scripts: [RedisScript] = [], waits: Bool = true, _ body: (RedisClient) async throws -> Void
    ) async throws {
        var configuration = RedisConfiguration.patient(host: "127.0.0.1", port: ports[0])
        configuration.topology = .cluster(seeds: ports.map { RedisPlace(host: "127.0.0.1", port: $0) })
        let client = RedisClient(configuration: configuration, scripts: scripts, loop: loop)
        client.start()
        defer { client.close() }
        if waits { try await client.waitUntilReady(timeout: .seconds(10)) }
        try await body(client)
    }
}

extension RESPText {
    /// One range of `CLUSTER SLOTS`.
    static func slots(_ first: Int64, _ last: Int64, _ port: UInt16) -> RESPValue {
        .array([
            .integer(first), .integer(last), .array([bulk("127.0.0.1"), .integer(Int64(port)), bulk("id\(port)")]),
        ])
    }
}
