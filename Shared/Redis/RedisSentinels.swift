import EventLoops

/// The sentinels of one master: who it is now, asked before each connection and once a second while there is one.
///
/// Of several answers the one with the highest configuration epoch counts, so a sentinel that was cut off and knows of
/// the last failover nothing cannot send anybody back. Confined to its loop, as its client is.
/// Source: "Guidelines for Redis clients with support for Redis Sentinel".
final class RedisSentinels: @unchecked Sendable {
    private static let watchEvery = Duration.seconds(1)

    private let loop: EventLoop
    private let name: String
    private let configuration: RedisConfiguration
    private let nodes: [RedisNode]
    private var timer: LoopTimer?

    /// Knows the sentinels; nothing is sent.
    init(master name: String, sentinels: [RedisPlace], configuration: RedisConfiguration, loop: EventLoop) {
        self.loop = loop
        self.name = name
        self.configuration = configuration
        // Counted on their own: a sentinel runs no command of a caller.
        let meter = RedisMeter()
        nodes = sentinels.map { place in
            var own = configuration
            (own.host, own.port, own.database, own.topology) = (place.host, place.port, 0, .single)
            (own.user, own.password) = (nil, configuration.sentinelPassword)
            return RedisNode(configuration: own, scripts: [], loop: loop, meter: meter)
        }
    }

    /// Has a node always go to the master.
    func lead(_ node: RedisNode) {
        node.locate = { [weak self] deadline async throws(RedisError) in
            guard let self else { throw .notConnected }
            return try await master(by: deadline)
        }
        for sentinel in nodes { sentinel.start() }
        timer = LoopTimer(loop: loop) { [weak self, weak node] in
            guard let self, let node else { return }
            loop.submit { await self.watch(node) }
        }
        timer?.schedule(after: Self.watchEvery)
    }

    func close() {
        timer?.close()
        timer = nil
        for sentinel in nodes { sentinel.close() }
    }

    /// A master that was cut off from everybody else would still answer this one.
    private func watch(_ node: RedisNode) async {
        let latest = loop.now.advanced(by: configuration.commandTimeout)
        if node.isConnected, case .success(let place)? = await answer(by: latest, preferring: node.place),
            node.isConnected, node.place != place
        {
            node.reconnect()
        }
        timer?.schedule(after: Self.watchEvery)
    }

    /// Where the master is.
    private func master(by deadline: MonotonicInstant) async throws(RedisError) -> RedisPlace {
        while !nodes.contains(where: \.isConnected) {
            guard loop.now < deadline, nodes.contains(where: \.isFresh) else {
                throw nodes.first?.lastConnectError ?? .notConnected
            }
            do { try await loop.sleep(for: .milliseconds(2)) } catch { throw .cancelled }
        }
        let latest = min(deadline, loop.now.advanced(by: configuration.commandTimeout))
        guard let answer = await answer(by: latest) else { throw .notConnected }
        return try answer.get()
    }

    /// The newest of all answers, or a refusal if there are only such; nil without any.
    ///
    /// - Parameter current: the one that counts among equals: sentinels may spell one server in different ways.
    private func answer(
        by deadline: MonotonicInstant, preferring current: RedisPlace? = nil
    ) async -> Result<RedisPlace, RedisError>? {
        let command = RedisCommand("SENTINEL", "MASTER", name)
        let replies = await withTaskGroup(of: RESPValue?.self) { group in
            for node in nodes where node.isConnected {
                group.addTask(executorPreference: loop) {
                    try? await node.send(one: command, deadline: deadline)
                }
            }
            return await group.reduce(into: [RESPValue]()) { if let reply = $1 { $0.append(reply) } }
        }
        let answers = replies.compactMap { RedisMasterAnswer($0) }
        if let epoch = answers.map(\.epoch).max() {
            let newest = answers.filter { $0.epoch == epoch }.map(\.place)
            if let place = newest.first(where: { $0 == current }) ?? newest.first { return .success(place) }
        }
        if let kind = replies.lazy.compactMap({ $0.error?.kind }).first { return .failure(.server(kind)) }
        return replies.isEmpty ? nil : .failure(.protocolViolation(.unexpectedReply))
    }
}

/// What one sentinel says about the master: fields and values by turns.
struct RedisMasterAnswer: Equatable {
    let place: RedisPlace
    /// Counts failovers.
    let epoch: Int64

    init?(_ reply: RESPValue) {
        guard let parts = reply.elements else { return nil }
        var (host, port, epoch): (String?, UInt16?, Int64?)
        for index in stride(from: 0, to: parts.count - 1, by: 2) {
            switch parts[index].text {
            case "ip": host = parts[index + 1].text
            case "port": port = parts[index + 1].number.flatMap { UInt16(exactly: $0) }
            case "config-epoch": epoch = parts[index + 1].number
            default: continue
            }
        }
        guard let host, !host.isEmpty, let port, port > 0, let epoch else { return nil }
        place = RedisPlace(host: host, port: port)
        self.epoch = epoch
    }
}
