import Postgres
import ServiceKit
import StrideTestSupport
import Testing

@testable import IngestService

/// A database that is there and does not get on: callers are answered at their deadlines and nothing piles up.
@Suite(.serialized) struct LockedTableTests {
    private static let walk = workout(from: "2025-06-10T08:00:00Z", to: "2025-06-10T09:00:00Z", steps: 1)
    private static let impatient = [
        "STRIDE_INGEST_STATEMENT_MS": "700", "STRIDE_INGEST_QUEUE_MS": "1500", "STRIDE_INGEST_LANES": "2",
    ]

    @Test(
        "P7: a table locked for longer than the deadline: 503 at the deadline, the pool survives",
        arguments: [
            "users", "workouts", "daily_totals",
        ])
    func locked(_ table: String) async throws {
        try await Stand.run(settings: Self.impatient) { stand in
            let phone = try stand.phone()
            let id = try #require(try await phone.post(Self.walk).json["workout_id"].int)
            try await stand.stores.database.whileLocked(table) { unlock in
                let clock = ContinuousClock()
                for _ in 0..<2 {
                    let begin = clock.now
                    let answers = try await withThrowingTaskGroup(of: HTTPAnswer.self) { group in
                        for _ in 0..<10 {
                            let body = Self.walk.with(["requestId": .string(newRequestID())])
                            group.addTask { try await stand.phone().post(body) }
                        }
                        group.addTask { try await phone.delete(id) }
                        return try await group.reduce(into: []) { $0.append($1) }
                    }
                    for answer in answers {
                        #expect(answer.status == 503)
                        #expect(["store_unavailable", "overload"].contains(answer.json["reason"]))
                        #expect((answer.json["retry_after_ms"].int ?? 0) > 0)
                    }
                    #expect(answers.contains { $0.json["reason"] == "store_unavailable" })
                    // 0.7 s and what waited behind it; the rest is for a busy machine. Far below the lock's own time.
                    #expect(clock.now - begin < .seconds(12))
                }
                try await unlock()
            }
            #expect(try await phone.delete(id).status == 204)
            let written = try stand.phone()
            try await eventually("it writes again") { try await written.post(Self.walk).status < 300 }
            // Two lanes and one more; given-up sessions have left.
            try await eventually("the sessions are those of the pool") {
                try await stand.stores.database.number(
                    "select count(*) from pg_stat_activity where datname = current_database() and application_name = 'stride-ingest'"
                ) <= 4
            }
            #expect(try await stand.days(of: written) == ["2025-06-10": DayFigures(1, 0, 1)])
        }
    }

    @Test("A row that stays locked makes its user 503, and nobody who waits with that user")
    func heldUser() async throws {
        let settings = [
            "STRIDE_INGEST_LANES": "1", "STRIDE_INGEST_LOCK_MS": "2000", "STRIDE_INGEST_QUEUE_MS": "30000",
        ]
        try await Stand.run(settings: settings) { stand in
            let phone = try stand.phone()
            #expect(try await phone.post(Self.walk).status == 201)
            let lock = "select from users where user_id = '\(phone.user)' for update"
            try await stand.stores.database.whileHolding(lock) { unlock in
                let bodies = (0..<22).map { _ in Self.walk.with(["requestId": .string(newRequestID())]) }
                async let first = phone.post(bodies[0])
                try await eventually("the first waits for the lock") {
                    try await stand.stores.database.waitingForLocks() > 0
                }
                // These wait together and become one transaction.
                async let second = phone.post(bodies[1])
                let others = try await withThrowingTaskGroup(of: HTTPAnswer.self) { group in
                    for body in bodies[2...] { group.addTask { try await stand.phone().post(body) } }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                #expect(others.map(\.status) == Array(repeating: 201, count: 20))
                for answer in try await [first, second] {
                    #expect(answer.status == 503 && answer.json["reason"] == "store_unavailable")
                    #expect((answer.json["retry_after_ms"].int ?? 0) > 0)
                }
                // Nobody waits for that row again: five times would take ten seconds.
                let begin = ContinuousClock.now
                for _ in 0..<5 {
                    #expect(try await phone.post(bodies[0]).status == 503)
                    #expect(try await stand.phone().post(Self.walk).status == 201)
                }
                #expect(ContinuousClock.now - begin < .seconds(8))
                try await unlock()
                for body in bodies[..<2] { #expect(try await phone.post(body).status == 201) }
            }
            #expect(try await stand.stores.database.number("select count(*) from workouts") == 28)
            #expect(try await stand.days(of: phone) == ["2025-06-10": DayFigures(3, 0, 3)])
        }
    }

    @Test("A queue that is full refuses at once with 503 overload, one that does not move after its patience")
    func overload() async throws {
        let settings = [
            "STRIDE_INGEST_LANES": "1", "STRIDE_INGEST_QUEUE": "3", "STRIDE_INGEST_QUEUE_MS": "1000",
            "STRIDE_INGEST_STATEMENT_MS": "30000", "STRIDE_INGEST_LOCK_MS": "30000",
        ]
        try await Stand.run(settings: settings) { stand in
            try await stand.stores.database.whileLocked("users") { unlock in
                async let first = stand.phone().post(Self.walk)
                try await eventually("the first waits for the lock") {
                    try await stand.stores.database.waitingForLocks() > 0
                }
                let answers = try await withThrowingTaskGroup(of: HTTPAnswer.self) { group in
                    for _ in 0..<10 { group.addTask { try await stand.phone().post(Self.walk) } }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                // Three waited for a second, seven were refused at once.
                for answer in answers {
                    #expect(answer.status == 503)
                    #expect(answer.json["code"] == "TRY_AGAIN_LATER" && answer.json["reason"] == "overload")
                    #expect((answer.json["retry_after_ms"].int ?? 0) > 100)
                    #expect(Int(answer["Retry-After"] ?? "") ?? 0 >= 1)
                    #expect(answer["RateLimit"] != nil)
                }
                try await unlock()
                #expect(try await first.status == 201)
            }
            #expect(stand.ingest.metric("stride_ingest_queued_workouts") == 0)
            #expect(stand.ingest.metric(#"stride_ingest_workouts_total{result="overload"}"#) == 10)
            #expect(try await stand.phone().post(Self.walk).status == 201)
            #expect(try await stand.stores.database.number("select count(*) from workouts") == 2)
        }
    }

    @Test("P5: with statements that are not kept prepared everything works as well")
    func unnamedStatements() async throws {
        try await Stand.run { configuration in
            configuration.service.postgres.usesNamedStatements = false
        } _: { stand in
            let phone = try stand.phone()
            for _ in 0..<3 { #expect(try await phone.post(Self.walk).status < 300) }
            #expect(try await stand.days(of: phone) == ["2025-06-10": DayFigures(1, 0, 1)])
        }
    }
}
