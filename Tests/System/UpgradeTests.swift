import StrideTestSupport
import Testing

@testable import Storage

/// A step of the schema that runs while everybody walks: builds that know it and builds that do not both go on.
@Suite(.serialized) struct UpgradeTests {
    /// What a next release would add: a column with a default, an index, and a table.
    private static let next = Migration(
        number: Migration.latest + 1, name: "notes",
        statements: [
            "alter table workouts add column note text not null default ''",
            "create index workouts_by_note on workouts (user_id, note)",
            "create table notes (user_id uuid not null, note_id uuid not null, primary key (user_id, note_id))",
        ])

    @Test(
        "P8: a step under load: no call fails, what runs goes on, what starts afterwards joins, and a lock it cannot get stops nobody"
    )
    func underLoad() async throws {
        try await Fleet.run(now: Promise.now, inPairs: true) { fleet in
            let (database, port) = (fleet.stores.database, try #require(fleet.gateway?.port))
            let anna = try await Promise.warm(fleet)
            let load = RepeatingLoad(stores: fleet.stores, port: port, seed: 31)
            async let outcomes = load.run()
            try await grows(fleet)

            // A transaction that never ends: the step gives up, and the queue behind its lock goes on.
            try await database.whileLocked("workouts", mode: "access share") { _ in
                await #expect(throws: (any Error).self) { try await migrate(fleet) }
            }
            #expect(try await database.number("select max(number) from schema_migrations") == Int(Migration.latest))
            try await grows(fleet)

            try await migrate(fleet)
            #expect(try await database.number("select max(number) from schema_migrations") == Int(Self.next.number))
            try await grows(fleet)
            #expect(try await fleet.ingest.terminate() == .exited(0))
            try await fleet.ingest.start()
            try await grows(fleet)
            load.stop()
            let users = try await outcomes
            #expect(users.map(\.repeats).reduce(0, +) == 0)
            for user in users { try await user.expectRows(in: database) }
            #expect(try await anna.live(in: "Etc/GMT").status == 200)
            try await Promise.expectKept(fleet)
        }
    }

    private func migrate(_ fleet: Fleet) async throws {
        try await fleet.stores.database.withConnection { connection in
            _ = try await Migrator.migrate(connection, steps: Migration.all + [Self.next])
        }
    }

    private func grows(_ fleet: Fleet) async throws {
        let count = try await fleet.stores.database.number("select count(*) from workouts")
        try await eventually("the load goes on") {
            try await fleet.stores.database.number("select count(*) from workouts") > count + 50
        }
    }
}
