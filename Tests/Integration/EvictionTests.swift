import Redis
import StrideTestSupport
import Testing

@testable import IngestService

/// A cache that is full: homes go, budgets stay.
@Suite(.serialized) struct EvictionTests {
    private static func walk() -> JSON {
        workout(from: "2025-06-10T08:00:00Z", to: "2025-06-10T09:00:00Z", steps: 1, metres: 1)
    }

    @Test("B6: a full cache evicts homes, and never a budget that is counted apart")
    func full() async throws {
        try await TestStores.run { stores in
            let cache = try await TestRedis.own(on: stores.loop) {
                ["--maxmemory", "4mb", "--maxmemory-policy", "allkeys-lru"]
            }
            defer { cache.end() }
            // Five at once, then one a minute; nobody remembers over a restart.
            let settings = [
                "STRIDE_REDIS_URL": cache.url, "STRIDE_BUDGET_REDIS_URL": stores.redis.url,
                "STRIDE_USER_RATE_PER_MINUTE": "1", "STRIDE_USER_BURST": "5",
            ]
            let first = try await InProcessIngest.start(stores, settings: settings)
            let phone = try stores.phone(newRequestID(), ports: [first.port])
            for _ in 0..<5 { #expect(try await phone.post(Self.walk()).status == 201) }
            let home = "stride:{\(phone.user)}:home"
            try await eventually("the home is there") { try await cache.send("EXISTS", home).number == 1 }
            let filler = String(repeating: "x", count: 10_000)
            for number in 0..<800 { _ = try await cache.send("SET", "filler:\(number)", filler) }
            #expect(try await cache.send("EXISTS", home).number == 0)
            #expect(try await cache.send("EXISTS", "stride:{\(phone.user)}:budget:workouts").number == 0)
            await first.stop()

            let second = try await InProcessIngest.start(stores, settings: settings)
            let again = try stores.phone(newRequestID(), ports: [second.port])
            var same = phone
            same.ports = again.ports
            // A burst that was evicted would be five again; on a busy machine one or two are earned by now.
            var taken = 0
            while taken < 5, try await same.post(Self.walk()).status == 201 { taken += 1 }
            #expect(taken < 5)
            #expect(try await again.post(Self.walk()).status == 201)
            await second.stop()
        }
    }
}
