import Postgres

/// A session that holds, or queues for, a lock on our tables: whom a command has waited for in vain.
struct LockHolder: Equatable, Sendable {
    var pid: Int32
    /// `application_name`; empty where the client has given none.
    var program: String
    var user: String
    /// The client's address; nil for one on the server's own machine.
    var host: String?
    /// How long its transaction has lasted.
    var seconds: Int64
    /// What it does now: `idle in transaction`, `active` and so on.
    var state: String
    /// The begin of what it has run last, or runs.
    var query: String
    /// The tables, with commas.
    var tables: String
    /// It has the lock; otherwise it waits for it, and everybody behind it.
    var isGranted: Bool
    /// For whom it waits itself.
    var blockers: [Int32] = []

    /// Our own programs end what they have begun; they are waited for and never ended.
    var isOurs: Bool { program.hasPrefix("stride-") }

    /// The session in one line.
    var line: String {
        let name = program.isEmpty ? "a program without a name" : program
        let place = host.map { "from \($0)" } ?? "on the server's machine"
        let role = isGranted ? "locks" : "queues for a lock on"
        let behind = blockers.isEmpty ? "" : ", behind pid " + blockers.map(String.init).joined(separator: ", ")
        return "pid \(pid), \(name) (user \(user), \(place)) \(role) \(tables)\(behind): "
            + "\(Self.age(seconds)) in this transaction, \(state), \(query)"
    }

    /// What the operator is told: who it is, and what to do.
    static func advice(on holders: [LockHolder], after command: String) -> [String] {
        guard !holders.isEmpty else {
            return ["a table was locked for longer than 5 s, and is not any more: run stride \(command) again"]
        }
        var lines = ["a table is locked, and was for longer than 5 s:"] + holders.map { "  " + $0.line }
        // Who only queues goes on when the one before it ends.
        let strangers = holders.filter { !$0.isOurs && $0.blockers.isEmpty }
        if strangers.isEmpty {
            lines.append("wait until it has ended, then run stride \(command) again")
        } else {
            let calls = strangers.map { "select pg_terminate_backend(\($0.pid));" }.joined(separator: " ")
            lines.append("have it commit, or end its session: \(calls)")
            lines.append("then run stride \(command) again; while it lasts, calls that need the table fail")
        }
        return lines
    }

    private static func age(_ seconds: Int64) -> String {
        seconds < 120 ? "\(seconds) s" : seconds < 7200 ? "\(seconds / 60) min" : "\(seconds / 3600) h"
    }
}

extension LockHolder {
    /// Looks who has locks on tables, by a session of its own, since the one that failed waits no more.
    ///
    /// - Parameter everyMode: for somebody who changes tables, whom every reader blocks; who only reads is blocked by
    ///   `ACCESS EXCLUSIVE` alone.
    static func find(_ configuration: PostgresConfiguration, everyMode: Bool) async throws -> [LockHolder] {
        try await Stores.withPostgres(configuration) { connection in
            let rows = try await connection.query(
                PostgresStatement("", sql, [.bool(everyMode)]), timeout: .seconds(10))
            var holders: [LockHolder] = []
            for row in 0..<rows.rowCount {
                holders.append(
                    LockHolder(
                        pid: try rows.int32(row, 0), program: try rows.text(row, 1), user: try rows.text(row, 2),
                        host: rows.isNull(row, 3) ? nil : try rows.text(row, 3), seconds: try rows.int64(row, 4),
                        state: try rows.text(row, 5), query: try rows.text(row, 6), tables: try rows.text(row, 7),
                        isGranted: try rows.bool(row, 8),
                        blockers: try rows.text(row, 9).split(separator: ",").compactMap { Int32($0) }))
            }
            return holders
        }
    }

    private static let sql = """
        with locks as (
            select l.pid, l.granted, string_agg(distinct c.relname::text, ', ' order by c.relname::text) as tables
            from pg_locks l join pg_class c on c.oid = l.relation
            where l.locktype = 'relation' and c.relkind in ('r', 'p') and c.relnamespace = current_schema()::text::regnamespace
                and l.database = (select oid from pg_database where datname = current_database())
                and l.pid <> pg_backend_pid() and ($1 or l.mode = 'AccessExclusiveLock')
            group by l.pid, l.granted)
        select a.pid, coalesce(a.application_name, ''), coalesce(a.usename::text, ''), host(a.client_addr),
            greatest(0, extract(epoch from clock_timestamp() - a.xact_start))::bigint, coalesce(a.state, ''),
            left(regexp_replace(a.query, '\\s+', ' ', 'g'), 60), k.tables, k.granted,
            case when k.granted then '' else array_to_string(pg_blocking_pids(a.pid), ',') end
        from locks k join pg_stat_activity a on a.pid = k.pid
        where a.xact_start is not null
        order by k.granted desc, a.xact_start
        limit 10
        """
}
