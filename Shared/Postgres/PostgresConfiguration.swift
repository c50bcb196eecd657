internal import CPostgres

/// Where the database is and how a session is set up.
///
/// The connection string is read by libpq's own parser, so everything that libpq knows is understood
/// (`sslmode`, `sslrootcert`, several hosts, unix sockets). Two keywords are handled here, because libpq would block
/// the loop or wait for ever on them: names are looked up off the loop, and hosts are tried one after the other, each
/// with its share of the time.
package struct PostgresConfiguration: Sendable {
    /// The servers to try, in order.
    package internal(set) var hosts: [PostgresHost]
    /// The password, if the string has one.
    package internal(set) var password: PostgresPassword?
    /// The role that a server must have.
    package internal(set) var targetSessionAttributes: TargetSessionAttributes
    /// Everything else from the string, by libpq's keyword.
    var parameters: [String: String]

    /// The name that `pg_stat_activity` shows.
    package var applicationName: String
    /// The longest time that one host gets.
    package var connectTimeout: Duration = .seconds(5)
    /// The server ends a statement that runs longer (57014); nil: no limit.
    ///
    /// Keep it above the callers' deadlines.
    package var statementTimeout: Duration? = .seconds(30)
    /// The server ends a wait for a lock (55P03); nil: no limit.
    package var lockTimeout: Duration? = .seconds(5)
    /// The server ends a session that idles inside a transaction (25P03); nil: no limit.
    ///
    /// What a process that has stopped holds locked is free after this time; between two trips of one that runs are milliseconds.
    package var idleInTransactionTimeout: Duration? = .seconds(5)
    /// Whether statements are kept prepared by name.
    ///
    /// Off behind a pooler in transaction mode (pgbouncer), which gives every transaction another session. No session
    /// options are sent then either, because the pooler refuses them: set time limits with `ALTER ROLE` there.
    package var usesNamedStatements = true

    /// Which role of a server is wanted, as libpq's `target_session_attrs`.
    package enum TargetSessionAttributes: String, Sendable, CaseIterable {
        /// Any server.
        case any
        /// A server that accepts writes.
        case readWrite = "read-write"
        /// A server that does not.
        case readOnly = "read-only"
        /// Not a standby.
        case primary
        /// A standby.
        case standby
        /// A standby if there is one, any server otherwise.
        case preferStandby = "prefer-standby"
    }
}

/// One server of a connection string.
package struct PostgresHost: Hashable, Sendable, CustomStringConvertible {
    /// A name, a numeric address, or the directory of a unix socket (it begins with `/`, or `@` for abstract ones).
    package var name: String
    /// A numeric address given as `hostaddr`, which spares the look-up.
    package var address: String?
    /// The port.
    package var port: UInt16

    /// Whether it is a unix socket.
    package var isUnixSocket: Bool { address == nil && (name.hasPrefix("/") || name.hasPrefix("@")) }
    /// Name and port.
    package var description: String { "\(name):\(port)" }
}

extension PostgresConfiguration: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The hosts and the database; no user, no password.
    package var description: String {
        "postgresql://\(hosts.map(\.description).joined(separator: ","))/\(parameters["dbname"] ?? "")"
    }
    /// The same as `description`.
    package var debugDescription: String { description }
    /// Hosts and application name only.
    package var customMirror: Mirror {
        Mirror(self, children: ["hosts": hosts, "applicationName": applicationName])
    }
}
