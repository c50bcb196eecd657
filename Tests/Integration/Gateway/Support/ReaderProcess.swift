import StrideTestSupport

/// The executable of a service that only the gateway tests start as a process: plan, progress.
final class ReaderProcess: Sendable {
    /// The public port.
    var port: UInt16 { place.number }
    private let place: FreePort
    private let admin: FreePort
    private let child: ChildProcess

    /// Starts one and waits until it is ready.
    static func start(_ name: String, _ stores: TestStores) async throws -> ReaderProcess {
        let process = try ReaderProcess(name, stores)
        try await eventually("\(name) is ready", within: .seconds(60)) {
            if process.child.ending != nil { throw Late("\(name) ended at its start: \(process.child.log)") }
            let ready = HTTPCall("GET", "/readyz")
            return (try? await stores.client.send(ready, to: process.admin.number))?.status == 200
        }
        return process
    }

    private init(_ name: String, _ stores: TestStores) throws {
        (place, admin) = (try FreePort(), try FreePort())
        let prefix = "STRIDE_\(name.uppercased())"
        child = try ChildProcess(
            TestRun.executable(name),
            environment: stores.environment([
                "\(prefix)_PORT": "\(place.number)", "\(prefix)_ADMIN_PORT": "\(admin.number)",
            ]),
            log: "\(stores.folder.path)/\(name).log")
    }

    /// Ends it at once.
    func kill() { child.kill() }
}
