import Redis
import ServiceKit
import StrideTestSupport
import Testing

/// What instances write about themselves into Redis, as `docs/redis.md` says it, and what reads it.
@Suite(.serialized) struct StatisticsTests {
    private static let walk = workout(from: "2025-06-10T08:00:00Z", to: "2025-06-10T09:00:00Z", steps: 1)

    private func ask(_ path: String, _ stand: Stand) async throws -> HTTPAnswer {
        let line = try await HTTPLine.open(stand.ingest.adminPort, on: stand.stores.loop)
        defer { line.close() }
        return try await line.exchange(HTTPCall("GET", path), within: .seconds(30))
    }

    private func instances(_ redis: TestRedis) async throws -> [String] {
        try await redis.send("ZRANGE", "stride:{stats}:instances", "0", "-1").elements?.compactMap(\.text) ?? []
    }

    private func fields(_ redis: TestRedis, _ key: String) async throws -> [String: String] {
        let values = try await redis.send("HGETALL", key).elements?.compactMap(\.text) ?? []
        return Dictionary(
            uniqueKeysWithValues: stride(from: 0, to: values.count - 1, by: 2).map { (values[$0], values[$0 + 1]) })
    }

    @Test("an instance writes a hash that lives for seconds and is listed; its end is a last minute and no hash")
    func liveAndMinute() async throws {
        try await TestStores.run(ownRedis: true) { stores in
            let ingest = try await InProcessIngest.start(stores, settings: ["STRIDE_INSTANCE": "pod-7"])
            let name = "ingest/pod-7:\(ingest.port)"
            let phone = try stores.phone("someone", ports: [ingest.port])
            try await eventually("a workout is taken") { try await phone.post(Self.walk).status == 201 }
            _ = try await phone.post(Self.walk)
            _ = try await phone.post(Self.walk.with(["requestId": .string(newRequestID())]))
            let (redis, live) = (stores.redis, "stride:{stats}:live:\(name)")
            try await eventually("the user was seen") { try await fields(redis, live)["users"] == "1" }
            #expect(try await instances(redis) == [name])
            let second = try await fields(redis, live)
            #expect(Set(second.keys).isSubset(of: Set(StatisticsField.allCases.map(\.rawValue) + ["at", "started"])))
            #expect(second["loops"] == "1")
            #expect((900...30_000).contains(Int(second["span_ms"] ?? "") ?? 0))
            #expect((1...5000).contains(try await redis.send("PTTL", live).number ?? 0))
            #expect((1...5000).contains(try await redis.send("PTTL", "stride:{stats}:users:\(name)").number ?? 0))
            await stores.client.closeIdle()
            await ingest.stop()
            #expect(try await redis.send("EXISTS", live).number == 0)
            let life = try await redis.send("PTTL", "stride:{stats}:minutes:\(name)").number
            #expect((1...3_900_000).contains(life ?? 0))
            // The minute may have changed meanwhile: then there are two.
            let entries = try await redis.send("XRANGE", "stride:{stats}:minutes:\(name)", "-", "+").elements ?? []
            let minutes = entries.compactMap { $0.elements?.last?.elements }.map { StatisticsRecord($0) }
            #expect((1...2).contains(minutes.count))
            let all = StatisticsRecord.merge(minutes)
            #expect(all[.accepted] == 2)
            #expect(all[.duplicates] == 1)
            #expect(all.count(.batches) >= 1 && all.count(.commitHigh) > 0 && all.count(.requestHigh) > 0)
        }
    }

    @Test("an instance and second cost one exchange of four commands, and a few more once a minute")
    func cost() async throws {
        try await Stand.run(ownRedis: true) { stand in
            let redis = stand.stores.redis
            try await eventually("it is listed") { try await !instances(redis).isEmpty }
            let clock = ContinuousClock()
            let begin = clock.now
            try await redis.send("CONFIG", "RESETSTAT")
            func calls(_ command: String) async throws -> Int {
                let lines = try await redis.send("INFO", "commandstats").text?.split(separator: "\r\n") ?? []
                let line = lines.first { $0.hasPrefix("cmdstat_\(command):calls=") }
                return line.flatMap { Int($0.drop { $0 != "=" }.dropFirst().prefix { $0 != "," }) } ?? 0
            }
            try await eventually("it has written a few times") { try await calls("hset") >= 4 }
            let writes = try await calls("hset")
            let seconds = Int((clock.now - begin) / .seconds(1))
            #expect(writes <= seconds + 2)
            // One of the two may have been looked at between two exchanges.
            let (listed, sketches) = (try await calls("zadd"), try await calls("set"))
            #expect((writes...writes + 1).contains(listed) && (writes...writes + 1).contains(sketches))
            let (minutes, lives) = (try await calls("xadd"), try await calls("expire"))
            #expect(minutes <= seconds / 60 + 1)
            #expect(lives <= writes + 1 + 2 * (minutes + 1))
        }
    }

    @Test("/stats tells of all instances of all services, and without Redis says that it cannot; nothing else minds")
    func stats() async throws {
        try await Stand.run(settings: ["STRIDE_INSTANCE": "here"], ownRedis: true) { stand in
            let phone = try stand.phone()
            #expect(try await phone.post(Self.walk).status == 201)
            try await eventually("the fleet is seen") {
                let answer = try await ask("/stats", stand)
                return answer.status == 200 && (answer.json["users"].int ?? 0) > 0
            }
            let fleet = try await ask("/stats", stand).json
            #expect(fleet["instances"][0]["service"] == "ingest")
            #expect(fleet["instances"][0]["instance"] == .string("here:\(stand.ingest.port)"))
            #expect(fleet["instances"][0]["now"]["loops"] == 1)
            #expect(fleet["services"][0]["service"] == "ingest")
            #expect(fleet["services"][0]["instances"] == 1)
            stand.stores.redis.kill()
            try await eventually("it says that nobody knows") {
                let answer = try await ask("/stats", stand)
                return answer.status == 503 && answer.json["code"] == "TRY_AGAIN_LATER"
                    && answer.json["detail"].string?.contains("The fleet cannot be seen") == true
            }
            #expect(try await ask("/livez", stand).status == 200)
            #expect(try await phone.post(Self.walk.with(["requestId": .string(newRequestID())])).status == 201)
            try await stand.stores.redis.start()
            try await eventually("it is seen again") {
                try await ask("/stats", stand).json["instances"][0]["service"] == "ingest"
            }
        }
    }

    @Test("O5: while everybody is refused, the operators' port answers, and says so")
    func overload() async throws {
        // Waiting is refused at once; the clock of the test machine has no part in it.
        try await Stand.run(settings: ["STRIDE_INGEST_QUEUE": "1", "STRIDE_INGEST_BATCH": "1"], ownRedis: true) {
            stand in
            try await stand.stores.database.whileLocked("users") { unlock in
                let stop = StopFlag()
                async let flood: Void = withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<40 {
                        let phone = try stand.phone()
                        group.addTask {
                            while !stop.isSet {
                                _ = try await phone.post(Self.walk.with(["requestId": .string(newRequestID())]))
                            }
                        }
                    }
                    try await group.waitForAll()
                }
                try await eventually("they are refused, and it is seen") {
                    let now = try await ask("/stats", stand).json["instances"][0]["now"]
                    return (now["refused_overload"].int ?? 0) > 0
                }
                for path in ["/livez", "/readyz", "/metrics", "/stats"] {
                    #expect(try await ask(path, stand).status == 200, "\(path)")
                }
                stop.set()
                try await unlock()
                try await flood
            }
        }
    }

    @Test("whoever is killed leaves the list of the living by itself, and its minutes stay")
    func killed() async throws {
        try await TestStores.run(ownRedis: true) { stores in
            let killed = try await ServiceProcess.start(stores)
            let asked = try await ServiceProcess.start(stores, .plan)
            func living() async throws -> [JSON] {
                let services = try await asked.askAdmin("/stats").json["services"]
                return (0..<2).map { services[$0] }.filter { ($0["instances"].int ?? 0) > 0 }.map { $0["service"] }
            }
            try await eventually("both are seen") { try await living() == ["ingest", "plan"] }
            killed.kill()
            try await eventually("one is seen") { try await living() == ["plan"] }
            #expect(try await instances(stores.redis).contains { $0.hasPrefix("ingest/") })
            asked.kill()
        }
    }

    @Test("all of it lies in one slot of a Redis Cluster")
    func cluster() async throws {
        try await TestStores.run { stores in
            let cluster = try await TestCluster.start(on: stores.loop)
            let ingest = try await InProcessIngest.start(stores, settings: ["STRIDE_REDIS_URL": cluster.url])
            let stand = Stand(stores: stores, ingest: ingest)
            try await eventually("the fleet is seen") {
                try await ask("/stats", stand).json["instances"][0]["service"] == "ingest"
            }
            await ingest.stop()
            for node in cluster.nodes { node.end() }
        }
    }
}
