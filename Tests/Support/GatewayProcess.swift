import Glibc

/// nginx with the configuration that `./dev up` would give it.
package final class GatewayProcess: Sendable {
    /// Where it listens.
    package var port: UInt16 { place.number }
    private let place: FreePort
    /// Where nobody listens.
    private let nowhere: FreePort
    private let child: ChildProcess

    /// Renders the template, starts nginx and waits until it answers.
    ///
    /// - Parameter inOneProcess: without workers of its own, so that killing it leaves nothing behind.
    package static func start(
        _ stores: TestStores, _ settings: [String: String], inOneProcess: Bool = false
    ) async throws -> GatewayProcess {
        let (place, nowhere) = (try FreePort(), try FreePort())
        let standard = [
            "STRIDE_BIND": "127.0.0.1", "STRIDE_GATEWAY_PORT": "\(place.number)",
            "STRIDE_GATEWAY_RATE_PER_MINUTE": "600", "STRIDE_GATEWAY_BURST": "200",
            "STRIDE_GATEWAY_CONNECTIONS": "1000", "STRIDE_GATEWAY_ANSWER_SECONDS": "60",
            "STRIDE_CORS_ORIGINS": "",
        ]
        let addresses = ["INGEST", "PLAN", "PROGRESS", "LEADERBOARD"].map {
            ("STRIDE_\($0)_ADDRESS", "127.0.0.1:\(nowhere.number)")
        }
        let environment = Dictionary(uniqueKeysWithValues: addresses).merging(standard) { $1 }.merging(settings) { $1 }
        let (folder, configuration) = (stores.folder.path, stores.folder.path + "/gateway.conf")
        let docs = try ChildProcess("Scripts/render-docs.sh", [folder + "/docs"], log: folder + "/docs.log")
        guard try await docs.wait(within: .seconds(60)) == .exited(0) else { throw Late(docs.log) }
        let render = try ChildProcess("Scripts/render-gateway.sh", environment: environment, log: configuration)
        guard try await render.wait(within: .seconds(60)) == .exited(0) else { throw Late(render.log) }
        // As root, nginx would lend its workers an account that may not enter the test's folder.
        let child = try ChildProcess(
            "/usr/sbin/nginx",
            [
                "-e", "stderr", "-p", folder, "-g", "user root; master_process \(inOneProcess ? "off" : "on");", "-c",
                configuration,
            ],
            log: folder + "/gateway.log")
        let process = GatewayProcess(place, nowhere, child)
        try await eventually("the gateway answers (\(child.logPath))", within: .seconds(60)) {
            if child.ending != nil { throw Late("nginx ended at its start: \(child.log)") }
            let answer = try? await stores.client.send(HTTPCall("GET", "/"), to: place.number)
            // Plain text where TLS is spoken is 400.
            return [400, 404].contains(answer?.status)
        }
        return process
    }

    private init(_ place: FreePort, _ nowhere: FreePort, _ child: ChildProcess) {
        self.place = place
        self.nowhere = nowhere
        self.child = child
    }

    /// What it has written.
    package var log: String { child.log }

    /// Has it read its configuration and its files again.
    package func reload() { child.signal(SIGHUP) }

    /// Ends it at once; only for one without workers.
    package func kill() { child.kill() }

    /// Asks it to end, which ends its workers too, and waits for that.
    package func end() async throws {
        child.signal(SIGTERM)
        _ = try await child.wait(within: .seconds(60))
    }
}
