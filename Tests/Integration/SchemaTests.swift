import Models
import StrideTestSupport
import Testing

@testable import Storage

/// The schema as PostgreSQL's own catalogue describes it, and how it comes about.
@Suite(.serialized) struct SchemaTests {
    /// By what the rows of a table are distributed: a board as a whole, everything else with its user.
    private static let distribution = """
        case when t.relname in ('challenges', 'athletes', 'athlete_results', 'challenge_days') then 'challenge'
            else 'user_id' end
        """

    @Test(
        "P9: every unique index and every foreign key contains the distribution key: the challenge of boards, else the user"
    )
    func keysHoldTheDistribution() async throws {
        try await TestStores.run { stores in
            let tables = try await stores.database.rows(
                """
                select t.relname as table, exists (select from pg_attribute a where a.attrelid = t.oid
                    and a.attname = \(Self.distribution) and a.attnotnull) as holds
                from pg_class t join pg_namespace n on n.oid = t.relnamespace
                where n.nspname = 'public' and t.relkind in ('r', 'p') and t.relname <> 'schema_migrations'
                """)
            #expect(
                Set(tables.compactMap { $0["table"].string }).isSuperset(of: [
                    "users", "workouts", "daily_totals", "settings", "plans", "cache_marks", "challenges", "athletes",
                    "athlete_results", "challenge_days", "erasures",
                ]))
            for table in tables { #expect(table["holds"] == true, "\(table.text) has no distribution key") }
            let keys = """
                select x.indexrelid::regclass::text as name, t.relname as table,
                    exists (select from pg_attribute a where a.attrelid = x.indrelid
                        and a.attname = \(Self.distribution) and a.attnum = any(x.indkey)) as holds
                from pg_index x join pg_class t on t.oid = x.indrelid join pg_namespace n on n.oid = t.relnamespace
                where x.indisunique and n.nspname = 'public' and t.relname <> 'schema_migrations'
                """
            let unique = try await stores.database.rows(keys)
            #expect(unique.count >= 12)
            for key in unique { #expect(key["holds"] == true, "\(key.text)") }
            let references = try await stores.database.rows(
                """
                select c.conname as name, exists (select from pg_attribute a where a.attrelid = c.conrelid
                    and a.attname = \(Self.distribution) and a.attnum = any(c.conkey)) as holds
                from pg_constraint c join pg_class t on t.oid = c.conrelid
                join pg_namespace n on n.oid = c.connamespace
                where c.contype = 'f' and n.nspname = 'public'
                """)
            for key in references { #expect(key["holds"] == true, "\(key.text)") }
            // The check sees what it looks for.
            try await stores.database.run(
                "create unique index stray on workouts (request_id)",
                "create unique index lost on athletes (user_id) where user_id is not null")
            let stray = try await stores.database.rows(keys).filter { $0["holds"] == false }
            #expect(stray.compactMap { $0["name"].string }.sorted() == ["lost", "stray"])
        }
    }

    @Test(
        "No trigger, and the distribution key first in every index but those that find a user's entries and recent erasures"
    )
    func distributable() async throws {
        try await TestStores.run { stores in
            #expect(try await stores.database.number("select count(*) from pg_trigger where not tgisinternal") == 0)
            let others = try await stores.database.rows(
                """
                select x.indexrelid::regclass::text as name from pg_index x join pg_class t on t.oid = x.indrelid
                join pg_namespace n on n.oid = t.relnamespace
                join pg_attribute a on a.attrelid = x.indrelid and a.attnum = x.indkey[0]
                where n.nspname = 'public' and t.relname <> 'schema_migrations'
                    and a.attname <> \(Self.distribution)
                """)
            #expect(
                others.compactMap { $0["name"].string }.sorted() == [
                    "athlete_results_by_recorder", "athletes_by_user", "erasures_by_time", "erasures_under_way",
                ])
        }
    }

    @Test("P8: two `stride migrate` at once do the work once, and a third changes nothing")
    func migrations() async throws {
        try await TestStores.run(migrated: false) { stores in
            func migrate(_ name: String) throws -> ChildProcess {
                try ChildProcess(
                    TestRun.executable("stride"), ["migrate"],
                    environment: ["STRIDE_POSTGRES_URL": stores.database.url],
                    log: "\(stores.folder.path)/\(name).log")
            }
            let both = [try migrate("one"), try migrate("two")]
            for process in both { #expect(try await process.wait(within: .seconds(60)) == .exited(0)) }
            let steps = Migration.all.map { "ran step \($0.number): \($0.name)" }
            let done = both.flatMap { $0.log.split(separator: "\n").map(String.init) }.filter { $0.hasPrefix("ran") }
            #expect(done.sorted() == steps.sorted())
            let catalogue = """
                select relname, relfilenode::int from pg_class c join pg_namespace n on n.oid = c.relnamespace
                where n.nspname = 'public' order by relname
                """
            let applied = "select number, name, applied_at from schema_migrations order by number"
            let before = (try await stores.database.rows(catalogue), try await stores.database.rows(applied))
            let third = try migrate("three")
            #expect(try await third.wait(within: .seconds(60)) == .exited(0))
            #expect(third.log == "the schema is at step \(Migration.latest)\n")
            #expect(try await stores.database.rows(catalogue) == before.0)
            #expect(try await stores.database.rows(applied) == before.1)
            #expect(before.1.compactMap { $0["number"].int } == Migration.all.map { Int($0.number) })
        }
    }

    @Test("A migration that fails leaves nothing behind and can be run again")
    func failedMigration() async throws {
        try await TestStores.run(migrated: false) { stores in
            let good = Migration(number: 1, name: "good", statements: ["create table one (user_id uuid)"])
            let bad = Migration(
                number: 2, name: "bad", statements: ["create table two (user_id uuid)", "create table two (x int)"])
            await #expect(throws: (any Error).self) {
                try await stores.database.withConnection { connection in
                    _ = try await Migrator.migrate(connection, steps: [good, bad])
                }
            }
            let tables = "select tablename from pg_tables where schemaname = 'public' order by tablename"
            #expect(
                try await stores.database.rows(tables) == [["tablename": "one"], ["tablename": "schema_migrations"]])
            let mended = Migration(number: 2, name: "mended", statements: ["create table two (user_id uuid)"])
            let done = try await stores.database.withConnection { connection in
                try await Migrator.migrate(connection, steps: [good, mended]).map(\.name)
            }
            #expect(done == ["mended"])
        }
    }

    @Test("The bucket rule's hash is PostgreSQL's uuid_hash, on 2000 random ids and the extremes")
    func uuidHash() async throws {
        try await TestStores.run { stores in
            var generator = SeededGenerator(seed: 11)
            var users = (0..<2000).map { _ in
                UserID(UUIDValue(high: generator.next(), low: generator.next()))
            }
            users += [UserID(UUIDValue(high: 0, low: 0)), UserID(UUIDValue(high: .max, low: .max))]
            let ids = users.map { "('\($0)'::uuid)" }.joined(separator: ",")
            let rows = try await stores.database.rows(
                "select id::text, uuid_hash(id) as hash from (values \(ids)) as v (id)")
            let hashes = Dictionary(uniqueKeysWithValues: rows.map { ($0["id"].string ?? "", $0["hash"].int ?? 0) })
            let buckets = ShardBuckets(count: 32)
            for user in users {
                let hash = buckets.hash(of: user)
                #expect(Int(Int32(bitPattern: hash)) == hashes["\(user)"])
                // 2³² / 32 = 2²⁷ hashes a bucket, counted from -2³¹.
                #expect(buckets.bucket(of: hash) == ((hashes["\(user)"] ?? 0) + 2_147_483_648) / 134_217_728)
            }
        }
    }

    @Test("Buckets of any count cover all hashes and stay within the count", arguments: [1, 2, 3, 7, 32, 100, 4096])
    func buckets(_ count: Int) {
        let buckets = ShardBuckets(count: count)
        // As a signed number the lowest hash is 0x8000_0000 and the highest 0x7FFF_FFFF.
        #expect(buckets.bucket(of: 0x8000_0000) == 0)
        #expect(buckets.bucket(of: 0x7FFF_FFFF) == count - 1)
        var seen: Set<Int> = []
        for step in 0..<UInt32(65_536) { seen.insert(buckets.bucket(of: step << 16)) }
        #expect(seen == Set(0..<count))
    }
}
