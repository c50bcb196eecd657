import Glibc
import Synchronization

/// The real executable on ports of its own, over its restarts.
package final class IngestProcess: Sendable {
    /// The public port.
    package var port: UInt16 { publicPort.number }
    /// The admin port.
    package var adminPort: UInt16 { admin.number }
    private let publicPort: FreePort
    private let admin: FreePort
    private let stores: TestStores
    private let settings: [String: String]
    private let log: String
    private let child = Mutex<ChildProcess?>(nil)

    /// Starts one and waits until it is ready.
    package static func start(
        _ stores: TestStores, name: String = "ingest", settings: [String: String] = [:], untilReady: Bool = true
    ) async throws -> IngestProcess {
        let process = try IngestProcess(stores, name: name, settings: settings)
        try await process.start(untilReady: untilReady)
        return process
    }

    private init(_ stores: TestStores, name: String, settings: [String: String]) throws {
        publicPort = try FreePort()
        admin = try FreePort()
        self.stores = stores
        self.settings = stores.environment(settings)
        log = "\(stores.folder.path)/\(name).log"
    }

    deinit { kill() }

    /// Starts it again on the same ports.
    package func start(untilReady: Bool = true) async throws {
        let ports = ["STRIDE_INGEST_PORT": "\(port)", "STRIDE_INGEST_ADMIN_PORT": "\(adminPort)"]
        let started = try ChildProcess(
            TestRun.executable("ingest"), environment: settings.merging(ports) { _, port in port }, log: log)
        child.withLock { $0 = started }
        guard untilReady else { return }
        try await eventually("ingest is ready (\(log))", within: .seconds(60), every: .milliseconds(4)) {
            if started.ending != nil { throw Late("ingest ended at its start: \(started.log)") }
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
