import StrideTestSupport
import Testing

@testable import IngestService

/// Which workouts share a transaction, and who waits for whom.
@Suite(.serialized) struct LaneTests {
    private static let settings = ["STRIDE_LOOPS": "1"]

    private static func walk() -> JSON {
        workout(from: "2025-06-10T08:00:00Z", to: "2025-06-10T09:00:00Z", steps: 1, metres: 1)
    }

    @Test("A batch call that waits for its user's row holds up no single workout of anybody else")
    func batchWaits() async throws {
        try await Stand.run(settings: Self.settings) { stand in
            let away = try stand.phone()
            #expect(try await away.post(Self.walk()).status == 201)
            let row = "select from users where user_id = '\(away.user)' for update"
            try await stand.stores.database.whileHolding(row) { unlock in
                async let batch = away.postBatch([Self.walk(), Self.walk()])
                try await eventually("the batch waits") { try await stand.stores.database.waitingForLocks() > 0 }
                // Of ten users dealt to two lanes by their ids, some would be behind it.
                for _ in 0..<10 { #expect(try await stand.phone().post(Self.walk()).status == 201) }
                try await unlock()
                #expect(try await batch.json["results"].elements.map { $0["result"] } == ["created", "created"])
            }
            #expect(try await stand.days(of: away) == ["2025-06-10": DayFigures(3, 3000, 3)])
        }
    }

    @Test("Single workouts of all users that wait are written in one transaction")
    func together() async throws {
        try await Stand.run(settings: Self.settings) { stand in
            let transactions = "stride_ingest_batch_size_count"
            try await stand.stores.database.whileLocked("users") { unlock in
                async let first = stand.phone().post(Self.walk())
                try await eventually("the first waits") { try await stand.stores.database.waitingForLocks() > 0 }
                async let others = withThrowingTaskGroup(of: Int.self) { group in
                    for _ in 0..<20 { group.addTask { try await stand.phone().post(Self.walk()).status } }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                try await eventually("the others wait") {
                    stand.ingest.metric("stride_ingest_queued_workouts") == 20
                }
                try await unlock()
                #expect(try await first.status == 201)
                #expect(try await others == Array(repeating: 201, count: 20))
            }
            #expect(stand.ingest.metric(transactions) == 2)
        }
    }
}
