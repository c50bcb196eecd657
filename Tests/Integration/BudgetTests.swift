import Glibc
import Redis
import ServiceKit
import StrideTestSupport
import Testing

@testable import IngestService

/// What one user may send, counted in Redis for the fleet and by each loop while Redis is away.
@Suite(.serialized) struct BudgetTests {
    /// Five at once, then one a second.
    private static let small = ["STRIDE_USER_RATE_PER_MINUTE": "60", "STRIDE_USER_BURST": "5"]
    /// Five at once, then one a minute: nothing comes back within a test.
    private static let slow = ["STRIDE_USER_RATE_PER_MINUTE": "1", "STRIDE_USER_BURST": "5"]

    private static func walks(_ count: Int) -> [JSON] {
        (0..<count).map { _ in
            workout(from: "2025-06-10T08:00:00Z", to: "2025-06-10T09:00:00Z", steps: 1, metres: 1)
        }
    }

    @Test("Without settings the budget is 60 a minute with a burst of 1000")
    func standardBudget() async throws {
        try await Stand.run(settings: ["STRIDE_USER_RATE_PER_MINUTE": "", "STRIDE_USER_BURST": ""]) { stand in
            let answer = try await stand.phone().post(Self.walks(1)[0])
            #expect(answer["RateLimit-Policy"] == #""workouts";q=1000;w=1000"#)
            #expect(answer["RateLimit"] == #""workouts";r=999;t=1"#)
        }
    }

    @Test("A batch beyond the budget is admitted from the front; the rest is told how long to wait")
    func partlyAdmitted() async throws {
        try await Stand.run(settings: Self.slow) { stand in
            let phone = try stand.phone()
            let walks = Self.walks(8)
            let answer = try await phone.postBatch(walks)
            #expect(answer.status == 200)
            let results = answer.json["results"].elements
            #expect(
                results.map { $0["result"] } == Array(repeating: "created", count: 5) + [
                    "rejected", "rejected", "rejected",
                ])
            for (place, result) in results.enumerated().dropFirst(5) {
                #expect(result.names == ["code", "detail", "requestId", "result", "retry_after_ms"])
                #expect(result["code"] == "TRY_AGAIN_LATER")
                #expect(result["requestId"] == walks[place]["requestId"])
                // The k-th of them fits after k minutes, less what has passed; jitter only adds.
                let wait = result["retry_after_ms"].int ?? 0
                #expect(wait > (place - 4) * 60_000 - 30_000 && wait <= (place - 4) * 90_000 + 1)
            }
            #expect(try await stand.days(of: phone) == ["2025-06-10": DayFigures(5, 5000, 5)])
        }
    }

    @Test("When nothing fits, single, batch and deletion are 429 user_rate with the wait, and other users are served")
    func refused() async throws {
        try await Stand.run(settings: Self.slow) { stand in
            let phone = try stand.phone()
            let walks = Self.walks(5)
            let first = try await phone.postBatch(walks)
            let id = first.json["results"][0]["workout_id"].int ?? 0
            for answer in [
                try await phone.post(walks[0]), try await phone.postBatch(walks), try await phone.delete(id),
            ] {
                #expect(answer.status == 429)
                #expect(answer["Content-Type"] == "application/problem+json")
                #expect(
                    answer.json.names == [
                        "code", "detail", "instance", "reason", "retry_after_ms", "status", "title", "type",
                    ])
                #expect(answer.json["code"] == "TRY_AGAIN_LATER" && answer.json["reason"] == "user_rate")
                let wait = answer.json["retry_after_ms"].int ?? 0
                #expect(wait > 30_000 && wait <= 90_001)
                #expect(answer["Retry-After"] == String((wait + 999) / 1000))
                #expect(answer["RateLimit-Policy"] == #""workouts";q=5;w=300"#)
                #expect(answer["RateLimit"]?.hasPrefix(#""workouts";r=0;t="#) == true)
            }
            #expect(try await stand.phone().post(walks[0]).status == 201)
            #expect(try await stand.days(of: phone) == ["2025-06-10": DayFigures(5, 5000, 5)])
        }
    }

    @Test("B4: a client that waits as long as it is told, with nothing else in flight, is admitted")
    func waits() async throws {
        try await Stand.run(settings: Self.small) { stand in
            let phone = try stand.phone()
            var waits = 0
            for walk in Self.walks(8) {
                var answer = try await phone.post(walk)
                if answer.status == 429 {
                    waits += 1
                    try await Task.sleep(for: .milliseconds(answer.json["retry_after_ms"].int ?? 0))
                    answer = try await phone.post(walk)
                }
                #expect(answer.status == 201)
            }
            #expect(waits > 0)
        }
    }

    @Test("Two processes count one user's budget together")
    func fleet() async throws {
        try await Stand.run(settings: Self.slow) { stand in
            let other = try await InProcessIngest.start(stand.stores, settings: Self.slow)
            let phone = try stand.stores.phone("walker", ports: [stand.ingest.port, other.port])
            try await other.awaitRedis(stand.stores.phone("probe", ports: [other.port]))
            var created = 0
            for (place, walk) in Self.walks(10).enumerated() {
                if try await phone.post(walk, via: place).status == 201 { created += 1 }
            }
            #expect(created == 5)
            await stand.stores.client.closeIdle()
            await other.stop()
        }
    }

    @Test("Redis killed, stopped and emptied: writes go on with local limits, and Redis is used again by itself")
    func withoutRedis() async throws {
        // Here Redis has its short bounds: a stopped one must not hold callers up.
        try await Stand.run(settings: Self.slow, ownRedis: true) { configuration in
            configuration.service.redis.commandTimeout = .milliseconds(200)
            configuration.service.redis.stallTimeout = .milliseconds(500)
            configuration.service.redis.connectTimeout = .seconds(1)
        } _: { stand in
            let local = #"stride_ingest_limiter_decisions_total{mode="local"}"#
            let fleet = #"stride_ingest_limiter_decisions_total{mode="fleet"}"#
            let redis = stand.stores.redis
            for isKilled in [true, false] {
                if isKilled { redis.kill() } else { redis.signal(SIGSTOP) }
                try await eventually("the limiter counts locally") {
                    let before = stand.ingest.metric(local)
                    _ = try await stand.phone().post(.object([:]))
                    return stand.ingest.metric(local) > before
                }
                let phone = try stand.phone()
                let results = try await phone.postBatch(Self.walks(8)).json["results"].elements
                #expect(results.count { $0["result"] == "created" } == 5)
                #expect(results.count { $0["code"] == "TRY_AGAIN_LATER" } == 3)
                #expect(try await phone.post(Self.walks(1)[0]).status == 429)
                #expect(
                    try await stand.stores.database.days(of: phone.user) == ["2025-06-10": DayFigures(5, 5000, 5)])
                if isKilled { try await redis.start() } else { redis.signal(SIGCONT) }
                try await eventually("the limiter counts in Redis") {
                    let before = stand.ingest.metric(fleet)
                    _ = try await stand.phone().post(.object([:]))
                    return stand.ingest.metric(fleet) > before
                }
                let later = try stand.phone()
                try await eventually("days are shown again") {
                    _ = try await later.post(Self.walks(1)[0])
                    let stored = try await stand.stores.database.revisedDays(of: later.user)
                    return try await redis.revisedDays(of: later.user) == stored && !stored.isEmpty
                }
            }
        }
    }

    @Test("B5: a counter leaves Redis by itself; one of a clock set back, without a life, or nonsense heals")
    func counterHeals() async throws {
        try await Stand.run(settings: Self.small) { stand in
            let redis = stand.stores.redis
            let phone = try stand.phone()
            let key = "stride:{\(phone.user)}:budget:workouts"
            #expect(try await phone.post(Self.walks(1)[0]).status == 201)
            let life = try #require(try await redis.send("PTTL", key).number)
            #expect(life > 0 && life <= 2000)
            // Far in the future, as after a clock that was set back; without a life; no number at all.
            for value in ["99999999999999999", "nonsense", "-5"] {
                _ = try await redis.send("SET", key, value)
                let answer = try await phone.post(Self.walks(1)[0])
                #expect([201, 429].contains(answer.status))
                try await eventually("the user is admitted", within: .seconds(20), every: .milliseconds(300)) {
                    try await phone.post(Self.walks(1)[0]).status == 201
                }
                #expect(try await redis.send("PTTL", key).number ?? -1 > 0)
            }
        }
    }
}
