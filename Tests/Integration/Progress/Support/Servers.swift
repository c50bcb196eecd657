import Glibc
import Testing

/// A process that a test has started, known by its id.
final class ServerProcess: @unchecked Sendable {
    private var pid: pid_t = 0

    /// Starts a program in the folder `/`, with its output in a file.
    init(_ words: [String], log: String) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, log, O_WRONLY | O_CREAT | O_APPEND, 0o644)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        let arguments = (["env", "-C", "/"] + words).map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        try #require(posix_spawnp(&pid, "env", &actions, nil, arguments, environ) == 0, "\(words) cannot be started")
    }

    /// Sends a signal and waits for the end; the status, or nil when it had ended before.
    @discardableResult
    func end(_ signal: Int32 = SIGKILL) -> Int32? {
        guard pid > 0 else { return nil }
        kill(pid, signal)
        return wait()
    }

    /// Waits for the end.
    func wait() -> Int32? {
        guard pid > 0 else { return nil }
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        pid = 0
        return status
    }
}

/// A folder of a test, removed with everything in it.
final class TestFolder: Sendable {
    let path: String

    init() throws {
        var template = Array("/tmp/stride-progress-XXXXXX".utf8CString)
        try #require(template.withUnsafeMutableBufferPointer { $0.baseAddress.flatMap { mkdtemp($0) } } != nil)
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        chmod(path, 0o711)
    }

    func write(_ name: String, _ text: String) throws {
        let file = try #require(fopen("\(path)/\(name)", "w"))
        fputs(text, file)
        fclose(file)
    }

    deinit { _ = try? ServerProcess(["rm", "-rf", "--", path], log: "/dev/null").wait() }
}

/// A Redis of one test, which keeps its snapshots in a folder of its own.
final class OwnRedis: @unchecked Sendable {
    let port: UInt16
    private let folder: TestFolder
    private var process: ServerProcess?
    var url: String { "redis://127.0.0.1:\(port)" }

    init() throws {
        folder = try TestFolder()
        port = try freePort()
        try start()
    }

    /// Starts; what the last snapshot had is there again.
    func start() throws {
        process = try ServerProcess(
            [
                "redis-server", "--port", "\(port)", "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir",
                folder.path,
            ], log: folder.path + "/log")
    }

    /// Ends it as a power cut would.
    func kill() { process?.end(SIGKILL) }

    /// Takes the snapshot away.
    func forget() { unlink("\(folder.path)/dump.rdb") }

    deinit { kill() }
}

/// A PostgreSQL of one test, which may stop it; its role `stride` needs no password.
final class OwnPostgres: @unchecked Sendable {
    let port: UInt16
    private let folder: TestFolder
    private var process: ServerProcess?
    private static let binaries = "/usr/lib/postgresql/15/bin"
    var url: String { "postgresql://stride@127.0.0.1:\(port)/postgres" }

    /// PostgreSQL refuses to run as root, so root lends it another account.
    private static var account: [String] {
        getuid() == 0 ? ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"] : []
    }

    init() throws {
        folder = try TestFolder()
        port = try freePort()
        let data = folder.path + "/data"
        mkdir(data, 0o700)
        if getuid() == 0 { try run(["chown", "nobody:nogroup", data]) }
        try run(
            Self.account + [
                "\(Self.binaries)/initdb", "-D", data, "-U", "stride", "-A", "trust", "--no-sync", "--locale=C.UTF-8",
                "--encoding=UTF8",
            ])
        try start()
    }

    func start() throws {
        process = try ServerProcess(
            Self.account + [
                "\(Self.binaries)/postgres", "-D", folder.path + "/data", "-p", "\(port)", "-h", "127.0.0.1", "-k", "",
                "-F", "-c", "shared_buffers=16MB",
            ], log: folder.path + "/log")
    }

    /// Stops it; whoever is connected loses its session.
    func stop() { process?.end(SIGINT) }

    private func run(_ words: [String]) throws {
        try #require(ServerProcess(words, log: folder.path + "/log").wait() == 0, "\(words) failed")
    }

    deinit { process?.end(SIGQUIT) }
}

/// A port that nobody listens on, below those that the system gives to outgoing connections.
func freePort() throws -> UInt16 {
    for _ in 0..<100 {
        let port = UInt16.random(in: 20_000..<32_000)
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        if status == 0 { return port }
    }
    throw NoFreePort()
}

struct NoFreePort: Error {}
