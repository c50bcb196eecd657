import Redis
import Telemetry
import Testing

@testable import ServiceKit

@Suite("The figures of a second")
struct StatisticsSourceTests {
    @Test("are what the metrics gained: workouts by what became of them, calls by status, times by percentile")
    func figures() throws {
        let registry = MetricRegistry()
        let shard = registry.makeShard()
        func workouts(_ result: String) throws -> Counter {
            try registry.counter("stride_ingest_workouts_total", help: "W.", labels: ["result": result])
        }
        for result in ["created", "duplicate", "updated", "conflict", "faulty", "user_rate", "overload"] {
            try workouts(result).increment(by: 1000, in: shard)
        }
        let calls = try registry.histogram(
            "http_server_request_duration_seconds", help: "C.", labels: ["http_response_status_code": "201"],
            bounds: [0.01, 0.1])
        let failures = try registry.histogram(
            "http_server_request_duration_seconds", help: "C.", labels: ["http_response_status_code": "500"],
            bounds: [0.01, 0.1])
        let sizes = try registry.histogram("stride_ingest_batch_size", help: "B.", bounds: Histogram.countBounds)
        let queued = try registry.gauge("stride_ingest_queued_workouts", help: "Q.")
        let hits = try registry.counter("stride_ingest_cache_reads_total", help: "H.", labels: ["result": "hit"])
        calls.observe(5, in: shard)
        let earlier = registry.read()

        try workouts("created").increment(by: 70, in: shard)
        try workouts("updated").increment(by: 2, in: shard)
        try workouts("duplicate").increment(by: 9, in: shard)
        try workouts("conflict").increment(by: 1, in: shard)
        try workouts("faulty").increment(by: 3, in: shard)
        try workouts("user_rate").increment(by: 5, in: shard)
        for _ in 0..<10 { calls.observe(0.005, in: shard) }
        failures.observe(0.05, in: shard)
        for size in [10.0, 20, 51] { sizes.observe(size, in: shard) }
        queued.set(7, in: shard)
        hits.increment(by: 4, in: shard)
        let record = StatisticsSource(service: "ingest").record(from: earlier, to: registry.read(), span: 1003)

        #expect(record[.span] == 1003)
        #expect(record[.requests] == 11)
        #expect(record[.accepted] == 72)
        #expect(record[.duplicates] == 9)
        #expect(record[.faulty] == 4)
        #expect(record[.failed] == 1)
        #expect(record[.refusedUserRate] == 5)
        #expect(record[.refusedOverload] == 0)
        #expect(record.refused == 5)
        // 81 workouts in three transactions.
        #expect(record[.batches] == 3)
        #expect(record[.batchSize] == 27)
        #expect(record[.queued] == 7)
        #expect(record[.cacheHits] == 4)
        // The 5.5th of ten that took up to 10 ms; the 10.89th is the 0.89th of the one between 10 and 100 ms.
        #expect(record[.requestMedian] == 5500)
        #expect(record[.requestHigh] == 90_100)
        // Ingest has no queue times here, and no fleet budget.
        #expect(record[.queueHigh] == nil)
        #expect(record[.leases] == nil)
    }

    @Test("of a service without workouts speak of calls, and of the reasons that its answers gave")
    func otherServices() throws {
        let registry = MetricRegistry()
        for (status, count) in [(200, 5), (304, 2), (404, 3), (429, 4), (503, 6), (500, 1)] {
            let calls = try registry.histogram(
                "http_server_request_duration_seconds", help: "C.",
                labels: ["http_response_status_code": "\(status)"], bounds: [1])
            for _ in 0..<count { calls.observe(0.5) }
        }
        for (reason, count) in [("user_rate", 4 as UInt64), ("store_unavailable", 6)] {
            try registry.counter("stride_refused_requests_total", help: "R.", labels: ["reason": reason])
                .increment(by: count)
        }
        let record = StatisticsSource(service: "plan").record(from: MetricReading(), to: registry.read(), span: 1000)
        #expect(record[.requests] == 21)
        #expect(record[.accepted] == 7)
        #expect(record[.faulty] == 3)
        #expect(record[.failed] == 1)
        #expect(record[.refusedUserRate] == 4)
        #expect(record[.refusedStore] == 6)
        #expect(record[.duplicates] == nil && record[.cacheHits] == nil)
    }

    @Test("of several instances: counts add up, the worst time counts, a mean is weighted")
    func merged() {
        let one = StatisticsRecord(
            Self.fields(["accepted": 10, "commit_p99_us": 900, "batches": 1, "batch_size": 10]))
        let other = StatisticsRecord(
            Self.fields(["accepted": 90, "commit_p99_us": 70, "batches": 3, "batch_size": 30]))
        let idle = StatisticsRecord(Self.fields(["accepted": 0]))
        let merged = StatisticsRecord.merge([one, other, idle])
        #expect(merged[.accepted] == 100)
        #expect(merged[.commitHigh] == 900)
        #expect(merged[.batchSize] == 25)
        #expect(merged[.queued] == nil)
        #expect(StatisticsRecord.merge([StatisticsRecord]()) == StatisticsRecord())
    }

    @Test("as of exactly a second: counts shrink with the time that they are of, readings stay as they are")
    func perSecond() {
        let record = StatisticsRecord(
            Self.fields(["span_ms": 2000, "accepted": 301, "queued": 9, "commit_p99_us": 70, "batch_size": 5]))
        let second = record.perSecond
        #expect(second[.span] == 1000)
        #expect(second[.accepted] == 151)
        #expect(second[.queued] == 9 && second[.commitHigh] == 70 && second[.batchSize] == 5)
        #expect(StatisticsRecord().perSecond == StatisticsRecord())
    }

    @Test("are read back from fields in any order, what is unknown or no number being left out")
    func parsed() {
        let record = StatisticsRecord(
            Self.fields(["users": 5]) + [.bulk(Array("at".utf8)[...]), .integer(7)]
                + [.bulk(Array("loops".utf8)[...]), .bulk(Array("many".utf8)[...]), .null])
        #expect(record.entries.map(\.field) == [.users])
    }

    @Test("an instance is called by names that neither a key nor a shell minds")
    func names() {
        #expect(StatisticsKeys.instance(service: "plan", host: "pod-1.a_b", port: 8082) == "plan/pod-1.a_b:8082")
        #expect(StatisticsKeys.instance(service: "plan", host: "a{b} c/d\n", port: 1) == "plan/a-b--c-d-:1")
    }

    private static func fields(_ values: KeyValuePairs<String, Int64>) -> [RESPValue] {
        values.flatMap { [.bulk(Array($0.key.utf8)[...]), .bulk(Array("\($0.value)".utf8)[...])] }
    }
}
