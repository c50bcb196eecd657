package import EventLoops
package import HTTP
internal import Models
internal import Postgres
package import Redis
internal import Synchronization
internal import TLS
package import Telemetry

/// The part of a service that lives on one loop.
package protocol ServicePart: AnyObject, Sendable {
    /// What it answers.
    var routes: [HTTPRoute] { get }
    /// The budget that refusals of writes tell; nil where nothing is written.
    var refusalBudget: RefusalBudget? { get }
    /// Called on the loop when the listener has drained: finish what was begun.
    func finish() async
}

extension ServicePart {
    /// None.
    package var refusalBudget: RefusalBudget? { nil }
}

/// A running service: a listener on each loop, and one for the operators on a loop of its own.
///
/// Starting does not wait for PostgreSQL or Redis: a service that cannot reach them is alive and says so, and no restart
/// would bring them back.
package final class Service<Part: ServicePart>: Sendable {
    /// The public address, with the real port.
    package let address: SocketAddress
    /// The admin address.
    package let adminAddress: SocketAddress

    private let workers: [Worker]
    private let admin: AdminListener
    private let readiness: Readiness
    private let keyWatch: Task<Void, Never>
    private let drainTime: Duration

    /// One loop with everything on it.
    ///
    /// Confined to `resources.loop`, hence `@unchecked Sendable`.
    private final class Worker: @unchecked Sendable {
        let resources: LoopResources
        let part: Part
        let server: HTTPServer
        let acceptor: TLSAcceptor?

        init(
            _ resources: LoopResources, part: Part, address: SocketAddress, certificate: ListenerCertificate?
        ) throws {
            self.resources = resources
            self.part = part
            let acceptor = certificate?.acceptor(registry: resources.registry, shard: resources.shard)
            self.acceptor = acceptor
            var amend: HTTPRouter.Amendment?
            if let budget = part.refusalBudget { amend = { response, head in budget.complete(&response, head) } }
            let router = HTTPRouter(
                api: APITable.entries, routes: part.routes, refusals: RefusalAnswers.render, amend: amend)
            server = try HTTPServer(
                loop: resources.loop, address: address, router: router, limits: resources.configuration.httpLimits,
                observer: resources.requestMetrics, secure: acceptor.map { acceptor in { acceptor.secure($0) } })
            resources.start()
        }
    }

    /// Starts everything.
    ///
    /// - Parameters:
    ///   - name: `ingest`; stands in logs and metrics.
    ///   - scripts: the Redis scripts that the part uses.
    ///   - makePart: makes the part of one loop, on that loop.
    /// - Throws: when a secret cannot be read or a port is taken.
    package static func start(
        name: String, configuration: ServiceConfiguration, scripts: [RedisScript], logger: Logger,
        registry: MetricRegistry, makePart: @escaping @Sendable (LoopResources) -> Part
    ) async throws -> Service {
        let keys = try TokenKeys(files: configuration.tokenSecretFiles, keySets: configuration.tokenKeySetFiles)
        report(keys.findings, logger: logger)
        let certificate = try configuration.tls.map {
            try ListenerCertificate($0, name: name, registry: registry, logger: logger)
        }
        let readiness = Readiness()
        guard var address = SocketAddress(ip: configuration.bind, port: configuration.port) else {
            throw Settings.Fault(faults: ["STRIDE_BIND must be a numeric address"])
        }
        var workers: [Worker] = []
        for number in 0..<configuration.loops {
            let loop = try EventLoop.start(name: "\(name)-\(number)")
            let bound = address
            let worker = try await loop.run {
                let resources = LoopResources(
                    loop: loop, name: name, configuration: configuration, scripts: scripts, keys: keys,
                    registry: registry, logger: logger)
                return try Worker(
                    resources, part: makePart(resources), address: bound, certificate: certificate)
            }
            address = worker.server.localAddress
            workers.append(worker)
        }
        let admin = try await AdminListener.start(
            name: name, configuration: configuration, registry: registry, readiness: readiness,
            workers: workers.map(\.resources), port: address.port)
        let all = workers
        try await certificate?.watch(on: admin.loop) { context in
            for worker in all { worker.resources.loop.execute { worker.acceptor?.context = context } }
        }
        let watch = keys.watch { report($0, logger: logger) }
        let service = Service(
            address: address, adminAddress: admin.address, workers: workers, admin: admin, readiness: readiness,
            keyWatch: watch, drainTime: configuration.drain)
        if let first = workers.first?.resources {
            let all = workers.map(\.resources)
            first.loop.submit {
                await readiness.watchSchema(first.postgres, loop: first.loop, logger: logger) {
                    for resources in all { await resources.meetStores() }
                }
            }
        }
        return service
    }

    private static func report(_ findings: TokenKeys.Findings, logger: Logger) {
        if let problem = findings.problem { logger.error("token_keys_refused", ["error": .describing(problem)]) }
        for skipped in findings.skipped { logger.info("token_key_skipped", ["key": .string(skipped)]) }
    }

    private init(
        address: SocketAddress, adminAddress: SocketAddress, workers: [Worker], admin: AdminListener,
        readiness: Readiness, keyWatch: Task<Void, Never>, drainTime: Duration
    ) {
        self.address = address
        self.adminAddress = adminAddress
        self.workers = workers
        self.admin = admin
        self.readiness = readiness
        self.keyWatch = keyWatch
        self.drainTime = drainTime
    }

    /// Stops in order: not ready, no new connections, running requests end, queues are written, connections close.
    package func drain() async {
        readiness.beginDraining()
        keyWatch.cancel()
        await withTaskGroup(of: Void.self) { group in
            for worker in workers {
                group.addTask { await self.stop(worker) }
            }
        }
        await admin.stop()
    }

    private func stop(_ worker: Worker) async {
        await worker.server.drain(timeout: drainTime)
        try? await worker.resources.loop.run {
            await worker.part.finish()
            await worker.resources.close()
        }
        await worker.resources.loop.stop()
    }
}

/// The whole API as the router wants it.
private enum APITable {
    static let entries = APIContract.paths.map { entry in
        (path: entry.template, methods: entry.methods.map { HTTPMethod($0) })
    }
}
