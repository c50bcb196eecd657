import EventLoops

/// The servers of a Redis Cluster as one loop knows them: a map of the slots, and a node for each server in use.
///
/// Confined to `loop`, as its client is.
final class RedisCluster: @unchecked Sendable {
    /// Looks at the map that were asked for come at most this often, whatever fails.
    private static let lookGap = Duration.milliseconds(100)
    /// While the map is missing or has holes.
    private static let impatience = Duration.milliseconds(300)
    /// More servers than any cluster has; so many names a hostile server may make up.
    private static let mostNodes = 1024

    let loop: EventLoop
    let configuration: RedisConfiguration
    let meter: RedisMeter
    private let scripts: [RedisScript]
    private let seeds: [RedisPlace]
    private(set) var map: RedisSlotMap?
    private(set) var nodes: [RedisPlace: RedisNode] = [:]
    /// Servers that the map has let go of and whose callers still wait.
    private var leaving: [RedisNode] = []
    /// Servers that were asked since the last look, though the map may not name them.
    private var asked: Set<RedisPlace> = []
    private var looking: Task<Void, Never>?
    private var lastLook: MonotonicInstant?
    private var timer: LoopTimer?
    private var isClosed = false
    private var turn = 0

    init(
        seeds: [RedisPlace], configuration: RedisConfiguration, scripts: [RedisScript], loop: EventLoop,
        meter: RedisMeter
    ) {
        self.seeds = seeds
        self.configuration = configuration
        self.scripts = scripts
        self.loop = loop
        self.meter = meter
    }

    /// Begins to look for the cluster, until `close`.
    func start() {
        guard timer == nil, !isClosed else { return }
        timer = LoopTimer(loop: loop) { [weak self] in
            guard let self, !isClosed else { return }
            loop.submit { await self.look() }
        }
        lookSoon()
    }

    /// Whether every slot has a master that is connected.
    var isReady: Bool {
        guard let map, map.isComplete else { return false }
        return map.masters.allSatisfy { nodes[$0]?.isConnected == true }
    }

    /// Why it is not.
    var lastError: RedisError {
        if let map, !map.isComplete { return .server(.clusterDown) }
        return nodes.values.first { !$0.isConnected }?.lastConnectError ?? .notConnected
    }

    func close() {
        isClosed = true
        timer?.close()
        timer = nil
        looking?.cancel()
        for node in leaving + nodes.values { node.close() }
        nodes = [:]
        map = nil
    }

    /// The node at a place, connecting if it is new; nil if there are too many, and once all is closed.
    func node(at place: RedisPlace) -> RedisNode? {
        asked.insert(place)
        if let node = nodes[place] { return node }
        guard !isClosed, nodes.count < Self.mostNodes else { return nil }
        var own = configuration
        (own.host, own.port) = (place.host, place.port)
        let node = RedisNode(configuration: own, scripts: scripts, loop: loop, meter: meter)
        node.onTrouble = { [weak self] in self?.lookSoon() }
        nodes[place] = node
        node.start()
        return node
    }

    /// A server has said where a slot is.
    func learn(_ slot: UInt16, at place: RedisPlace) {
        map?.learn(slot, at: place)
        lookSoon()
    }
}

extension RedisCluster {
    /// Has the map looked at shortly; many wishes are one look.
    func lookSoon() {
        guard looking == nil else { return }
        let gap = lastLook.map { Self.lookGap - $0.duration(to: loop.now) } ?? .zero
        timer?.schedule(after: max(.zero, gap))
    }

    /// Looks at the map, together with everybody who wants the same.
    func look() async {
        if let looking { return await looking.value }
        guard !isClosed else { return }
        let task = Task(executorPreference: loop) { await self.lookOnce() }
        looking = task
        await task.value
    }

    private func lookOnce() async {
        meter.counters.mapLooks += 1
        let found = await findMap()
        looking = nil
        lastLook = loop.now
        guard !isClosed else { return }
        if let found { install(found) }
        if map?.isComplete != true { timer?.schedule(after: Self.impatience) }
    }

    /// Asks the servers that are connected, another one first each time; when none of them knows, those of the configuration.
    private func findMap() async -> RedisSlotMap? {
        let deadline = loop.now.advanced(by: configuration.connectTimeout)
        let known = (map?.masters ?? []).filter { nodes[$0]?.isConnected == true }
        turn += 1
        for offset in known.indices {
            if let found = await ask(known[(offset + turn) % known.count], by: deadline) { return found }
        }
        var silent = seeds.filter { !known.contains($0) && node(at: $0) != nil }
        while !silent.isEmpty, !isClosed, !Task.isCancelled, loop.now < deadline {
            for place in silent where nodes[place]?.isFresh != true {
                silent.removeAll { $0 == place }
                if let found = await ask(place, by: deadline) { return found }
            }
            do { try await loop.sleep(for: .milliseconds(2)) } catch { return nil }
        }
        return nil
    }

    private func ask(_ place: RedisPlace, by deadline: MonotonicInstant) async -> RedisSlotMap? {
        guard let node = nodes[place] else { return nil }
        let latest = min(deadline, loop.now.advanced(by: configuration.commandTimeout))
        let reply = try? await node.send(one: RedisCommand("CLUSTER", "SLOTS"), deadline: latest)
        return reply.flatMap { RedisSlotMap($0, asked: place) }
    }

    /// Connects to new masters and lets go of servers that nobody has needed since the last look.
    private func install(_ found: RedisSlotMap) {
        map = found
        let needed = asked.union(found.masters)
        asked = []
        for place in found.masters { _ = node(at: place) }
        asked = []
        for (place, node) in nodes where !needed.contains(place) {
            nodes[place] = nil
            retire(node)
        }
    }

    /// Closes a node when its callers have their replies.
    private func retire(_ node: RedisNode) {
        node.onTrouble = nil
        leaving.append(node)
        let latest = loop.now.advanced(by: configuration.stallTimeout)
        loop.submit {
            while node.pending.commands > 0, self.loop.now < latest {
                do { try await self.loop.sleep(for: .milliseconds(10)) } catch { break }
            }
            node.close()
            self.leaving.removeAll { $0 === node }
        }
    }
}
