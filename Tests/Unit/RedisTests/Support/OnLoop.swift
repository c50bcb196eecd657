import EventLoops
import Redis
import Testing

/// Runs a test's body on a loop of its own and ends the loop, whatever happens.
func onLoop(_ body: @escaping @Sendable (EventLoop) async throws -> Void) async throws {
    let loop = try EventLoop.start(name: "redis-test")
    do {
        try await loop.run { try await body(loop) }
        await loop.stop()
    } catch {
        await loop.stop()
        throw error
    }
}

/// Runs a body with a started client and closes it.
func withClient(
    _ configuration: RedisConfiguration, scripts: [RedisScript] = [], loop: EventLoop,
    _ body: (RedisClient) async throws -> Void
) async throws {
    let client = RedisClient(configuration: configuration, scripts: scripts, loop: loop)
    client.start()
    defer { client.close() }
    try await client.waitUntilReady(timeout: .seconds(10))
    try await body(client)
}

/// The error of an exchange, nil if it had replies.
func failure(_ client: RedisClient, _ command: RedisCommand, timeout: Duration? = nil) async -> RedisError? {
    do throws(RedisError) {
        _ = try await client.send([command], timeout: timeout)
        return nil
    } catch {
        return error
    }
}

/// Waits until a condition holds, for at most ten seconds: a bound against hanging, not a measurement.
func eventually(_ loop: EventLoop, _ condition: () -> Bool) async throws {
    let deadline = loop.now.advanced(by: .seconds(10))
    while !condition() {
        try #require(loop.now < deadline, "the condition never held")
        try await loop.sleep(for: .milliseconds(2))
    }
}

extension RedisConfiguration {
    /// Bounds that a busy machine does not reach; a test about a bound sets its own.
    static func patient(host: String, port: UInt16) -> RedisConfiguration {
        var configuration = RedisConfiguration(host: host, port: port)
        configuration.connectTimeout = .seconds(20)
        configuration.commandTimeout = .seconds(20)
        configuration.stallTimeout = .seconds(20)
        return configuration
    }
}
