package import EventLoops
package import Models
package import Postgres
import Storage

/// A database of one suite on the server of the run, and a connection to look into it.
package final class TestDatabase: Sendable {
    /// Its name.
    package let name: String
    /// How services reach it.
    package let url: String
    private let adminURL: String
    private let loop: EventLoop
    private let pool: PostgresPool

    /// Creates a database; with `migrated` it has the latest schema.
    ///
    /// - Parameter server: another server than that of the run, as a connection string.
    package static func create(
        on loop: EventLoop, migrated: Bool = true, server: String? = nil
    ) async throws -> TestDatabase {
        let database = try TestDatabase(on: loop, server: server ?? TestRun.postgresURL())
        try await database.asAdmin("create database \(database.name)")
        if migrated { try await database.migrate() }
        return database
    }

    private init(on loop: EventLoop, server: String) throws {
        adminURL = server
        name = "stride_test_\(UInt64.random(in: 0...UInt64.max))"
        let query = adminURL.firstIndex(of: "?") ?? adminURL.endIndex
        guard let slash = adminURL[..<query].lastIndex(of: "/") else {
            throw TestRun.Missing(description: "STRIDE_TEST_POSTGRES_URL names no database")
        }
        url = adminURL[...slash] + name + adminURL[query...]
        self.loop = loop
        // Few, because many suites share the server's connections.
        pool = PostgresPool(
            configuration: try Self.configuration(url),
            limits: PostgresPoolState.Limits(maximum: 1, maximumWaiters: 100_000), loop: loop)
    }

    /// Brings it to the latest schema.
    package func migrate() async throws {
        try await withConnection { connection in _ = try await Migrator.migrate(connection) }
    }

    /// Removes it, with whoever is still connected.
    package func drop() async throws {
        let pool = pool
        try await loop.run { await pool.close() }
        try await asAdmin("drop database if exists \(name) with (force)")
    }

    /// Lends the connection that looks into the database; one caller at a time.
    package func withConnection<Value: Sendable>(
        _ body: @escaping @Sendable (PostgresConnection) async throws -> Value
    ) async throws -> Value {
        let pool = pool
        return try await loop.run {
            let connection = try await pool.lease(timeout: .seconds(120))
            defer { pool.release(connection) }
            return try await body(connection)
        }
    }

    /// The rows of a query as objects, by column.
    package func rows(_ sql: String) async throws -> [JSON] {
        let text = try await withConnection { connection in
            try await connection.query(
                .simple("select coalesce(json_agg(to_jsonb(q)), '[]')::text from (\(sql)) q"), timeout: .seconds(60)
            ).text(0, 0)
        }
        return try JSON(parsing: Array(text.utf8)).elements
    }

    /// The one number of a query.
    package func number(_ sql: String) async throws -> Int {
        let row = try await rows(sql).first
        guard let name = row?.names.first, let number = row?[name].int else {
            throw TestRun.Missing(description: "no number: \(sql)")
        }
        return number
    }

    /// Runs statements one after the other.
    package func run(_ statements: String...) async throws {
        try await withConnection { connection in
            for sql in statements { _ = try await connection.query(.simple(sql), timeout: .seconds(60)) }
        }
    }

    /// Holds a lock on a table, by default against every reader and writer of rows, until `unlock` is called or the body
    /// ends.
    package func whileLocked(
        _ table: String, mode: String = "access exclusive",
        _ body: @escaping @Sendable (_ unlock: @escaping @Sendable () async throws -> Void) async throws -> Void
    ) async throws {
        try await whileHolding("lock table \(table) in \(mode) mode", body)
    }

    /// Holds what a statement locks until `unlock` is called or the body ends.
    package func whileHolding(
        _ lock: String,
        _ body: @escaping @Sendable (_ unlock: @escaping @Sendable () async throws -> Void) async throws -> Void
    ) async throws {
        try await Self.withConnection(url, loop: loop) { locker in
            _ = try await locker.exchange([.begin, .simple(lock)], timeout: .seconds(60))
            try await body {
                try await locker.loop.run { _ = try await locker.query(.commit, timeout: .seconds(60)) }
            }
        }
    }

    /// How many sessions of this database wait for a lock.
    package func waitingForLocks() async throws -> Int {
        try await number(
            """
            select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
            """)
    }

    private func asAdmin(_ sql: String) async throws {
        try await Self.withConnection(adminURL, loop: loop) { connection in
            _ = try await connection.query(.simple(sql), timeout: .seconds(60))
        }
    }

    private static func withConnection<Value: Sendable>(
        _ url: String, loop: EventLoop, _ body: @escaping @Sendable (PostgresConnection) async throws -> Value
    ) async throws -> Value {
        let settings = try configuration(url)
        return try await loop.run {
            let connection = try await PostgresConnection.connect(settings, loop: loop, timeout: .seconds(30))
            defer { connection.close() }
            return try await body(connection)
        }
    }

    private static func configuration(_ url: String) throws -> PostgresConfiguration {
        var configuration = try PostgresConfiguration(url: url, applicationName: "stride-tests")
        configuration.statementTimeout = nil
        configuration.lockTimeout = nil
        configuration.idleInTransactionTimeout = nil
        configuration.connectTimeout = .seconds(30)
        return configuration
    }
}

/// What is known of one day of a user.
package struct DayFigures: Hashable, Sendable, CustomStringConvertible {
    /// Steps.
    package var steps: Int
    /// Millimetres.
    package var millimetres: Int
    /// How many workouts have a part in it.
    package var workouts: Int

    /// Puts figures together.
    package init(_ steps: Int, _ millimetres: Int, _ workouts: Int) {
        self.steps = steps
        self.millimetres = millimetres
        self.workouts = workouts
    }

    /// In the order of the columns.
    package var description: String { "\(steps) steps, \(millimetres) mm, \(workouts) workouts" }
}

/// A day with the revision that tells its states apart.
package struct RevisedDay: Hashable, Sendable {
    /// The figures.
    package var figures: DayFigures
    /// The revision.
    package var revision: Int
}

extension TestDatabase {
    /// The totals of a user's days as PostgreSQL has them.
    package func revisedDays(of user: UserID) async throws -> [String: RevisedDay] {
        let rows = try await rows(
            "select day::text, steps, distance_mm, workouts, revision from daily_totals where user_id = '\(user)'")
        var days: [String: RevisedDay] = [:]
        for row in rows {
            guard let day = row["day"].string, let steps = row["steps"].int, let distance = row["distance_mm"].int,
                let workouts = row["workouts"].int, let revision = row["revision"].int
            else { continue }
            days[day] = RevisedDay(figures: DayFigures(steps, distance, workouts), revision: revision)
        }
        return days
    }

    /// The same without revisions, and without the days on which nothing is left.
    package func days(of user: UserID) async throws -> [String: DayFigures] {
        try await revisedDays(of: user).mapValues(\.figures).filter { $0.value != DayFigures(0, 0, 0) }
    }

    /// How many workouts of a user are there, tombstones included.
    package func workoutCount(of user: UserID) async throws -> Int {
        try await number("select count(*) from workouts where user_id = '\(user)'")
    }
}
