import StrideTestSupport

/// The real gateway with its real configuration before ingest, plan and progress, each a process of its own.
///
/// Nobody listens where leaderboard is looked for, unless it is asked for.
struct GatewayStand: Sendable {
    let stores: TestStores
    let gateway: GatewayProcess
    let ingest: ServiceProcess
    let plan: ServiceProcess
    let progress: ServiceProcess
    let leaderboard: ServiceProcess?
    /// Further processes of progress.
    let others: [ServiceProcess]

    /// Starts everything and waits for it, lends it, and ends it.
    static func run(
        gateway settings: [String: String] = [:], services: [String: String] = [:], withLeaderboard: Bool = false,
        progressProcesses: Int = 1,
        _ body: @Sendable (GatewayStand) async throws -> Void
    ) async throws {
        try await TestStores.run { stores in
            let ingest = try await ServiceProcess.start(stores, settings: services)
            let plan = try await ServiceProcess.start(stores, .plan, settings: services)
            let progress = try await ServiceProcess.start(stores, .progress, settings: services)
            let leaderboard =
                withLeaderboard ? try await ServiceProcess.start(stores, .leaderboard, settings: services) : nil
            var others: [ServiceProcess] = []
            for number in 1..<progressProcesses {
                others.append(
                    try await ServiceProcess.start(stores, .progress, name: "progress-\(number)", settings: services))
            }
            let reads = ([progress] + others).map { "127.0.0.1:\($0.port)" }.joined(separator: ",")
            var addresses = [
                "STRIDE_INGEST_ADDRESS": "127.0.0.1:\(ingest.port)", "STRIDE_PLAN_ADDRESS": "127.0.0.1:\(plan.port)",
                "STRIDE_PROGRESS_ADDRESS": reads,
            ]
            if let leaderboard { addresses["STRIDE_LEADERBOARD_ADDRESS"] = "127.0.0.1:\(leaderboard.port)" }
            let gateway = try await GatewayProcess.start(stores, addresses.merging(settings) { $1 })
            let stand = GatewayStand(
                stores: stores, gateway: gateway, ingest: ingest, plan: plan, progress: progress,
                leaderboard: leaderboard, others: others)
            do {
                try await body(stand)
            } catch {
                try await stand.end()
                throw error
            }
            try await stand.end()
        }
    }

    private func end() async throws {
        await stores.client.closeIdle()
        for process in [plan, progress] + others { process.kill() }
        ingest.kill()
        leaderboard?.kill()
        try await gateway.end()
    }

    /// A user whose calls go through the gateway.
    func phone(_ name: String = newRequestID()) throws -> Phone { try stores.phone(name, ports: [gateway.port]) }

    /// A call without a token.
    func call(
        _ method: String, _ path: String, fields: [(name: String, value: String)] = [], body: [UInt8]? = nil
    ) async throws -> HTTPAnswer {
        try await stores.client.send(HTTPCall(method, path, fields: fields, body: body), to: gateway.port)
    }

    /// What comes back for bytes that need not be a request.
    func answer(to bytes: String) async throws -> HTTPAnswer {
        let line = try await HTTPLine.open(gateway.port, on: stores.loop)
        defer { line.close() }
        try await line.send(bytes)
        return try await line.answer()
    }
}
