import StrideTestSupport
import Testing

/// Ingest while Redis is there and does not answer: one wait, then none.
@Suite(.serialized) struct SlowRedisTests {
    private static func walk() -> JSON {
        workout(from: "2025-06-10T08:00:00Z", to: "2025-06-10T09:00:00Z", steps: 1, metres: 1)
    }

    @Test("B2: Redis silent: one wait for all, loops that count on from what the fleet knew, and back by itself")
    func silent() async throws {
        try await TestStores.run(ownRedis: true) { stores in
            let relay = try await TCPRelay.start(to: stores.redis.port, on: stores.loop)
            // Thirty at once, then one a minute. A wait is a whole second, so that waits can be told from a busy machine.
            let settings = [
                "STRIDE_REDIS_URL": "redis://127.0.0.1:\(relay.port)", "STRIDE_INGEST_REDIS_MS": "1000",
                "STRIDE_USER_RATE_PER_MINUTE": "1", "STRIDE_USER_BURST": "30",
            ]
            let ingest = try await ServiceProcess.start(stores, settings: settings)
            defer { ingest.kill() }
            let phone = try stores.phone("walker", ports: [ingest.port])
            let clock = ContinuousClock()
            let start = clock.now
            for _ in 0..<10 { #expect(try await phone.post(Self.walk()).status == 201) }
            #expect(try await ingest.metric(#"stride_ingest_limiter_decisions_total{mode="fleet"}"#) == 10)

            try await relay.hold()
            let begin = clock.now
            var statuses: [Int] = []
            for _ in 0..<40 { statuses.append(try await phone.post(Self.walk()).status) }
            // Forty waits would take forty seconds and their showing forty more.
            #expect(clock.now - begin < .seconds(15))
            let taken = statuses.count { $0 == 201 }
            #expect(statuses.allSatisfy { $0 == 201 || $0 == 429 })
            // A busy machine may take so long that some are earned meanwhile.
            let earned = Int((clock.now - start) / .seconds(60)) + 1
            #expect(taken >= 20 && taken < 20 + earned + 1)
            let others = try stores.phone("runner", ports: [ingest.port])
            for _ in 0..<30 { #expect(try await others.post(Self.walk()).status == 201) }
            #expect(try await stores.database.number("select count(*) from workouts") == 40 + taken)

            try await relay.release()
            try await eventually("Redis counts again", within: .seconds(20)) {
                let fresh = try stores.phone(newRequestID(), ports: [ingest.port])
                #expect(try await fresh.post(Self.walk()).status == 201)
                return try await ingest.metric(#"stride_ingest_limiter_decisions_total{mode="fleet"}"#) > 10
            }
            try await eventually("what was not shown is mended", within: .seconds(20)) {
                try await stores.database.number("select count(*) from cache_marks") == 0
            }
            #expect(try await ingest.metric("stride_redis_breaker_openings_total") >= 1)
        }
    }
}
