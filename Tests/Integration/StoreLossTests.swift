import Redis
import StrideTestSupport
import Testing

/// What the stores refuse or lose while the service runs.
@Suite(.serialized) struct StoreLossTests {
    private let walk = workout(from: "2025-06-10T08:00:00Z", to: "2025-06-10T09:00:00Z", steps: 120, metres: 87.5)

    @Test("I7: one row that the database refuses is 500 alone; its neighbours of the micro-batch are written")
    func oneBadRow() async throws {
        try await Stand.run { stand in
            try await stand.stores.database.run("alter table workouts add constraint no_devil check (steps <> 666)")
            let phone = try stand.phone()
            let alone = try await phone.post(walk.with(["steps": 666]))
            #expect(alone.status == 500)
            #expect(alone.json.names == ["code", "detail", "instance", "status", "title", "type"])
            #expect(alone.json["code"] == "INTERNAL")
            #expect(!alone.text.contains("devil") && !alone.text.contains("constraint"))

            let items = (0..<37).map { number in
                walk.with(["requestId": .string(newRequestID()), "steps": number == 20 ? 666 : .int(number)])
            }
            let results = try await phone.postBatch(items).json["results"].elements
            #expect(results.count == 37)
            for (place, result) in results.enumerated() {
                #expect(result["result"] == (place == 20 ? "rejected" : "created"))
            }
            #expect(results[20]["code"] == "INTERNAL")
            // 0 + 1 + … + 36 without 20.
            #expect(try await stand.days(of: phone)["2025-06-10"] == DayFigures(646, 36 * 87_500, 36))

            let phones = try (0..<20).map { _ in try stand.phone() }
            let statuses = try await withThrowingTaskGroup(of: (Int, Int).self) { group in
                for (place, phone) in phones.enumerated() {
                    let body = walk.with(["steps": place == 7 ? 666 : 10])
                    group.addTask { (place, try await phone.post(body).status) }
                }
                return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
            }
            #expect(statuses == Dictionary(uniqueKeysWithValues: (0..<20).map { ($0, $0 == 7 ? 500 : 201) }))
        }
    }

    @Test("Scripts that Redis has lost are loaded again: budgets are counted there and days shown")
    func scriptsLost() async throws {
        try await Stand.run(ownRedis: true) { stand in
            let local = #"stride_ingest_limiter_decisions_total{mode="local"}"#
            let before = stand.ingest.metric(local)
            for _ in 0..<3 {
                #expect(try await stand.stores.redis.send("SCRIPT", "FLUSH").isOK)
                let phone = try stand.phone()
                #expect(try await phone.post(walk).status == 201)
                #expect(try await stand.days(of: phone) == ["2025-06-10": DayFigures(120, 87_500, 1)])
            }
            #expect(stand.ingest.metric(local) == before)
            #expect(stand.ingest.metric("stride_ingest_cache_write_failures_total") == 0)
        }
    }
}
