package import EventLoops

/// A client of Redis for everything on one loop: of one server, of the master that sentinels name, or of a cluster.
///
/// Confined to `loop`: every entry is called there, checked by `preconditionInLoop`, by a task that prefers the loop
/// (`submit`, `run`, or `executorPreference`), so there is no lock and no hop to another thread; `Sendable` only so that
/// closures that run on the loop may name it. While there is no connection every call fails at once: nobody waits for a
/// dead Redis. Nor for a slow one: after a call that was not answered within `commandTimeout`, while no other was either, all that name no time of
/// their own fail at once, until a probe is answered in time (`RedisBreaker`). `close` it before it is dropped.
package final class RedisClient: @unchecked Sendable {
    private enum Route {
        case server(RedisNode, RedisSentinels?)
        case cluster(RedisCluster)
    }

    /// The loop on which everything happens.
    package let loop: EventLoop
    private let configuration: RedisConfiguration
    private let meter = RedisMeter()
    private let route: Route
    private var breaker = RedisBreaker()
    private var lastAnswer = MonotonicInstant(milliseconds: 0)
    private var isClosed = false
    /// Told of every exchange that a server has answered, or not in time, after how many milliseconds of the loop's clock.
    package var onAnswer: ((UInt64) -> Void)?

    /// A client that does nothing yet; `scripts` are loaded on every connect.
    package init(configuration: RedisConfiguration, scripts: [RedisScript] = [], loop: EventLoop) {
        self.loop = loop
        self.configuration = configuration
        var sentinels: RedisSentinels?
        switch configuration.topology {
        case .cluster(let seeds):
            route = .cluster(
                RedisCluster(seeds: seeds, configuration: configuration, scripts: scripts, loop: loop, meter: meter))
            return
        case .sentinel(let name, let places):
            sentinels = RedisSentinels(master: name, sentinels: places, configuration: configuration, loop: loop)
        case .single: break
        }
        let node = RedisNode(configuration: configuration, scripts: scripts, loop: loop, meter: meter)
        route = .server(node, sentinels)
    }

    /// Whether everything can be reached now: the server, or a master for every slot.
    package var isConnected: Bool {
        switch route {
        case .server(let node, _): node.isConnected
        case .cluster(let cluster): cluster.isReady
        }
    }

    /// Whether one server has all keys, so that one command may name any of them together.
    package var isOneServer: Bool {
        if case .server = route { true } else { false }
    }

    /// What has been seen so far, and what is in flight now.
    package var counters: RedisCounters {
        var counters = meter.counters
        switch route {
        case .server(let node, _): (counters.inFlight, counters.pendingBytes) = node.pending
        case .cluster(let cluster):
            for node in cluster.nodes.values {
                counters.inFlight += node.pending.commands
                counters.pendingBytes += node.pending.bytes
            }
        }
        return counters
    }

    /// Begins to connect, and to come back after every loss, until `close`.
    ///
    /// Does not wait; a second call does nothing.
    package func start() {
        loop.preconditionInLoop()
        switch route {
        case .server(let node, let sentinels):
            if case .idle = node.state { sentinels?.lead(node) }
            node.start()
        case .cluster(let cluster): cluster.start()
        }
    }

    /// Waits until everything can be reached, for the start of a service: everybody else asks and is refused at once.
    ///
    /// Throws the reason of the last failed attempt when the time is over, `cancelled` when the task is.
    package func waitUntilReady(timeout: Duration) async throws(RedisError) {
        loop.preconditionInLoop()
        let deadline = loop.now.advanced(by: timeout)
        while !isConnected {
            if isClosed { throw .notConnected }
            guard loop.now < deadline else { throw lastError }
            do { try await loop.sleep(for: .milliseconds(5)) } catch { throw .cancelled }
        }
    }

    private var lastError: RedisError {
        switch route {
        case .server(let node, _): node.lastConnectError
        case .cluster(let cluster): cluster.lastError
        }
    }

    /// Ends all connections and stays away; callers that wait get `connectionLost`.
    ///
    /// Idempotent, and also right in the middle of an attempt to connect.
    package func close() {
        loop.preconditionInLoop()
        isClosed = true
        switch route {
        case .server(let node, let sentinels):
            sentinels?.close()
            node.close()
        case .cluster(let cluster): cluster.close()
        }
    }
}

extension RedisClient {
    /// Sends commands as one exchange and returns all their replies, in the order of the commands.
    ///
    /// A command that the server refuses is an error value in its place; the others are not touched by it. Not a
    /// transaction: commands of other exchanges may run in between. A script that the server has lost is sent again
    /// in full, after the rest. `timeout`: for the whole exchange, `commandTimeout` if nil. After `timedOut`,
    /// `cancelled` and a `connectionLost` that says so, the server may have run any of the commands; the late replies
    /// are swallowed and reach nobody.
    ///
    /// In a cluster each command goes to the server of its keys, all servers are asked at once, redirections are followed, and
    /// the error of one server is that of the exchange after the others have answered. Commands for one server run in their order, but
    /// for one that it sends back with `TRYAGAIN`.
    package func send(
        _ commands: [RedisCommand], timeout: Duration? = nil
    ) async throws(RedisError) -> [RESPValue] {
        loop.preconditionInLoop()
        guard !Task.isCancelled else { throw .cancelled }
        guard !commands.isEmpty else { return [] }
        guard timeout != nil || !breaker.isOpen else { throw .notConnected }
        let begin = loop.now
        let deadline = begin.advanced(by: timeout ?? configuration.commandTimeout)
        do throws(RedisError) {
            switch route {
            case .server(let node, let sentinels):
                let replies = try await node.send(commands, deadline: deadline)
                lastAnswer = loop.now
                answered(begin)
                if sentinels != nil { leaveReplica(node, replies) }
                return replies
            case .cluster(let cluster):
                let replies = try await cluster.send(commands, deadline: deadline)
                answered(begin)
                return replies
            }
        } catch {
            if error == .timedOut { answered(begin) }
            if error == .timedOut, timeout == nil { wasLate(deadline) }
            throw error
        }
    }

    /// Sends one command and returns its reply; otherwise as `send(_:timeout:)` of many.
    package func send(_ command: RedisCommand, timeout: Duration? = nil) async throws(RedisError) -> RESPValue {
        guard case .server(let node, let sentinels) = route else {
            return try await send([command], timeout: timeout).first ?? .null
        }
        loop.preconditionInLoop()
        guard !Task.isCancelled else { throw .cancelled }
        guard timeout != nil || !breaker.isOpen else { throw .notConnected }
        let begin = loop.now
        let deadline = begin.advanced(by: timeout ?? configuration.commandTimeout)
        do throws(RedisError) {
            let reply = try await node.send(one: command, deadline: deadline)
            lastAnswer = loop.now
            answered(begin)
            if sentinels != nil { leaveReplica(node, [reply]) }
            return reply
        } catch {
            if error == .timedOut { answered(begin) }
            if error == .timedOut, timeout == nil { wasLate(deadline) }
            throw error
        }
    }

    /// Sends commands without keys to every server that holds keys, and returns the replies of each.
    ///
    /// In a cluster the map is looked at first, so that these are the masters of this moment; throws if one of them does not
    /// answer or a slot has none.
    package func sendToEach(
        _ commands: [RedisCommand], timeout: Duration? = nil
    ) async throws(RedisError) -> [[RESPValue]] {
        guard case .cluster(let cluster) = route, !commands.isEmpty else {
            return [try await send(commands, timeout: timeout)]
        }
        loop.preconditionInLoop()
        await cluster.look()
        guard !Task.isCancelled else { throw .cancelled }
        return try await cluster.sendToEach(
            commands, deadline: loop.now.advanced(by: timeout ?? configuration.commandTimeout))
    }

    private func answered(_ begin: MonotonicInstant) {
        onAnswer?(loop.now.milliseconds &- begin.milliseconds)
    }

    /// A call was late.
    ///
    /// On a busy machine a few are, while others are answered in time: that is no reason to stop.
    private func wasLate(_ deadline: MonotonicInstant) {
        guard lastAnswer < deadline.advanced(by: .zero - configuration.commandTimeout), breaker.late() else { return }
        meter.counters.breakerOpenings += 1
        loop.submit { await self.probe() }
    }

    /// Asks all servers until they answer as quickly as callers want it.
    private func probe() async {
        let limit = configuration.commandTimeout
        let ping = [RedisCommand("PING")]
        while breaker.isOpen, !isClosed {
            try? await loop.sleep(for: breaker.nextPause())
            do throws(RedisError) {
                switch route {
                case .server(let node, _): _ = try await node.send(ping, deadline: loop.now.advanced(by: limit))
                case .cluster(let cluster):
                    _ = try await cluster.sendToEach(ping, deadline: loop.now.advanced(by: limit))
                }
                breaker.answered()
            } catch {
                continue
            }
        }
    }

    /// A server that was the master and is a replica now refuses writes: the sentinels know a better one.
    private func leaveReplica(_ node: RedisNode, _ replies: [RESPValue]) {
        guard replies.contains(where: { $0.error?.kind == .readOnly }) else { return }
        node.reconnect()
    }
}
