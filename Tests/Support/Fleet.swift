/// Ingest, plan and progress as real processes over the same stores, for the time of one test.
///
/// In pairs there are two processes of ingest and of progress behind the real gateway, and people call that. A test asks for it,
/// or `STRIDE_TEST_PAIRS=1 ./dev test` does for all of them.
package struct Fleet: Sendable {
    /// What they share.
    package let stores: TestStores
    /// Takes workouts.
    package let ingest: ServiceProcess
    /// Keeps plans, goals and profiles.
    package let plan: ServiceProcess
    /// Answers the reads.
    package let progress: ServiceProcess
    /// The second ingest and the second progress, if there are pairs.
    package let others: [ServiceProcess]
    /// What stands before the pairs.
    package let gateway: GatewayProcess?
    private let settings: [String: String]

    /// Starts all and waits until they are ready.
    ///
    /// - Parameter now: the moment at which they believe to live, such as `2026-12-02T12:00:00Z`; nil for the clock's.
    package static func start(
        _ stores: TestStores, now: String? = nil, settings: [String: String] = [:],
        inPairs: Bool = TestRun.wantsPairs
    ) async throws -> Fleet {
        // Busy machines: no answer of a test is 503 because a statement had to wait.
        let patient = [
            "INGEST_STATEMENT", "INGEST_QUEUE", "PLAN_STATEMENT", "PROGRESS_STATEMENT", "PROGRESS_FILL_QUEUE",
        ]
        let usual = Dictionary(uniqueKeysWithValues: patient.map { ("STRIDE_\($0)_MS", "30000") })
            .merging(now.map { ["STRIDE_TEST_NOW": String(instant($0))] } ?? [:]) { $1 }
        let settings = usual.merging(settings) { $1 }
        async let ingest = ServiceProcess.start(stores, .ingest, settings: settings)
        async let plan = ServiceProcess.start(stores, .plan, settings: settings)
        async let progress = ServiceProcess.start(stores, .progress, settings: settings)
        guard inPairs else {
            return try await Fleet(
                stores: stores, ingest: ingest, plan: plan, progress: progress, others: [], gateway: nil,
                settings: settings)
        }
        async let second = ServiceProcess.start(stores, .ingest, name: "ingest-2", settings: settings)
        async let reader = ServiceProcess.start(stores, .progress, name: "progress-2", settings: settings)
        let (ingests, reads) = (try await [ingest, second], try await [progress, reader])
        let gateway = try await GatewayProcess.start(
            stores,
            [
                "STRIDE_INGEST_ADDRESS": ingests.map(\.address).joined(separator: ","),
                "STRIDE_PROGRESS_ADDRESS": reads.map(\.address).joined(separator: ","),
                "STRIDE_PLAN_ADDRESS": try await plan.address,
            ], inOneProcess: true)
        return try await Fleet(
            stores: stores, ingest: ingests[0], plan: plan, progress: reads[0], others: [ingests[1], reads[1]],
            gateway: gateway, settings: settings)
    }

    /// Starts all, lends them and ends them.
    package static func run(
        ownRedis: Bool = false, now: String? = nil, settings: [String: String] = [:],
        inPairs: Bool = TestRun.wantsPairs,
        _ body: @Sendable (Fleet) async throws -> Void
    ) async throws {
        try await TestStores.run(ownRedis: ownRedis) { stores in
            let fleet = try await start(stores, now: now, settings: settings, inPairs: inPairs)
            defer { fleet.kill() }
            try await body(fleet)
        }
    }

    /// Ends all at once.
    package func kill() {
        gateway?.kill()
        for process in [ingest, plan, progress] + others { process.kill() }
    }

    /// A user, by default one whom nobody else is.
    package func person(_ name: String = newRequestID(), progress other: ServiceProcess? = nil) throws -> Person {
        let own = gateway.map { [$0.port, $0.port, $0.port] } ?? [ingest.port, plan.port, progress.port]
        return Person(phone: try stores.phone(name, ports: [own[0], own[1], other?.port ?? own[2]]))
    }

    /// Runs `stride verify --all`, the judge of what the cache holds, against the stores of these services.
    package func verify() async throws -> (ending: ChildProcess.Ending, output: String) {
        let tool = try ChildProcess(
            TestRun.executable("stride"), ["verify", "--all"], environment: stores.environment(settings),
            log: "\(stores.folder.path)/verify-\(UInt64.random(in: 0 ... .max))")
        let ending = try await tool.wait(within: .seconds(120))
        return (ending, tool.log)
    }
}

/// A user of the three services.
package struct Person: Sendable {
    /// The user's client; its ports are those of ingest, plan and progress.
    package let phone: Phone

    /// A user with a client whose ports are those of ingest, plan and progress.
    package init(phone: Phone) { self.phone = phone }

    /// Reads from progress.
    package func get(_ path: String) async throws -> HTTPAnswer { try await phone.send("GET", path, via: 2) }

    /// Calls plan.
    package func plan(_ method: String, _ path: String, _ body: JSON? = nil) async throws -> HTTPAnswer {
        try await phone.send(method, path, body: body.map { Array($0.text.utf8) }, via: 1)
    }

    /// Sends workouts in one batch.
    @discardableResult
    package func post(_ workouts: JSON...) async throws -> HTTPAnswer { try await phone.postBatch(workouts) }

    /// Sets the profile.
    package func live(in zone: String, weekStart: String = "monday") async throws -> HTTPAnswer {
        try await plan("PUT", "/v1/profile", ["time_zone": .string(zone), "week_start": .string(weekStart)])
    }

    /// Makes a plan of some weeks.
    package func follow(
        _ name: String, from start: String, _ weeks: [JSON], requestID: String = newRequestID()
    ) async throws -> HTTPAnswer {
        let numbered = weeks.enumerated().map { $0.element.with(["week": .int($0.offset)]) }
        return try await plan(
            "POST", "/v1/create_workout_plan",
            [
                "requestId": .string(requestID), "planName": .string(name), "startDate": .string(start),
                "weekly_goals": .array(numbered),
            ])
    }

    /// The summary.
    package func summary(in zone: String? = nil) async throws -> JSON {
        try await get("/v1/progressSummary" + (zone.map { "?time_zone=\($0)" } ?? "")).json
    }
}
