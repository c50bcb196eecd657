import EventLoops
import Glibc
import Redis
import Testing

/// A `redis-server` of this test alone, in a folder of its own, ended by its process id.
final class RedisServerProcess: @unchecked Sendable {
    let port: UInt16
    private let folder: String
    private let options: [String]
    private var pid: pid_t = 0

    /// Starts a server that keeps nothing on disk; `options` as on its command line.
    init(_ options: [String] = []) throws {
        port = try Self.freePort()
        var template = Array("/tmp/stride-redis-XXXXXX".utf8CString)
        folder = try template.withUnsafeMutableBufferPointer { buffer in
            try #require(buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) })
        }
        self.options = options
        try start()
    }

    func start() throws {
        let fixed = [
            "redis-server", "--port", "\(port)", "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir",
            folder,
            "--logfile", "\(folder)/log",
        ]
        let arguments = (fixed + options).map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        try #require(
            posix_spawnp(&pid, "redis-server", nil, nil, arguments, environ) == 0, "redis-server is not installed")
    }

    func signal(_ number: Int32) {
        if pid > 0 { Glibc.kill(pid, number) }
    }

    /// Kills the process and waits for its end, so that the port is free again.
    func kill() {
        guard pid > 0 else { return }
        signal(SIGKILL)
        var status: Int32 = 0
        waitpid(pid, &status, 0)
        pid = 0
    }

    /// Kills the process and removes its folder.
    func end() {
        kill()
        for name in ["log", "nodes.conf"] { unlink("\(folder)/\(name)") }
        rmdir(folder)
    }

    var configuration: RedisConfiguration { .patient(host: "127.0.0.1", port: port) }

    /// A port that nobody listens on, below those that the system gives to outgoing connections.
    static func freePort() throws -> UInt16 {
        for _ in 0..<100 {
            let port = UInt16.random(in: 20_000..<32_000)
            if isFree(port) { return port }
        }
        throw RedisServerProcessError()
    }

    private static func isFree(_ port: UInt16) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}

struct RedisServerProcessError: Error {}

/// Runs a test's body with a server of its own, which is ended whatever happens.
func withServer(
    _ options: [String] = [], _ body: @escaping @Sendable (EventLoop, RedisServerProcess) async throws -> Void
) async throws {
    let server = try RedisServerProcess(options)
    defer { server.end() }
    try await onLoop { try await body($0, server) }
}

/// The server that the test command started for all; a run without it fails.
func sharedServer() throws -> RedisConfiguration {
    let text = getenv("STRIDE_TEST_REDIS_PORT").map { String(cString: $0) } ?? ""
    let port = try #require(UInt16(text), "STRIDE_TEST_REDIS_PORT must name the port of a running Redis")
    return .patient(host: "127.0.0.1", port: port)
}
