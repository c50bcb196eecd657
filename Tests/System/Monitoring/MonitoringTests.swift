import Redis
import StrideTestSupport
import Testing

/// Prometheus over the real services: what dashboards and alerts ask for is there, and moves.
@Suite(.serialized) struct MonitoringTests {
    /// Has series only where something has happened, or been configured, that does not belong here.
    private static let absentUntil = [
        "redis_memory_max_bytes > 0": "maxmemory is set",
        "stride_tls_certificate_expiry_timestamp_seconds": "the listener speaks TLS",
    ]
    /// Counts what these tests do not bring about; in brackets who shows that it moves.
    private static let quiet: Set<String> = [
        "stride_cache_inconsistent_total",  // CacheCheckTests
        "stride_postgres_connect_failures_total", "stride_postgres_dropped_total",  // PoolTests, LossTests
        "stride_postgres_refused_total", "stride_postgres_waiting",  // PoolStateTests, PoolTests
        "stride_redis_commands_in_flight", "stride_progress_fills_in_flight",  // RedisClientTests, FillStateTests
        "stride_redis_breaker_openings_total", "stride_redis_timeouts_total",  // SlowRedisTests, RedisBreakerTests
        "stride_progress_cache_fills_lost_total", "stride_progress_fills_waiting",  // FillTests
        "stride_leaderboard_database_reads_refused_total", "stride_leaderboard_board_repairs_total",  // AwayTests
        "stride_leaderboard_cache_write_failures_total", "stride_plan_cache_write_failures_total",  // AwayTests
        "stride_progress_replica_reads_total",  // ReplicaTests
        "stride_log_lines_dropped_total", "stride_log_lines_suppressed_total",  // LogSinkTests
    ]

    private static let fleetSettings = [
        "STRIDE_INGEST_FLEET_RATE": "100000", "STRIDE_PROGRESS_CHECK_MS": "100", "STRIDE_INGEST_REDIS_MS": "1000",
        "STRIDE_USER_BURST": "400", "STRIDE_USER_RATE_PER_MINUTE": "1",
    ]

    @Test("O2: every query of a dashboard finds series, every alert its metrics, and every metric moves")
    func everything() async throws {
        try await Fleet.run(ownRedis: true, settings: Self.fleetSettings) { fleet in
            let board = try await ServiceProcess.start(fleet.stores, .leaderboard, settings: Self.fleetSettings)
            defer { board.kill() }
            let services: [(name: String, process: ServiceProcess)] = [
                ("ingest", fleet.ingest), ("plan", fleet.plan), ("progress", fleet.progress), ("leaderboard", board),
            ]
            let targets = Dictionary(uniqueKeysWithValues: services.map { ($0.name, $0.process.adminPort) })
            let server = try await PrometheusServer.start(fleet.stores, targets: targets)
            defer { server.end() }
            let stop = StopFlag()
            async let traffic: Void = withThrowingTaskGroup(of: Void.self) { group in
                for sender in 0..<6 { group.addTask { try await Self.send(sender, fleet, board, until: stop) } }
                try await group.waitForAll()
            }
            var moved: Set<String> = []
            var known: Set<String> = []
            func look() async throws {
                for (_, process) in services {
                    let page = try await process.askAdmin("/metrics").text
                    known.formUnion(Self.families(page, where: { _ in true }))
                    moved.formUnion(Self.families(page, where: { $0 != 0 }))
                }
            }
            try await Self.expectQueries(server)
            try await Self.expectAlerts(server)
            try await look()
            // To the process whose figures are read, also where there are two. A part of the batch is beyond the budget; then
            // nothing is left but what a minute admits, so the second of two calls is refused whole.
            let spender = try fleet.stores.phone("spender", ports: [fleet.ingest.port])
            #expect(try await spender.postBatch((0..<450).map { _ in Self.walk() }).status == 200)
            _ = try await spender.post(Self.walk(1))
            #expect(try await spender.post(Self.walk(2)).status == 429)
            let leaver = try fleet.stores.phone("leaver", ports: [fleet.ingest.port])
            #expect(try await leaver.post(Self.walk()).status == 201)
            #expect(try await leaver.send("DELETE", "/v1/me").status == 200)
            // Redis goes, and with it what the cache should have seen.
            fleet.stores.redis.kill()
            try await eventually("commits wait for the cache, and it is said how long", within: .seconds(60)) {
                try await look()
                return moved.contains("stride_cache_backlog_age_seconds")
                    && moved.contains("stride_ingest_cache_write_failures_total")
            }
            try await fleet.stores.redis.start()
            try await eventually("they are repaired", within: .seconds(60)) {
                try await look()
                return moved.contains("stride_cache_repaired_users_total")
            }
            // Workouts queue while the table is locked: of a crowd that comes at once, more than there are lanes.
            try await fleet.stores.database.whileLocked("users") { unlock in
                let enough = StopFlag()
                async let crowd: Void = withThrowingTaskGroup(of: Void.self) { group in
                    for sender in 6..<36 { group.addTask { try await Self.send(sender, fleet, board, until: enough) } }
                    try await group.waitForAll()
                }
                try await eventually("workouts wait", within: .seconds(60)) {
                    let page = try await fleet.ingest.askAdmin("/metrics").text
                    let waiting = Set(Self.families(page, where: { $0 != 0 }))
                    return waiting.isSuperset(of: ["stride_ingest_queued_workouts", "http_server_active_requests"])
                }
                enough.set()
                try await unlock()
                try await crowd
            }
            moved.formUnion(["stride_ingest_queued_workouts", "http_server_active_requests"])
            stop.set()
            try await traffic
            #expect(known.count > 35)
            let still = known.subtracting(moved).subtracting(Self.quiet)
            #expect(still.isEmpty, "never moved: \(still.sorted())")
        }
    }

    @Test("The dashboard that asks Redis asks for keys and fields that are there")
    func liveDashboard() async throws {
        try await TestStores.run(ownRedis: true) { stores in
            let ingest = try await ServiceProcess.start(stores, settings: Self.fleetSettings)
            let progress = try await ServiceProcess.start(stores, .progress, settings: Self.fleetSettings)
            try await eventually("both are seen") {
                try await stores.redis.send("ZCARD", "stride:{stats}:instances").number == 2
            }
            // Orderly ends leave a minute each; progress starts again, so that there is a living one.
            _ = try await ingest.terminate()
            _ = try await progress.terminate()
            try await ingest.start()
            try await progress.start()
            try await eventually("both are seen again") {
                try await stores.redis.send("KEYS", "stride:{stats}:live:*").elements?.count == 2
            }
            let names = try await stores.redis.send("ZRANGE", "stride:{stats}:instances", "0", "-1").elements ?? []
            #expect(names.count == 2)
            let targets = try Dashboards.redisTargets()
            #expect(targets.count > 8)
            for target in targets {
                var found: Set<String> = []
                let key = target["keyName"].string ?? ""
                let wanted = Set((target["field"].string ?? "").split(separator: " ").map(String.init))
                for name in names.compactMap(\.text) {
                    let own = key.replacing("$instance", with: name)
                    switch target["command"].string {
                    case "hmget":
                        for field in wanted {
                            let value = try await stores.redis.send("HGET", own, field)
                            if !value.isNull { found.insert(field) }
                        }
                    case "xrange":
                        let count = try await stores.redis.send("XLEN", own).number
                        #expect((count ?? 0) > 0, "\(own)")
                    case "zrange":
                        let count = try await stores.redis.send("ZCARD", own).number
                        #expect(count == 2)
                    default: Issue.record("what is \(target.text)?")
                    }
                }
                // What ingest does not have, progress has.
                #expect(found == wanted, "\(target.text)")
            }
            ingest.kill()
            progress.kill()
        }
    }
}

extension MonitoringTests {
    private static func walk(_ number: Int = 0) -> JSON {
        let end = instant("2026-11-30T08:00:00Z") + number * 60_000
        return [
            "requestId": .string(newRequestID()), "start_time": .int(end - 60_000), "end_time": .int(end),
            "steps": 100, "distance": 70, "time_zone": "Europe/Berlin",
        ]
    }

    /// A little of everything until it is enough; what is refused meanwhile does not matter.
    private static func send(
        _ sender: Int, _ fleet: Fleet, _ board: ServiceProcess, until stop: StopFlag
    ) async throws {
        let coach = try fleet.stores.tokens.token(for: "coach", scopes: ["leaderboard:write"])
        let organiser = Phone(
            user: try fleet.stores.tokens.user("coach"), token: coach, ports: [board.port], client: fleet.stores.client)
        var number = 0
        while !stop.isSet {
            number += 1
            let person = try fleet.person("person-\(sender)-\(number % 20)")
            _ = try? await person.post(Self.walk(number))
            _ = try? await person.get("/v1/progressSummary")
            _ = try? await person.get("/v1/workouts")
            _ = try? await person.live(in: "Europe/Berlin")
            _ = try? await person.plan("GET", "/v1/profile")
            let body = Array(#"{"name":"Ada","score":\#(number)}"#.utf8)
            _ = try? await organiser.send("PUT", "/v1/athletes/\(sender * 100 + number % 50)", body: body)
            _ = try? await organiser.send("GET", "/v1/athletes")
            // A phone that sends nonsense, and one that nobody knows.
            _ = try? await person.post([:])
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    private static func expectQueries(_ server: PrometheusServer) async throws {
        let queries = try Dashboards.queries()
        #expect(queries.count > 40)
        for (panel, expression) in queries where absentUntil[expression] == nil {
            // Rates need two scrapes; after that an empty answer is a panel that would stay empty.
            do {
                try await eventually("\(panel) has series", within: .seconds(60), every: .milliseconds(500)) {
                    try await !server.query(expression).isEmpty
                }
            } catch {
                Issue.record("\(panel): \(expression): \(error)")
            }
        }
        for expression in absentUntil.keys { _ = try await server.query(expression) }
    }

    private static func expectAlerts(_ server: PrometheusServer) async throws {
        guard case .array(let groups) = try await server.ask("rules")["data"]["groups"] else {
            throw Late("no rules")
        }
        guard case .array(let list) = try await server.ask("label/__name__/values")["data"] else {
            throw Late("no metrics")
        }
        let names = Set(list.compactMap(\.string))
        var alerts = 0
        for group in groups {
            guard case .array(let rules) = group["rules"] else { continue }
            for rule in rules {
                #expect(rule["health"] == "ok", "\(rule.text)")
                if rule["type"] == "alerting" { alerts += 1 }
                for name in metrics(in: rule["query"].string ?? "") where absentUntil[name] == nil {
                    #expect(names.contains(name), "\(rule["name"].text) asks for \(name)")
                }
            }
        }
        #expect(alerts > 10)
    }

    /// What an expression reads, as far as such names begin.
    private static func metrics(in expression: String) -> [String] {
        expression.split { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == ":") }.map(String.init).filter { word in
            ["stride_", "http_server_", "service:", "node_filesystem_"].contains { word.hasPrefix($0) } || word == "up"
        }
    }

    /// The families of a page with a sample that is wanted; counts of a histogram stand for it.
    private static func families(_ page: String, where isWanted: (Double) -> Bool) -> [String] {
        var families: [String] = []
        var current = ""
        for line in page.split(separator: "\n") {
            if line.hasPrefix("# TYPE ") {
                current = String(line.split(separator: " ")[2])
            } else if !line.hasPrefix("#"), let value = line.split(separator: " ").last.flatMap({ Double($0) }),
                isWanted(value)
            {
                families.append(current)
            }
        }
        return families
    }
}
