import Glibc
import Synchronization

/// A real executable on ports of its own, over its restarts.
package final class ServiceProcess: Sendable {
    /// The services that a process can be.
    package enum Kind: String, Sendable {
        /// Takes workouts.
        case ingest
        /// Keeps plans, goals and profiles.
        case plan
        /// Answers the reads.
        case progress
        /// Keeps challenges and their athletes.
        case leaderboard
    }

    /// Which service it is.
    package let kind: Kind
    /// The public port.
    package var port: UInt16 { publicPort.number }
    /// The admin port.
    package var adminPort: UInt16 { admin.number }
    /// Where it listens, as the gateway is told.
    package var address: String { "127.0.0.1:\(port)" }
    private let publicPort: FreePort
    private let admin: FreePort
    private let stores: TestStores
    private let settings: [String: String]
    private let log: String
    private let child = Mutex<ChildProcess?>(nil)

    /// Starts one and waits until it is ready.
    package static func start(
        _ stores: TestStores, _ kind: Kind = .ingest, name: String? = nil, settings: [String: String] = [:],
        untilReady: Bool = true
    ) async throws -> ServiceProcess {
        let process = try ServiceProcess(stores, kind, name: name ?? kind.rawValue, settings: settings)
        try await process.start(untilReady: untilReady)
        return process
    }

    private init(_ stores: TestStores, _ kind: Kind, name: String, settings: [String: String]) throws {
        self.kind = kind
        publicPort = try FreePort()
        admin = try FreePort()
        self.stores = stores
        self.settings = stores.environment(settings)
        log = "\(stores.folder.path)/\(name).log"
    }

    deinit { kill() }

    /// Starts it again on the same ports.
    package func start(untilReady: Bool = true) async throws {
        let key = "STRIDE_\(kind.rawValue.uppercased())"
        let ports = ["\(key)_PORT": "\(port)", "\(key)_ADMIN_PORT": "\(adminPort)"]
        let started = try ChildProcess(
            TestRun.executable(kind.rawValue), environment: settings.merging(ports) { _, port in port }, log: log)
        child.withLock { $0 = started }
        guard untilReady else { return }
        try await eventually("\(kind) is ready (\(log))", within: .seconds(60), every: .milliseconds(4)) {
            if started.ending != nil { throw Late("\(kind) ended at its start: \(started.log)") }
            return await isReady()
        }
    }

    /// Whether it says that it accepts work.
    package func isReady() async -> Bool { (try? await askAdmin("/readyz").status) == 200 }

    /// Asks the admin port.
    package func askAdmin(_ path: String) async throws -> HTTPAnswer {
        let line = try await HTTPLine.open(adminPort, on: stores.loop)
        defer { line.close() }
        return try await line.exchange(HTTPCall("GET", path), within: .seconds(20))
    }

    /// The value of a series; 0 when it was never touched.
    package func metric(_ series: String) async throws -> Int {
        let lines = try await askAdmin("/metrics").text.split(separator: "\n")
        let line = lines.first { $0.hasPrefix(series + " ") }
        return line.flatMap { Int($0.dropFirst(series.count + 1)) } ?? 0
    }

    /// The running process.
    package var process: ChildProcess? { child.withLock { $0 } }
    /// What it has written over all its lives.
    package var logText: String { process?.log ?? "" }
    /// Ends it at once.
    package func kill() { process?.kill() }
    /// Sends a signal.
    package func signal(_ number: Int32) { process?.signal(number) }

    /// Asks it to end and waits for that.
    package func terminate(within patience: Duration = .seconds(30)) async throws -> ChildProcess.Ending {
        signal(SIGTERM)
        guard let process else { return .signalled(0) }
        return try await process.wait(within: patience)
    }
}
