import Redis
import StrideTestSupport
import Testing

/// The whole cache is gone while everybody looks.
@Suite(.serialized) struct ColdCacheTests {
    private static let users = 40
    private static let readers = 6

    @Test("C5: a cold cache at peak costs one query per user and process, and everybody is answered")
    func coldAtPeak() async throws {
        // The check would read homes too.
        let settings = ["STRIDE_PROGRESS_CHECK_MS": "0", "STRIDE_PROGRESS_FILL_QUEUE_MS": "60000"]
        try await Fleet.run(ownRedis: true, now: Promise.now, settings: settings) { fleet in
            let other = try await ServiceProcess.start(
                fleet.stores, .progress, name: "other",
                settings: settings.merging(["STRIDE_TEST_NOW": "\(instant(Promise.now))"]) { $1 })
            defer { other.kill() }
            var people: [Person] = []
            for number in 0..<Self.users { people.append(try await Promise.warm(fleet, steps: 100 + number)) }
            let processes = [fleet.progress, other]
            for round in 1...5 {
                let (before, hitches) = try await (Self.homes(processes), Self.hitches(processes))
                try await fleet.stores.redis.send("FLUSHALL")
                let found = try await withThrowingTaskGroup(of: (Int, HTTPAnswer).self) { group in
                    for (number, person) in people.enumerated() {
                        for process in processes {
                            var moved = person.phone
                            moved.ports[2] = process.port
                            let reader = Person(phone: moved)
                            for _ in 0..<Self.readers {
                                group.addTask { (number, try await reader.get("/v1/progressSummary")) }
                            }
                        }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                #expect(found.count == Self.users * Self.readers * processes.count)
                for (number, answer) in found {
                    #expect(answer.status == 200, "\(answer)")
                    #expect(answer.json["currentDaySteps"].int == 100 + number)
                }
                let queries = zip(before, try await Self.homes(processes)).map { $1 - $0 }
                print("cold cache, round \(round): \(queries) queries for \(Self.users) users")
                // Whom Redis did not answer in time, on a busy machine, is read once more.
                let late = zip(hitches, try await Self.hitches(processes)).map { $1 - $0 }
                for (count, late) in zip(queries, late) { #expect(count <= Self.users + late) }
                #expect(queries.reduce(0, +) >= Self.users)
            }
            try await Promise.expectAgreement(fleet)
        }
    }

    /// How many homes each process has read from PostgreSQL so far.
    private static func homes(_ processes: [ServiceProcess]) async throws -> [Int] {
        try await sums(of: [#"stride_progress_database_reads_total{kind="home"}"#], processes)
    }

    /// How often Redis has failed each process so far.
    private static func hitches(_ processes: [ServiceProcess]) async throws -> [Int] {
        try await sums(
            of: [#"stride_progress_cache_reads_total{result="error"}"#, "stride_progress_cache_fills_lost_total"],
            processes)
    }

    private static func sums(of series: [String], _ processes: [ServiceProcess]) async throws -> [Int] {
        var sums: [Int] = []
        for process in processes {
            var sum = 0
            for name in series { sum += try await process.metric(name) }
            sums.append(sum)
        }
        return sums
    }
}
