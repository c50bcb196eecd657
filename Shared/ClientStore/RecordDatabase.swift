internal import CSQLite
public import ClientCore

/// The local database of a native app: carries out the core's `store` effects, and gives back what it holds at the start.
///
/// One file for each user. A call is one transaction, durable when it returns: the core may be stopped between any two
/// effects. Not shared between threads: it belongs to whoever owns the `Client`.
@safe public final class RecordDatabase {
    private let handle: OpaquePointer
    private let put: Statement
    private let remove: Statement
    private let all: Statement

    /// Opens the file, or makes it, and brings it to the latest schema.
    ///
    /// - Parameter path: a file; `:memory:` for none.
    public init(path: String) throws(RecordDatabaseError) {
        var opened: OpaquePointer?
        let code = unsafe sqlite3_open_v2(
            path, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_EXRESCODE, nil)
        guard code == SQLITE_OK, let handle = unsafe opened else {
            let error = unsafe RecordDatabaseError.last(of: opened, code)
            _ = unsafe sqlite3_close_v2(opened)
            throw error
        }
        do throws(RecordDatabaseError) {
            _ = unsafe sqlite3_busy_timeout(handle, 5000)
            try unsafe Self.run("PRAGMA journal_mode = WAL", on: handle)
            try unsafe Self.run("PRAGMA synchronous = FULL", on: handle)
            try unsafe Migrations.run(on: handle)
            put = try unsafe Statement(
                "INSERT INTO record (store, key, value) VALUES (?1, ?2, ?3) ON CONFLICT DO UPDATE SET value = excluded.value",
                on: handle)
            remove = try unsafe Statement("DELETE FROM record WHERE store = ?1 AND key = ?2", on: handle)
            all = try unsafe Statement("SELECT store, key, value FROM record ORDER BY store, key", on: handle)
        } catch {
            _ = unsafe sqlite3_close_v2(handle)
            throw error
        }
        unsafe self.handle = handle
    }

    // Statements that still live are finalized after this; until then SQLite keeps the connection as a zombie.
    deinit { _ = unsafe sqlite3_close_v2(handle) }

    /// Carries out a `store` effect: all of it or nothing.
    public func apply(_ changes: [RecordChange]) throws(RecordDatabaseError) {
        try unsafe Self.run("BEGIN IMMEDIATE", on: handle)
        do throws(RecordDatabaseError) {
            for change in changes { try apply(change) }
            try unsafe Self.run("COMMIT", on: handle)
        } catch {
            try? unsafe Self.run("ROLLBACK", on: handle)
            throw error
        }
    }

    private func apply(_ change: RecordChange) throws(RecordDatabaseError) {
        if let value = change.value {
            try put.bind(1, change.store)
            try put.bind(2, change.key)
            try put.bind(3, String(decoding: value, as: UTF8.self))
            _ = try put.step()
        } else {
            try remove.bind(1, change.store)
            try remove.bind(2, change.key)
            _ = try remove.step()
        }
    }

    /// Everything that is stored, in order of store and key.
    public func records() throws(RecordDatabaseError) -> [RecordChange] {
        var records: [RecordChange] = []
        while try all.step() {
            records.append(
                RecordChange(
                    store: String(decoding: all.bytes(0), as: UTF8.self),
                    key: String(decoding: all.bytes(1), as: UTF8.self), value: all.bytes(2)))
        }
        return records
    }

    /// Runs a statement without parameters and rows.
    static func run(_ sql: String, on database: OpaquePointer) throws(RecordDatabaseError) {
        let code = unsafe sqlite3_exec(database, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw unsafe .last(of: database, code) }
    }
}
