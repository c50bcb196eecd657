import EventLoops
import Postgres
import ServiceKit
import Storage

/// `stride migrate`: brings the database to the latest schema.
enum Migrate {
    static func run(_ arguments: inout Arguments, _ settings: inout Settings) async throws -> Int32 {
        try arguments.finish()
        let url = settings.text("STRIDE_POSTGRES_URL")
        try settings.finish()
        var configuration = try settings.postgres(url: url, name: "stride-migrate")
        configuration.statementTimeout = nil
        configuration.lockTimeout = nil
        let done: [Migration]
        do {
            done = try await Stores.withPostgres(configuration) { connection in
                try await Migrator.migrate(connection)
            }
        } catch let error as PostgresError where error.sqlState == .lockNotAvailable {
            let holders = try await LockHolder.find(configuration, everyMode: true)
            for line in LockHolder.advice(on: holders, after: "migrate") { Terminal.complain(line) }
            return 1
        }
        for step in done { print("ran step \(step.number): \(step.name)") }
        print("the schema is at step \(Migration.latest)")
        return 0
    }
}
