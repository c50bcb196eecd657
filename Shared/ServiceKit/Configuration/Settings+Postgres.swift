package import Postgres

/// What stands between a service and PostgreSQL.
package enum PostgresPooler: String, Sendable, CaseIterable {
    /// Nothing: a session is the service's own for as long as it is connected.
    case none
    /// A pooler that gives every transaction another session, such as pgbouncer with `pool_mode = transaction`.
    case transaction
}

extension Settings {
    /// PostgreSQL as the pooler before it lets it be used.
    ///
    /// - Parameter name: what `pg_stat_activity` shows.
    package mutating func postgres(url: String, name: String) throws -> PostgresConfiguration {
        var postgres = try PostgresConfiguration(url: url, applicationName: name)
        postgres.usesNamedStatements = choice("STRIDE_POSTGRES_POOLER", default: PostgresPooler.none) == .none
        try finish()
        return postgres
    }
}
