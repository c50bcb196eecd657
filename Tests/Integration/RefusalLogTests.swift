import Glibc
import StrideTestSupport
import Telemetry
import Testing

@testable import IngestService

/// What an operator finds in the log when something was not taken: the ids of the calls, and the reason.
@Suite(.serialized) struct RefusalLogTests {
    private static func walk(_ steps: Int = 1) -> JSON {
        workout(from: "2025-06-10T08:00:00Z", to: "2025-06-10T09:00:00Z", steps: steps)
    }

    @Test("The items of a batch that are to come again are counted by reason and logged with the call's id")
    func items() async throws {
        try await Self.run(["STRIDE_USER_RATE_PER_MINUTE": "1", "STRIDE_USER_BURST": "5"]) { stand, log in
            // One has a fault: that is no reason to send it again.
            let walks = (0..<7).map { Self.walk($0 == 2 ? -1 : 1) }
            let answer = try await Self.post(walks, as: "walk-home-7", stand.phone())
            #expect(answer.status == 200)
            #expect(answer.json["results"].elements.map { $0["result"] }.suffix(2) == ["rejected", "rejected"])
            let lines = try log("items_refused")
            #expect(lines.count == 1)
            #expect(lines.first?["request_id"] == "walk-home-7" && lines.first?["service"] == "ingest")
            #expect(lines.first?["reason"] == "user_rate" && lines.first?["items"] == 2)
            for (reason, count) in ["user_rate": 2.0, "overload": 0, "store_unavailable": 0, "draining": 0] {
                let series = "stride_refused_items_total{service=\"ingest\",reason=\"\(reason)\"}"
                #expect(stand.ingest.metric(series) == count, "\(series)")
            }
            #expect(stand.ingest.metric(#"stride_refused_requests_total{service="ingest",reason="user_rate"}"#) == 0)
        }
    }

    @Test("A row that the database refuses names its own call in the log, not those that shared the transaction")
    func row() async throws {
        try await Self.run(["STRIDE_INGEST_LANES": "1"]) { stand, log in
            try await stand.stores.database.run(
                "alter table workouts add constraint no_sevens check (steps <> 7777)")
            let phones = try (0..<3).map { try stand.phone("walker-\($0)") }
            try await stand.stores.database.whileLocked("users") { unlock in
                async let first = Self.post([Self.walk()], as: "before", phones[0])
                try await eventually("the first waits") { try await stand.stores.database.waitingForLocks() > 0 }
                // These two wait together and become one transaction.
                async let spoilt = Self.post([Self.walk(), Self.walk(7777)], as: "spoilt", phones[1])
                async let sound = Self.post([Self.walk()], as: "sound", phones[2])
                try await eventually("three more wait") {
                    stand.ingest.metric("stride_ingest_queued_workouts") == 3
                }
                try await unlock()
                #expect(try await first.json["results"][0]["result"] == "created")
                #expect(try await sound.json["results"][0]["result"] == "created")
                let results = try await spoilt.json["results"].elements
                #expect(results.map { $0["result"] } == ["created", "rejected"])
                #expect(results.last?["code"] == "INTERNAL")
            }
            let lines = try log("batch_failed")
            #expect(lines.count == 1)
            #expect(lines.first?["request_ids"] == "spoilt")
            #expect(lines.first?["calls"] == 1 && lines.first?["workouts"] == 1)
            #expect(lines.first?["error"].string?.contains("23514") == true)
        }
    }

    @Test("A batch that is written at its second try, since a table was locked for a while, is no failure in the log")
    func lockedForAWhile() async throws {
        try await Self.run(["STRIDE_INGEST_LOCK_MS": "100", "STRIDE_INGEST_LANES": "1"]) { stand, log in
            try await stand.stores.database.whileLocked("users") { unlock in
                async let written = Self.post([Self.walk()], as: "written", stand.phone())
                try await eventually("it waits") { try await stand.stores.database.waitingForLocks() > 0 }
                try await Task.sleep(for: .milliseconds(400))
                try await unlock()
                #expect(try await written.json["results"][0]["result"] == "created")
            }
            #expect(try log("batch_failed").isEmpty)
        }
    }

    @Test("While a table is locked the log names every call that failed, a deletion too")
    func locked() async throws {
        try await Self.run(["STRIDE_INGEST_STATEMENT_MS": "1000", "STRIDE_INGEST_LANES": "1"]) { stand, log in
            let phone = try stand.phone()
            let id = try #require(try await phone.post(Self.walk()).json["workout_id"].int)
            try await stand.stores.database.whileLocked("users") { unlock in
                async let written = Self.post([Self.walk(), Self.walk()], as: "written", phone)
                async let deleted = phone.send(
                    "DELETE", "/v1/workouts/\(id)", fields: [("X-Request-Id", "deleted")])
                #expect(try await written.status == 503)
                #expect(try await deleted.status == 503)
                try await unlock()
            }
            let failed = try log("batch_failed")
            #expect(failed.map { $0["request_ids"] } == ["written"])
            #expect(failed.first?["workouts"] == 2)
            #expect(try log("store_failed").map { $0["request_id"] } == ["deleted"])
        }
    }

    private static func post(_ walks: [JSON], as id: String, _ phone: Phone) async throws -> HTTPAnswer {
        let body = JSON.object(["workouts": .array(walks)])
        return try await phone.send(
            "POST", "/v1/workouts/batch", body: Array(body.text.utf8), fields: [("X-Request-Id", id)])
    }

    /// A stand whose log can be read by message.
    private static func run(
        _ settings: [String: String],
        _ body: @Sendable (Stand, _ log: @Sendable (String) throws -> [JSON]) async throws -> Void
    ) async throws {
        let folder = try TestFolder()
        let file = open(folder.path + "/log", O_WRONLY | O_CREAT | O_APPEND, 0o600)
        let sink = try LogSink(
            descriptor: file, service: "ingest", minimumLevel: .info, metrics: MetricRegistry())
        close(file)
        try await Stand.run(settings: settings, logger: Logger(sink)) { stand in
            try await body(stand) { message in
                #expect(sink.flush(within: .seconds(60)))
                return try folder.read("log").split(separator: "\n").map { try JSON(parsing: Array($0.utf8)) }
                    .filter { $0["msg"] == .string(message) }
            }
        }
        _ = sink.shutdown(within: .seconds(60))
    }
}
