import EventLoops
import Glibc
import StrideTestSupport
import Testing

@testable import Postgres

/// The real server of the run, from `STRIDE_TEST_POSTGRES_URL`; a run without one fails.
///
/// It must be reached over TCP with a password (scram), by a role that may end other sessions.
func serverConfiguration(_ applicationName: String = "stride-tests") throws -> PostgresConfiguration {
    let url = try #require(
        getenv("STRIDE_TEST_POSTGRES_URL").map { String(cString: $0) }, "set STRIDE_TEST_POSTGRES_URL to a test server")
    return try PostgresConfiguration(url: url, applicationName: applicationName)
}

/// Runs a test on a loop of its own, which ends with it.
func onLoop<Value: Sendable>(
    _ body: @escaping @Sendable (EventLoop) async throws -> Value
) async throws -> Value {
    let loop = try EventLoop.start(name: "test")
    do {
        let value = try await loop.run { try await body(loop) }
        await loop.stop()
        return value
    } catch {
        await loop.stop()
        throw error
    }
}

/// Runs a test with one open connection.
func withServer(
    _ body: @escaping @Sendable (PostgresConnection) async throws -> Void
) async throws {
    let configuration = try serverConfiguration()
    try await onLoop { loop in
        let connection = try await PostgresConnection.connect(configuration, loop: loop, timeout: .seconds(20))
        do {
            try await body(connection)
        } catch {
            connection.close()
            throw error
        }
        connection.close()
    }
}

/// The error that something throws; its absence, or another kind of error, is recorded.
func failure<Value>(
    _ comment: Comment = "nothing was thrown", _ body: () async throws -> Value
) async -> PostgresError {
    do {
        _ = try await body()
        Issue.record(comment)
    } catch let error as PostgresError {
        return error
    } catch {
        Issue.record("another error: \(error)")
    }
    return PostgresError(.misuse, "nothing was thrown")
}

/// Waits until something holds, at most ten seconds.
func eventually(
    _ loop: EventLoop, _ comment: Comment, _ holds: () async throws -> Bool
) async throws {
    for _ in 0..<400 {
        if try await holds() { return }
        try await loop.sleep(for: .milliseconds(25))
    }
    Issue.record(comment)
}

extension PostgresConnection {
    /// One number that a statement gives.
    func number(_ sql: String, _ parameters: [PostgresValue] = []) async throws(PostgresError) -> Int64 {
        try await query(PostgresStatement("", sql, parameters), timeout: .seconds(20)).int64(0, 0)
    }

    /// A setting of the session, as the server shows it.
    func setting(_ name: String) async throws(PostgresError) -> String {
        try await query(.simple("SHOW \(name)"), timeout: .seconds(20)).text(0, 0)
    }

    /// Runs statements without results one after the other.
    func run(_ statements: String...) async throws(PostgresError) {
        for sql in statements { _ = try await query(.simple(sql), timeout: .seconds(20)) }
    }
}

extension TCPRelay {
    /// A relay to the server of a configuration.
    static func start(to configuration: PostgresConfiguration, on loop: EventLoop) async throws -> TCPRelay {
        try await start(to: configuration.hosts[0].port, on: loop)
    }

    /// The same configuration through this relay.
    func configuration(_ original: PostgresConfiguration) -> PostgresConfiguration {
        var configuration = original
        configuration.hosts = [PostgresHost(name: "127.0.0.1", address: "127.0.0.1", port: port)]
        return configuration
    }
}
