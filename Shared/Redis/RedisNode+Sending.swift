import EventLoops

extension RedisNode {
    /// Sends commands as one exchange; a script that the server has lost is sent again in full, after the rest.
    ///
    /// Part of the caller, as `send(one:deadline:)` is: a call between costs the hot path a frame of its own
    /// (`./dev bench counts`).
    @inline(__always)
    func send(_ commands: [RedisCommand], deadline: MonotonicInstant) async throws(RedisError) -> [RESPValue] {
        guard case .ready(let connection) = state else { throw .notConnected }
        let wire = commands.map { RedisWireCommand($0, scripts: scripts) }
        let replies = try await connection.exchange(wire, deadline: deadline).get()
        guard let retry = RedisScriptRetry(commands, replies) else { return replies }
        return try await resend(retry, replies, over: connection, deadline: deadline)
    }

    /// Sends one command: the same without the lists.
    @inline(__always)
    func send(one command: RedisCommand, deadline: MonotonicInstant) async throws(RedisError) -> RESPValue {
        guard case .ready(let connection) = state else { throw .notConnected }
        let wire = CollectionOfOne(RedisWireCommand(command, scripts: scripts))
        let reply = try await connection.exchange(wire, deadline: deadline).get().first ?? .null
        guard command.script != nil, let retry = RedisScriptRetry([command], [reply]) else { return reply }
        return try await resend(retry, [reply], over: connection, deadline: deadline).first ?? .null
    }

    /// Sends commands exactly as they are, in one piece.
    func send(wire: [RedisWireCommand], deadline: MonotonicInstant) async throws(RedisError) -> [RESPValue] {
        guard case .ready(let connection) = state else { throw .notConnected }
        return try await connection.exchange(wire, deadline: deadline).get()
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
