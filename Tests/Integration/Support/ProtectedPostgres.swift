import EventLoops
import Glibc
import Postgres
import StrideTestSupport
import TLS

/// A PostgreSQL of one test that takes sessions over TLS alone, with an authority of its own.
///
/// The role `stride` needs no certificate, the role `bearer` needs one with its name.
final class ProtectedPostgres: Sendable {
    let authority: TestAuthority
    let folder: TestFolder
    let port: UInt16
    private let data: String
    private let process: ChildProcess

    static func run(_ body: @Sendable (ProtectedPostgres) async throws -> Void) async throws {
        let server = try await ProtectedPostgres()
        do {
            try await body(server)
        } catch {
            try? await server.end()
            throw error
        }
        try await server.end()
    }

    private init() async throws {
        folder = try TestFolder()
        authority = try await TestAuthority(in: folder)
        let identity = try await authority.issue("postgres")
        port = try FreePort.likely()
        data = "/tmp/stride-postgres-\(UInt64.random(in: 0...UInt64.max))"
        // The server refuses to run as root and wants its key to be its own.
        let account = geteuid() == 0 ? "setpriv --reuid=postgres --regid=postgres --clear-groups " : ""
        let script = """
            set -e; cd /; umask 077
            mkdir -m 700 \(data)
            cp \(identity.certificate) \(data)/own.pem; cp \(identity.key) \(data)/own.key
            cp \(authority.file) \(data)/authority.pem
            [ $(id -u) != 0 ] || chown -R postgres:postgres \(data)
            \(account)\(Self.bin)/initdb -D \(data)/cluster -U stride --auth=trust --no-sync -E UTF8 --locale=C.UTF-8
            printf '%s\\n' 'hostssl all bearer 127.0.0.1/32 cert' 'hostssl all all 127.0.0.1/32 trust' \
                >\(data)/cluster/pg_hba.conf
            exec \(account)\(Self.bin)/postgres -D \(data)/cluster -p \(port) -c ssl=on -c listen_addresses=127.0.0.1 \
                -c unix_socket_directories= -c fsync=off -c ssl_cert_file=\(data)/own.pem \
                -c ssl_key_file=\(data)/own.key -c ssl_ca_file=\(data)/authority.pem
            """
        let process = try ChildProcess("bash", ["-c", script], log: folder.path + "/postgres.log")
        self.process = process
        try await eventually("PostgreSQL is ready", within: .seconds(120)) {
            if process.ending != nil { throw Late("PostgreSQL ended: \(process.log)") }
            return process.log.contains("database system is ready to accept connections")
        }
    }

    private static let bin = "/usr/lib/postgresql/15/bin"

    private func end() async throws {
        process.signal(SIGINT)
        _ = try await process.wait(within: .seconds(60))
        _ = try await ChildProcess("rm", ["-rf", data], log: "/dev/null").wait(within: .seconds(60))
    }

    /// A connection string with everything checked; `changes` replace or, if empty, remove a keyword.
    func url(_ changes: [String: String] = [:]) -> String {
        let all = [
            "host": "localhost", "hostaddr": "127.0.0.1", "port": "\(port)", "user": "stride", "dbname": "postgres",
            "sslmode": "verify-full", "sslrootcert": authority.file,
        ].merging(changes) { _, own in own }
        return all.filter { !$0.value.isEmpty }.map { "\($0.key)='\($0.value)'" }.joined(separator: " ")
    }
}

/// Ends TLS in front of a plain PostgreSQL, as a pooler does, and sends records as large as they may be.
///
/// Confined to its loop, hence `@unchecked Sendable`.
final class TLSTerminator: @unchecked Sendable {
    let port: UInt16
    private let listener: TCPListener

    init(_ identity: TLSIdentityFiles, to server: SocketAddress, loop: EventLoop) throws {
        let acceptor = TLSAcceptor(context: try TLSContext(server: TLSServerFiles(identity: identity)))
        guard let address = SocketAddress(ip: "127.0.0.1", port: 0) else { throw Late("no address") }
        listener = try TCPListener(loop: loop, address: address) { stream in
            stream.delegate = Greeting(stream, acceptor: acceptor, server: server)
            stream.resumeReading()
        }
        port = listener.localAddress.port
    }

    func close() { listener.close() }

    /// Waits for the client's wish for TLS (eight bytes), grants it and puts TLS over the stream.
    private final class Greeting: ByteStreamDelegate, @unchecked Sendable {
        private let stream: TCPStream
        private let acceptor: TLSAcceptor
        private let server: SocketAddress

        init(_ stream: TCPStream, acceptor: TLSAcceptor, server: SocketAddress) {
            self.stream = stream
            self.acceptor = acceptor
            self.server = server
        }

        func streamReceived(_ bytes: Span<UInt8>) {
            stream.pauseReading()
            stream.write(Array("S".utf8))
            stream.loop.submit {
                let stream = self.stream
                guard
                    let back = try? await TCPStream.connect(to: self.server, loop: stream.loop, timeout: .seconds(20)),
                    let front = self.acceptor.secure(stream)
                else { return }
                front.delegate = Pass(to: back)
                back.delegate = Answers(to: front)
                front.resumeReading()
                back.resumeReading()
            }
        }
        func streamReceivedEnd() {}
        func streamDrained() {}
        func streamClosed(_ error: StreamError?) {}
    }

    /// Passes each answer on in one piece, so that its records are full, all but the last.
    private final class Answers: ByteStreamDelegate {
        private let other: any ByteStream
        private var answer: [UInt8] = []
        private var isSignedIn = false
        init(to other: any ByteStream) { self.other = other }
        func streamReceived(_ bytes: Span<UInt8>) {
            bytes.withUnsafeBufferPointer { answer.append(contentsOf: $0) }
            // ReadyForQuery ends an answer.
            let isWhole = answer.count >= 6 && answer[(answer.count - 6)...].starts(with: [0x5A, 0, 0, 0, 5])
            guard isWhole || !isSignedIn else { return }
            isSignedIn = isSignedIn || isWhole
            other.write(answer)
            answer = []
        }
        func streamReceivedEnd() { other.close() }
        func streamDrained() {}
        func streamClosed(_ error: StreamError?) { other.close() }
    }

    private final class Pass: ByteStreamDelegate {
        private let other: any ByteStream
        init(to other: any ByteStream) { self.other = other }
        func streamReceived(_ bytes: Span<UInt8>) { other.write(bytes.withUnsafeBufferPointer { Array($0) }) }
        func streamReceivedEnd() { other.close() }
        func streamDrained() {}
        func streamClosed(_ error: StreamError?) { other.close() }
    }
}
