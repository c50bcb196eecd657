internal import EventLoops
internal import HTTP
internal import Models
internal import Redis
internal import Telemetry

/// The operators' listener: alive, ready, metrics, and the statistics of the fleet.
///
/// Never exposed by the gateway.
///
/// It has a loop of its own, so that it answers while the others are busy. Confined to that loop, hence
/// `@unchecked Sendable`.
final class AdminListener: @unchecked Sendable {
    let loop: EventLoop
    let address: SocketAddress
    private let server: HTTPServer
    private let statistics: StatisticsPublisher

    private init(loop: EventLoop, server: HTTPServer, statistics: StatisticsPublisher) {
        self.loop = loop
        self.server = server
        self.statistics = statistics
        address = server.localAddress
    }

    static func start(
        name: String, configuration: ServiceConfiguration, registry: MetricRegistry, readiness: Readiness,
        workers: [LoopResources], port: UInt16
    ) async throws -> AdminListener {
        guard let address = SocketAddress(ip: configuration.bind, port: configuration.adminPort) else {
            throw Settings.Fault(faults: ["STRIDE_BIND must be a numeric address"])
        }
        let loop = try EventLoop.start(name: "\(name)-admin")
        return try await loop.run {
            let loops = workers.map(\.loop)
            let statistics = StatisticsPublisher(
                service: name, instance: StatisticsKeys.instance(service: name, host: configuration.host, port: port),
                redis: configuration.redis, registry: registry, windows: workers.map(\.users), loop: loop)
            let routes = [
                HTTPRoute(.get, "/livez") { request, _ in await Self.alive(loops, admin: loop, request) },
                HTTPRoute(.get, "/readyz") { request, _ in Self.ready(readiness, request) },
                HTTPRoute(.get, "/metrics", produces: .type("text/plain")) { _, _ in
                    HTTPResponse(status: 200, contentType: MetricRegistry.contentType, body: registry.render())
                },
                HTTPRoute(.get, "/stats") { request, _ in await Self.fleet(statistics, request) },
            ]
            let server = try HTTPServer(
                loop: loop, address: address, router: HTTPRouter(routes: routes, refusals: RefusalAnswers.render))
            statistics.start()
            return AdminListener(loop: loop, server: server, statistics: statistics)
        }
    }

    func stop() async {
        let statistics = statistics
        try? await loop.run { await statistics.stop() }
        await server.drain(timeout: .seconds(1))
        await loop.stop()
    }

    /// Alive when every loop takes its turn within a second; no dependency is asked.
    private static func alive(_ loops: [EventLoop], admin: EventLoop, _ request: HTTPRequest) async -> HTTPResponse {
        let turns = await withTaskGroup(of: Bool.self) { group in
            group.addTask { (try? await admin.sleep(for: .seconds(1))) == nil }
            for loop in loops { group.addTask { (try? await loop.run { true }) ?? false } }
            var seen = 0
            for await isTurning in group {
                if isTurning { seen += 1 }
                if !isTurning || seen == loops.count { break }
            }
            group.cancelAll()
            return seen
        }
        return turns == loops.count
            ? .json(200, Array(#"{"status":"alive"}"#.utf8))
            : .problem(Problem(.internal, detail: "A loop does not turn.", instance: request.id))
    }

    /// The fleet as Redis has it; without Redis nobody knows it, and that is what is said.
    private static func fleet(_ statistics: StatisticsPublisher, _ request: HTTPRequest) async -> HTTPResponse {
        do throws(RedisError) {
            return .json(200, try await FleetReader(redis: statistics.redis).look().encode())
        } catch {
            return .problem(
                Problem(
                    .tryAgainLater, detail: "The fleet cannot be seen: \(error). This instance is in /metrics.",
                    instance: request.id, reason: .storeUnavailable, retryAfterMilliseconds: 1000))
        }
    }

    private static func ready(_ readiness: Readiness, _ request: HTTPRequest) -> HTTPResponse {
        guard readiness.isReady else {
            return .problem(
                Problem(
                    .tryAgainLater, detail: "This instance does not accept work.", instance: request.id,
                    reason: readiness.isStopping ? .draining : .storeUnavailable, retryAfterMilliseconds: 1000))
        }
        return .json(200, Array(#"{"status":"ready"}"#.utf8))
    }
}
