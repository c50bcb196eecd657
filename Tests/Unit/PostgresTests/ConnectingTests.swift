import EventLoops
import Glibc
import StrideTestSupport
import Testing

@testable import Postgres

@Suite struct ConnectingTests {
    @Test("A session starts in UTC, in UTF-8, with its name and its limits")
    func session() async throws {
        try await withServer { connection in
            let zone = try await connection.setting("TimeZone")
            #expect(zone == "UTC")
            #expect(try await connection.setting("client_encoding") == "UTF8")
            #expect(try await connection.setting("application_name") == "stride-tests")
            #expect(try await connection.setting("statement_timeout") == "30s")
            #expect(try await connection.setting("lock_timeout") == "5s")
            #expect(try await connection.setting("idle_in_transaction_session_timeout") == "5s")
            #expect(connection.transactionStatus == .idle && connection.isProvablyIdle && connection.serverProcess > 0)
            connection.close()
            connection.close()
            #expect(connection.isClosed && !connection.isProvablyIdle && connection.transactionStatus == .unknown)
            #expect(await failure { try await connection.number("SELECT 1::int8") }.code == .connectionLost)
        }
    }

    @Test("A refused connection fails at once and is shed")
    func refused() async throws {
        let configuration = try serverConfiguration()
        try await onLoop { loop in
            let relay = try await TCPRelay.start(to: configuration, on: loop)
            try await relay.goAway()
            let error = await failure {
                try await PostgresConnection.connect(
                    relay.configuration(configuration), loop: loop, timeout: .seconds(20))
            }
            #expect(error.code == .connectFailed && error.disposition == .shed && error.sqlState == nil)
        }
    }

    @Test("A wrong password and a missing database are told by their SQLSTATE, and no text has the password")
    func refusedSession() async throws {
        let configuration = try serverConfiguration()
        try await onLoop { loop in
            var wrong = configuration
            wrong.password = PostgresPassword("not-the-password")
            let password = await failure("the test server must ask for a password") {
                try await PostgresConnection.connect(wrong, loop: loop, timeout: .seconds(20))
            }
            #expect(password.code == .server(.invalidPassword) && password.disposition == .fail)
            #expect(!password.debugDescription.contains("not-the-password"))
            var missing = configuration
            missing.parameters["dbname"] = "no_such_database"
            let database = await failure {
                try await PostgresConnection.connect(missing, loop: loop, timeout: .seconds(20))
            }
            #expect(database.sqlState?.rawValue == "3D000")
        }
    }

    @Test("A name that cannot be looked up fails alone: the next host is tried")
    func names() async throws {
        let configuration = try serverConfiguration()
        try await onLoop { loop in
            let unknown = PostgresHost(name: "no-such-host.invalid", address: nil, port: 5432)
            var only = configuration
            only.hosts = [unknown]
            let error = await failure {
                try await PostgresConnection.connect(only, loop: loop, timeout: .seconds(20))
            }
            #expect(error.code == .connectFailed)
            var both = configuration
            both.hosts = [unknown] + configuration.hosts
            let connection = try await PostgresConnection.connect(both, loop: loop, timeout: .seconds(20))
            #expect(try await connection.number("SELECT 1::int8") == 1)
            connection.close()
        }
    }

    @Test("A host that accepts and says nothing costs its share of the time, and the next one is used")
    func silentHost() async throws {
        let configuration = try serverConfiguration()
        try await onLoop { loop in
            let silent = try SilentServer(loop: loop)
            var both = configuration
            both.hosts = [silent.host] + configuration.hosts
            let start = loop.now
            let connection = try await PostgresConnection.connect(both, loop: loop, timeout: .seconds(2))
            #expect(try await connection.number("SELECT 1::int8") == 1)
            #expect(start.duration(to: loop.now) >= .milliseconds(900))
            connection.close()
            var only = configuration
            only.hosts = [silent.host]
            let error = await failure {
                try await PostgresConnection.connect(only, loop: loop, timeout: .milliseconds(300))
            }
            #expect(error.code == .connectFailed)
            silent.close()
        }
    }

    @Test("Cancelling ends an attempt that hangs")
    func cancelled() async throws {
        let configuration = try serverConfiguration()
        try await onLoop { loop in
            let silent = try SilentServer(loop: loop)
            var only = configuration
            only.hosts = [silent.host]
            let hanging = only
            let start = loop.now
            let task = Task(executorPreference: loop) {
                await failure {
                    try await PostgresConnection.connect(hanging, loop: loop, timeout: .seconds(60))
                }
            }
            try await loop.sleep(for: .milliseconds(100))
            task.cancel()
            #expect(await task.value.code == .cancelled)
            #expect(start.duration(to: loop.now) < .seconds(30))
            silent.close()
        }
    }

    @Test("The wanted role decides: a primary is no standby, and prefer-standby takes it in the end")
    func roles() async throws {
        let configuration = try serverConfiguration()
        try await onLoop { loop in
            var wanted = configuration
            wanted.targetSessionAttributes = .standby
            let error = await failure {
                try await PostgresConnection.connect(wanted, loop: loop, timeout: .seconds(20))
            }
            #expect(error.code == .connectFailed)
            for role in [PostgresConfiguration.TargetSessionAttributes.readWrite, .primary, .preferStandby, .any] {
                wanted.targetSessionAttributes = role
                let connection = try await PostgresConnection.connect(wanted, loop: loop, timeout: .seconds(20))
                #expect(try await connection.number("SELECT 1::int8") == 1)
                connection.close()
            }
        }
    }
}

/// Accepts connections and never says a word.
///
/// Confined to its loop.
final class SilentServer: @unchecked Sendable {
    private var listener: TCPListener?
    private var streams: [TCPStream] = []
    private(set) var host = PostgresHost(name: "127.0.0.1", address: "127.0.0.1", port: 1)

    init(loop: EventLoop) throws {
        let address = try #require(SocketAddress(ip: "127.0.0.1", port: 0))
        let listener = try TCPListener(loop: loop, address: address) { [weak self] in self?.streams.append($0) }
        self.listener = listener
        host.port = listener.localAddress.port
    }

    func close() {
        listener?.close()
        for stream in streams { stream.close() }
        streams = []
    }
}
