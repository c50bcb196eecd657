import StrideTestSupport
import Testing

/// The drill of losing the database server: base backup, archived log, restore to a marker, and a cache that is ahead of it.
@Suite(.serialized) struct RestoreTests {
    @Test(
        "C2: a restored backup has everything up to its marker; the cache, which knows more, is right in 5 s, and phones fill the gap"
    )
    func restored() async throws {
        let primary = try await TestPostgres.start()
        try await primary.startArchiving()
        try await TestStores.run(ownRedis: true, postgres: primary.url()) { stores in
            let fleet = try await Fleet.start(stores, now: Promise.now)
            defer { fleet.kill() }
            let (anna, bert) = (try await Promise.warm(fleet), try await Promise.warm(fleet, steps: 300))
            let load = RepeatingLoad(stores: stores, port: fleet.ingest.port, seed: 11)
            async let outcomes = load.run()
            try await eventually("the load is under way") {
                try await stores.database.number("select count(*) from workouts") > 50
            }
            try await primary.backUp()
            let count = try await stores.database.number("select count(*) from workouts")
            try await eventually("the load has gone on behind the backup") {
                try await stores.database.number("select count(*) from workouts") > count + 50
            }
            load.stop()
            let walkers = try await outcomes
            #expect(try await anna.post(Promise.workout(at: "09", steps: 100)).status == 200)
            try await primary.mark("before-the-loss")

            // What comes now is in no archive, but it is answered and shown.
            let lost = Promise.workout(at: "10", steps: 33)
            #expect(try await anna.phone.post(lost).status == 201)
            #expect(try await bert.follow("after", from: "2026-11-30", [["steps": 8]]).status == 201)
            let followed = try await anna.get("/v1/changes")
            let cursor = try #require(followed.json["nextCursor"].string)
            #expect(try await Promise.steps(of: anna) == 5133)
            let other = try #require(try await bert.get("/v1/changes").json["nextCursor"].string)

            primary.killAll()
            let clock = ContinuousClock()
            let begin = clock.now
            let restored = try await primary.restored(to: "before-the-loss")
            print("restore: \(walkers.map(\.known.count).reduce(0, +)) workouts in \(clock.now - begin)")
            // As docs/scale-out.md tells operators; only for Bert, so that Anna shows what happens without.
            try await restored.sql(
                "update users set revision = revision + 1000000 where user_id = '\(bert.phone.user)'",
                in: stores.database.name)
            let next = Promise.workout(at: "11", steps: 0)
            try await eventually("the services have found it") {
                try await bert.phone.post(next).status < 300
            }
            try await Promise.expectKept(fleet)
            #expect(try await Promise.steps(of: anna) == 5100)
            #expect(try await bert.summary()["planName"] == "before")
            for walker in walkers { try await walker.expectRows(in: stores.database) }

            // A second device that has followed further than the database goes begins again; the phone's queue brings back what is lost.
            #expect(try await anna.get("/v1/changes?cursor=\(cursor)").status == 410)
            let again = try await anna.phone.post(lost)
            #expect(again.status == 201 && again.json["duplicate"] == false)
            #expect(try await Promise.steps(of: anna) == 5133)
            let later = try await bert.get("/v1/changes?cursor=\(other)")
            #expect(later.status == 200 && later.json["workouts"].elements.map { $0["steps"] } == [0])
            try await Promise.expectAgreement(fleet)
            withExtendedLifetime(restored) {}
        }
    }
}
