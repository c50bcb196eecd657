import EventLoops
import Glibc
package import StrideTestSupport
import Synchronization

/// Two ingest processes and progress, each with relays of its own to Redis and to the two servers of PostgreSQL.
package final class FaultFleet: Sendable {
    /// What the run has for itself.
    package let stores: TestStores
    let services: [ServiceProcess]
    let pair: ServerPair
    private let relays: [Fault.Way: [TCPRelay]]
    private let heldDown = Mutex<Set<Int>>([])
    private let isEnding = StopFlag()
    private let ends = Mutex<Int>(0)

    /// Settings of every service: short waits, so that much happens in a short run, and budgets that are sometimes used up.
    private static let settings = [
        "STRIDE_TEST_NOW": String(instant("2025-07-01T12:00:00Z")),
        "STRIDE_INGEST_STATEMENT_MS": "2500", "STRIDE_PROGRESS_STATEMENT_MS": "2500",
        "STRIDE_USER_RATE_PER_MINUTE": "3000", "STRIDE_USER_BURST": "100",
        // The services' own random check would mend what the judge is to find.
        "STRIDE_PROGRESS_CHECK_MS": "0", "STRIDE_INGEST_BATCH": "50",
    ]

    /// Lends a fleet over a primary and its synchronous standby.
    ///
    /// - Parameter points: a fault point for each service, as `STRIDE_FAULT_POINT` names it.
    package static func run<Value: Sendable>(
        points: [String?] = [], _ body: @escaping @Sendable (FaultFleet) async throws -> Value
    ) async throws -> Value {
        signal(SIGPIPE, SIG_IGN)
        let pair = try await ServerPair.start()
        let loop = try EventLoop.start(name: "relays")
        let value: Value
        do {
            value = try await TestStores.run(ownRedis: true, postgres: pair.url) { stores in
                let fleet = try await FaultFleet(stores, pair, loop: loop, points: points)
                async let watch: Void = fleet.superviseServices()
                let value: Value
                do {
                    value = try await body(fleet)
                } catch {
                    await fleet.end()
                    throw error
                }
                await fleet.end()
                await watch
                return value
            }
        } catch {
            await loop.stop()
            throw error
        }
        await loop.stop()
        return value
    }

    private init(_ stores: TestStores, _ pair: ServerPair, loop: EventLoop, points: [String?]) async throws {
        self.stores = stores
        self.pair = pair
        var relays: [Fault.Way: [TCPRelay]] = [:]
        var services: [ServiceProcess] = []
        try stores.folder.write("faults", "")
        for service in Fault.Service.allCases {
            var own: [TCPRelay] = []
            for port in [stores.redis.port] + pair.ports { own.append(try await .start(to: port, on: loop)) }
            relays[Fault.Way(service: service, leadsToRedis: true)] = [own[0]]
            relays[Fault.Way(service: service, leadsToRedis: false)] = Array(own[1...])
            var settings = Self.settings
            settings["STRIDE_REDIS_URL"] = "redis://127.0.0.1:\(own[0].port)"
            settings["STRIDE_POSTGRES_URL"] = pair.url(own[1...].map(\.port), database: stores.database.name)
            settings["STRIDE_FAULT_WHILE"] = stores.folder.path + "/faults"
            if points.indices.contains(service.rawValue) { settings["STRIDE_FAULT_POINT"] = points[service.rawValue] }
            services.append(
                try await ServiceProcess.start(
                    stores, service == .progress ? .progress : .ingest, name: "\(service)", settings: settings))
        }
        self.relays = relays
        self.services = services
    }

    private func end() async {
        isEnding.set()
        for service in services { service.signal(SIGCONT) }
        for service in services { service.kill() }
    }

    subscript(_ service: Fault.Service) -> ServiceProcess { services[service.rawValue] }
    func relays(of way: Fault.Way) -> [TCPRelay] { relays[way] ?? [] }
    var allRelays: [TCPRelay] { relays.values.flatMap { $0 } }
    /// How often a service ended without being told.
    var unexpectedEnds: Int { ends.withLock { $0 } }

    /// Keeps a service down, or lets it be started again.
    func hold(_ service: Fault.Service, down: Bool) {
        _ = heldDown.withLock { down ? ($0.insert(service.rawValue).inserted) : ($0.remove(service.rawValue) != nil) }
    }

    /// Starts what has ended by itself, as an operator's machinery does.
    private func superviseServices() async {
        while !isEnding.isSet {
            try? await Task.sleep(for: .milliseconds(100))
            for (place, service) in services.enumerated() where service.process?.ending != nil {
                guard !isEnding.isSet, !heldDown.withLock({ $0.contains(place) }) else { continue }
                ends.withLock { $0 += 1 }
                try? await service.start(untilReady: false)
            }
        }
    }
}
