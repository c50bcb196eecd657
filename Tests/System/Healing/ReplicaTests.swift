import StrideTestSupport
import Testing

/// Progress reads from a standby, and whoever was acknowledged a write sees it all the same.
@Suite(.serialized) struct ReplicaTests {
    private static let usedSeries = #"stride_progress_replica_reads_total{answered_by="replica"}"#
    private static let behindSeries = #"stride_progress_replica_reads_total{answered_by="primary"}"#

    /// Lends services whose progress reads from a standby of their PostgreSQL.
    private func run(_ body: @Sendable (Fleet, TestPostgres) async throws -> Void) async throws {
        let primary = try await TestPostgres.start()
        let standby = try await primary.startStandby()
        try await TestStores.run(ownRedis: true, postgres: primary.url()) { stores in
            let url = "postgresql://stride@127.0.0.1:\(standby.port)/\(stores.database.name)"
            let settings = ["STRIDE_PROGRESS_READ_URL": url, "STRIDE_PROGRESS_CHECK_MS": "0"]
            let fleet = try await Fleet.start(stores, now: Promise.now, settings: settings, inPairs: false)
            defer { fleet.kill() }
            try await body(fleet, standby)
        }
    }

    /// Reads workouts until the standby has answered; how many there were.
    private func readFromStandby(_ fleet: Fleet, _ person: Person) async throws -> Int {
        var count = 0
        try await eventually("the standby answers") {
            let before = try await fleet.progress.metric(Self.usedSeries)
            count = try await person.get("/v1/workouts").json.elements.count
            return try await fleet.progress.metric(Self.usedSeries) > before
        }
        return count
    }

    @Test("A standby answers what it has whole; while it is behind, or gone, the primary does")
    func behind() async throws {
        try await run { fleet, standby in
            let anna = try await Promise.warm(fleet)
            #expect(try await readFromStandby(fleet, anna) == 1)

            try await standby.sql("select pg_wal_replay_pause()")
            let late = Promise.workout(at: "09", day: "2026-09-02", steps: 300)
            #expect(try await anna.post(Promise.workout(at: "09", steps: 100), late).status == 200)
            let (used, behind) = (
                try await fleet.progress.metric(Self.usedSeries), try await fleet.progress.metric(Self.behindSeries)
            )
            // Every kind of read, and a home that fills an empty cache.
            try await fleet.stores.redis.send("FLUSHALL")
            #expect(try await anna.get("/v1/workouts").json.elements.count == 3)
            #expect(try await anna.get("/v1/changes").json["workouts"].elements.count == 3)
            #expect(
                try await anna.get("/v1/days?from=2026-09-01&to=2026-09-03").json["days"].elements[1]["steps"] == 300)
            #expect(try await Promise.steps(of: anna) == 5100)
            #expect(try await Promise.steps(of: anna) == 5100)
            #expect(try await fleet.progress.metric(Self.usedSeries) == used)
            #expect(try await fleet.progress.metric(Self.behindSeries) >= behind + 4)

            try await standby.sql("select pg_wal_replay_resume()")
            #expect(try await readFromStandby(fleet, anna) == 3)
            standby.kill()
            #expect(try await anna.get("/v1/workouts").json.elements.count == 3)
            try await standby.start()
            #expect(try await readFromStandby(fleet, anna) == 3)
            try await Promise.expectAgreement(fleet)
        }
    }

    @Test("A standby that has gone a way of its own is not asked, however high its revisions are")
    func diverged() async throws {
        try await run { fleet, standby in
            let anna = try await Promise.warm(fleet)
            #expect(try await readFromStandby(fleet, anna) == 1)
            try await standby.promote()
            let name = fleet.stores.database.name
            try await standby.sql("update users set revision = revision + 1000", in: name)
            try await standby.sql("update workouts set steps = 1, revision = revision + 1000", in: name)
            let primarySeries = #"stride_progress_database_reads_total{kind="workouts"}"#
            try await eventually("the standby is no longer asked") {
                let before = try await fleet.progress.metric(primarySeries)
                _ = try await anna.get("/v1/workouts")
                return try await fleet.progress.metric(primarySeries) > before
            }
            let used = try await fleet.progress.metric(Self.usedSeries)
            for _ in 1...20 { #expect(try await anna.get("/v1/workouts").json.elements[0]["steps"] == 5000) }
            #expect(try await fleet.progress.metric(Self.usedSeries) == used)
        }
    }
}
