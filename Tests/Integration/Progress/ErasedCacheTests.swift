import Models
import Postgres
import StrideTestSupport
import Testing

@testable import Storage

/// What a writer who was paused between its commit and the cache can still do after its user was erased: nothing.
@Suite struct ErasedCacheTests {
    @Test("A day of before the erasure that comes late is not shown, neither into an empty hash nor into a whole one")
    func lateWriter() async throws {
        try await World.run { world in
            let late = try await world.store.write(
                [try world.workout("ada", at: "2026-12-01T08:00:00Z", steps: 500)], on: world.connection)
            let user = try world.user("ada")
            let revision = try #require(late.days.first?.revision)
            // Everything goes, and the user's revision goes on.
            for sql in [
                "delete from workouts", "delete from daily_totals", "update users set revision = revision + 1",
            ] { _ = try await world.connection.query(.simple(sql), timeout: .seconds(20)) }
            let cache = try await world.cache()
            try await cache.drop([user])

            // The writer goes on while nobody has read the user yet.
            try await cache.show(late.days)
            let missing = try await cache.read(user)
            #expect(missing == nil)
            let lease = try await cache.lease(user)
            let home = try await HomeReader(timeout: .seconds(20)).read(
                user, from: HomeReader.firstDay(at: world.now), on: world.connection)
            #expect(home.revision == revision + 1 && home.days.rows.isEmpty)
            try await cache.fill(home, under: lease)
            let filled = try #require(try await cache.read(user))
            #expect(filled.days.rows.isEmpty)
            // And once more, into the whole hash.
            try await cache.show(late.days)
            let whole = try #require(try await cache.read(user))
            #expect(whole.days.rows.isEmpty)
            // What is written now has a greater revision.
            try await world.write([try world.workout("ada", at: "2026-12-01T09:00:00Z", steps: 7)])
            let shown = try #require(try await cache.read(user)).days.rows
            #expect(shown.map(\.totals.steps) == [7] && shown.map(\.revision) == [revision + 2])
        }
    }
}
