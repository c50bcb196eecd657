package import EventLoops
package import Postgres

/// The marks of one loop whose changes are in the cache, on their way out of the table.
///
/// They are gathered and taken away together, twice a second: one small statement in place of one for each transaction.
/// Confined to its loop, hence `@unchecked Sendable`.
package final class MarkBook: @unchecked Sendable {
    private let loop: EventLoop
    private let pool: PostgresPool
    private var done: [CacheMark] = []
    private var isSweeping = false

    /// Keeps the marks of one loop.
    package init(pool: PostgresPool, loop: EventLoop) {
        self.loop = loop
        self.pool = pool
    }

    /// The changes behind a mark are in the cache.
    package func forget(_ mark: CacheMark?) {
        guard let mark else { return }
        done.append(mark)
        guard !isSweeping else { return }
        isSweeping = true
        loop.submit {
            try? await self.loop.sleep(for: .milliseconds(500))
            await self.sweep()
        }
    }

    /// Takes away what is gathered.
    ///
    /// What cannot be taken away stays and costs its users one read from PostgreSQL.
    package func sweep() async {
        isSweeping = false
        let marks = done
        done = []
        guard !marks.isEmpty else { return }
        _ = try? await pool.withConnection(.upkeep, timeout: .seconds(1)) { connection throws(PostgresError) in
            try await connection.query(CacheMarkStatements.delete(marks), timeout: .seconds(5))
        }
    }
}
