import StrideTestSupport
import Testing

/// Who is let in when more comes than can be written, and what those cost who are not.
@Suite(.serialized) struct AdmissionTests {
    private static func walk() -> JSON {
        workout(from: "2025-06-10T08:00:00Z", to: "2025-06-10T09:00:00Z", steps: 1, metres: 1)
    }

    private static func decisions(_ stand: Stand, _ mode: String) -> Double {
        stand.ingest.metric("stride_ingest_limiter_decisions_total{mode=\"\(mode)\"}")
    }

    @Test("B1: while a transaction stands still newcomers are refused before anything is read, counted or written")
    func refusedEarly() async throws {
        // Nobody is let in once the oldest has waited for one second.
        let settings = ["STRIDE_INGEST_LANES": "1", "STRIDE_INGEST_QUEUE_MS": "8000"]
        try await Stand.run(settings: settings) { stand in
            try await stand.stores.database.whileLocked("users") { unlock in
                async let first = stand.phone().post(Self.walk())
                try await eventually("the first waits for the lock") {
                    try await stand.stores.database.waitingForLocks() > 0
                }
                async let second = stand.phone().post(Self.walk())
                try await eventually("the second waits for the first") {
                    stand.ingest.metric("stride_ingest_queued_workouts") == 1
                }
                try await Task.sleep(for: .milliseconds(1100))
                let asked = Self.decisions(stand, "fleet")
                let flooder = try stand.phone()
                for round in 0..<20 {
                    let answer =
                        round % 2 == 0
                        ? try await flooder.post(Self.walk()) : try await flooder.send("POST", "/v1/workouts", body: [])
                    #expect(answer.status == 503)
                    #expect(answer.json["code"] == "TRY_AGAIN_LATER" && answer.json["reason"] == "overload")
                    // As long as the oldest has waited, at least.
                    #expect((answer.json["retry_after_ms"].int ?? 0) >= 1000)
                    #expect(answer["RateLimit"] != nil && answer["RateLimit-Policy"] != nil)
                }
                #expect(Self.decisions(stand, "fleet") == asked)
                #expect(try await stand.stores.database.waitingForLocks() == 1)
                try await unlock()
                #expect(try await first.status == 201)
                #expect(try await second.status == 201)
            }
            #expect(stand.ingest.metric(#"stride_ingest_workouts_total{result="overload"}"#) == 20)
            let late = try stand.phone()
            try await eventually("it takes workouts again") { try await late.post(Self.walk()).status < 300 }
            #expect(try await stand.stores.database.number("select count(*) from workouts") == 3)
        }
    }

    @Test("Two hundred who are refused together are told times that are apart: no tenth of a second has half of them")
    func spread() async throws {
        let settings = ["STRIDE_INGEST_LANES": "1", "STRIDE_INGEST_QUEUE": "1"]
        try await Stand.run(settings: settings) { stand in
            try await stand.stores.database.whileLocked("users") { unlock in
                async let first = stand.phone().post(Self.walk())
                try await eventually("the first waits for the lock") {
                    try await stand.stores.database.waitingForLocks() > 0
                }
                async let second = stand.phone().post(Self.walk())
                try await eventually("the second waits for the first") {
                    stand.ingest.metric("stride_ingest_queued_workouts") == 1
                }
                let phone = try stand.phone()
                var waits: [Int] = []
                for _ in 0..<200 {
                    let answer = try await phone.post(Self.walk())
                    #expect(answer.status == 503)
                    waits.append(answer.json["retry_after_ms"].int ?? 0)
                }
                let tenths = Dictionary(grouping: waits) { $0 / 100 }
                #expect(waits.allSatisfy { $0 > 100 })
                #expect(tenths.values.allSatisfy { $0.count < 100 })
                try await unlock()
                #expect(try await first.status == 201)
                #expect(try await second.status == 201)
            }
        }
    }

    @Test("B8: one user's flood is refused from memory: it asks Redis once a second at most, and others are served")
    func flood() async throws {
        // Five at once, then one a minute.
        let settings = ["STRIDE_USER_RATE_PER_MINUTE": "1", "STRIDE_USER_BURST": "5"]
        try await Stand.run(settings: settings) { stand in
            let flooder = try stand.phone()
            let before = Self.decisions(stand, "fleet")
            let start = ContinuousClock.now
            var statuses: [Int] = []
            for _ in 0..<200 { statuses.append(try await flooder.post(Self.walk()).status) }
            let taken = statuses.count { $0 == 201 }
            // Five, and one for each minute that a busy machine has needed.
            let minutes = Int((ContinuousClock.now - start) / .seconds(60))
            #expect(taken >= 5 && taken <= 6 + minutes)
            #expect(statuses.count { $0 == 429 } == 200 - taken)
            #expect(Self.decisions(stand, "known") == Double(200 - taken))
            #expect(Self.decisions(stand, "fleet") == before + Double(taken))
            #expect(try await stand.phone().post(Self.walk()).status == 201)
        }
    }

    @Test("The fleet's budget holds over two processes: a thousand at once, the rest comes in when told to come back")
    func fleet() async throws {
        let settings = ["STRIDE_INGEST_FLEET_RATE": "1000"]
        try await Stand.run(settings: settings) { stand in
            let other = try await InProcessIngest.start(stand.stores, settings: settings)
            let phone = try stand.stores.phone(newRequestID(), ports: [stand.ingest.port, other.port])
            let clock = ContinuousClock()
            let begin = clock.now
            // All at once, so that each asks before any is written, however busy the machine is.
            let (written, refused) = try await withThrowingTaskGroup(of: (Int, Int).self) { group in
                for place in 0..<12 { group.addTask { try await Self.untilTaken(500, by: phone, via: place) } }
                return try await group.reduce((0, 0)) { ($0.0 + $1.0, $0.1 + $1.1) }
            }
            let seconds = Double((clock.now - begin) / .milliseconds(1)) / 1000
            #expect(written == 6000)
            #expect(refused > 0)
            // What is earned meanwhile, and a second's worth in advance.
            #expect(Double(written) <= 1000 * (seconds + 1) + 1, "\(seconds)")
            await other.stop()
        }
    }

    /// Sends a batch and comes back as it is told; how many were written, and how often it was refused.
    private static func untilTaken(_ count: Int, by phone: Phone, via place: Int) async throws -> (Int, Int) {
        let batch = (0..<count).map { _ in walk() }
        var refused = 0
        while true {
            let answer = try await phone.postBatch(batch, via: place)
            guard answer.status == 503 else {
                #expect(answer.status == 200)
                return (answer.json["results"].elements.count { $0["result"] == "created" }, refused)
            }
            refused += 1
            #expect(answer.json["reason"] == "overload")
            let wait = try #require(answer.json["retry_after_ms"].int)
            #expect(wait > 0 && wait < 10_000)
            try await Task.sleep(for: .milliseconds(wait))
        }
    }
}
