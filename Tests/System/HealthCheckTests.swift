import Glibc
import StrideTestSupport
import Testing

/// `ingest --health` and `ingest --ready`, with which a container asks its own service.
@Suite(.serialized) struct HealthCheckTests {
    /// Runs the command beside the service that listens on an admin port.
    private func ask(
        _ word: String, _ environment: [String: String], _ stores: TestStores
    ) async throws -> (ending: ChildProcess.Ending, output: String) {
        let log = "\(stores.folder.path)/\(word)-\(UInt64.random(in: 0 ... .max))"
        let command = try ChildProcess(
            TestRun.executable("ingest"), [word], environment: environment, log: log)
        return (try await command.wait(within: .seconds(60)), command.log)
    }

    @Test(
        "S7: --health and --ready tell what the admin listener tells; without a schema the service lives and is not ready"
    )
    func answers() async throws {
        try await TestStores.run(migrated: false) { stores in
            let ingest = try await ServiceProcess.start(stores, untilReady: false)
            defer { ingest.kill() }
            // Nothing but the port: no store and no secret is asked for.
            let port = ["STRIDE_INGEST_ADMIN_PORT": "\(ingest.adminPort)"]
            try await eventually("it listens") { (try? await ingest.askAdmin("/livez").status) == 200 }
            #expect(try await ask("--health", port, stores).ending == .exited(0))
            #expect(try await ask("--ready", port, stores).ending == .exited(1))
            try await stores.database.migrate()
            try await eventually("it is ready") { await ingest.isReady() }
            #expect(try await ask("--ready", port, stores).ending == .exited(0))
            // As in a container, where the service listens on every address.
            let everywhere = port.merging(["STRIDE_BIND": "0.0.0.0"]) { $1 }
            #expect(try await ask("--health", everywhere, stores).ending == .exited(0))
        }
    }

    @Test("S7: a service that stands still or has ended fails --health, and a missing port is named")
    func failures() async throws {
        try await TestStores.run { stores in
            let ingest = try await ServiceProcess.start(stores)
            defer { ingest.kill() }
            let port = ["STRIDE_INGEST_ADMIN_PORT": "\(ingest.adminPort)"]
            ingest.signal(SIGSTOP)
            #expect(try await ask("--health", port, stores).ending == .exited(1))
            ingest.signal(SIGCONT)
            #expect(try await ask("--health", port, stores).ending == .exited(0))
            ingest.kill()
            #expect(try await ask("--health", port, stores).ending == .exited(1))
            let unknown = try await ask("--health", [:], stores)
            #expect(unknown.ending == .exited(1) && unknown.output.contains("STRIDE_INGEST_ADMIN_PORT is missing"))
        }
    }
}
