import EventLoops

extension RedisClient {
    /// Sends commands as one exchange and returns all their replies, in the order of the commands.
    ///
    /// A command that the server refuses is an error value in its place; the others are not touched by it. Not a
    /// transaction: commands of other exchanges may run in between. A script that the server has lost is sent again
    /// in full, after the rest. `timeout`: for the whole exchange, `commandTimeout` if nil. After `timedOut`,
    /// `cancelled` and a `connectionLost` that says so, the server may have run any of the commands; the late replies
    /// are swallowed and reach nobody.
    package func send(
        _ commands: [RedisCommand], timeout: Duration? = nil
    ) async throws(RedisError) -> [RESPValue] {
        loop.preconditionInLoop()
        guard !Task.isCancelled else { throw .cancelled }
        guard !commands.isEmpty else { return [] }
        guard case .ready(let connection) = state else { throw .notConnected }
        let deadline = loop.now.advanced(by: timeout ?? configuration.commandTimeout)
        let wire = commands.map { RedisWireCommand($0, scripts: scripts) }
        let replies = try await connection.exchange(wire, deadline: deadline).get()
        guard let retry = RedisScriptRetry(commands, replies) else { return replies }
        return try await resend(retry, replies, over: connection, deadline: deadline)
    }

    /// Sends one command and returns its reply; otherwise as `send(_:timeout:)` of many.
    package func send(_ command: RedisCommand, timeout: Duration? = nil) async throws(RedisError) -> RESPValue {
        guard command.script == nil else { return try await send([command], timeout: timeout).first ?? .null }
        // A plain command never has to be sent again.
        loop.preconditionInLoop()
        guard !Task.isCancelled else { throw .cancelled }
        guard case .ready(let connection) = state else { throw .notConnected }
        let deadline = loop.now.advanced(by: timeout ?? configuration.commandTimeout)
        let wire = CollectionOfOne(RedisWireCommand(command, scripts: scripts))
        return try await connection.exchange(wire, deadline: deadline).get().first ?? .null
    }

    /// Runs the calls that were not run; a refusal to take them leaves `noScript` in their places, which is still true.
    private func resend(
        _ retry: RedisScriptRetry, _ replies: [RESPValue], over connection: RedisConnection, deadline: MonotonicInstant
    ) async throws(RedisError) -> [RESPValue] {
        meter.counters.scriptReloads += retry.calls.count
        switch await connection.exchange(retry.wire, deadline: deadline) {
        case .success(let late): return retry.merge(late, into: replies)
        case .failure(.overloaded), .failure(.notConnected), .failure(.connectionLost(outcomeUnknown: false)):
            return replies
        case .failure(let error): throw error
        }
    }
}

/// The calls of an exchange whose script the server did not have.
///
/// Scripts are a cache to Redis: gone after a restart, a failover or `SCRIPT FLUSH`, at any moment.
struct RedisScriptRetry {
    /// Where the calls stand in their exchange.
    private(set) var calls: [Int] = []
    /// Loads each script for later, then runs each call with the text, which works even if the script is lost again
    /// in between.
    private(set) var wire: [RedisWireCommand] = []
    private var loadCount = 0

    /// Nil if nothing has to be sent again.
    init?(_ commands: [RedisCommand], _ replies: [RESPValue]) {
        var lost: [RedisScript] = []
        for (index, (command, reply)) in zip(commands, replies).enumerated() {
            guard let script = command.script, reply.error?.kind == .noScript else { continue }
            calls.append(index)
            if !lost.contains(script) { lost.append(script) }
        }
        guard !calls.isEmpty else { return nil }
        loadCount = lost.count
        wire = lost.map { RedisWireCommand(inFull: RedisCommand("SCRIPT", "LOAD", $0.source)) }
        wire += calls.map { RedisWireCommand(inFull: commands[$0]) }
    }

    /// Puts the late replies into the places of their calls.
    func merge(_ late: [RESPValue], into replies: [RESPValue]) -> [RESPValue] {
        var merged = replies
        for (index, reply) in zip(calls, late.dropFirst(loadCount)) { merged[index] = reply }
        return merged
    }
}
