internal import CSQLite

/// The schema, step by step; `PRAGMA user_version` says how many were made.
///
/// A step is never changed once an app has been given out. A file of a newer app is refused rather than misread.
enum Migrations {
    private static let steps = [
        """
        CREATE TABLE record (
            store TEXT NOT NULL,
            key TEXT NOT NULL,
            value TEXT NOT NULL,
            PRIMARY KEY (store, key)
        ) WITHOUT ROWID, STRICT
        """
    ]

    /// Makes the steps that are missing, all or none.
    static func run(on database: OpaquePointer) throws(RecordDatabaseError) {
        try unsafe RecordDatabase.run("BEGIN IMMEDIATE", on: database)
        do throws(RecordDatabaseError) {
            let version = try unsafe version(of: database)
            guard version <= steps.count else {
                throw RecordDatabaseError(
                    code: SQLITE_SCHEMA, message: "the file has schema \(version); this app knows \(steps.count)")
            }
            for step in steps[version...] { try unsafe RecordDatabase.run(step, on: database) }
            try unsafe RecordDatabase.run("PRAGMA user_version = \(steps.count)", on: database)
            try unsafe RecordDatabase.run("COMMIT", on: database)
        } catch {
            try? unsafe RecordDatabase.run("ROLLBACK", on: database)
            throw error
        }
    }

    private static func version(of database: OpaquePointer) throws(RecordDatabaseError) -> Int {
        let statement = try unsafe Statement("PRAGMA user_version", on: database)
        guard try statement.step() else { return 0 }
        let version = Int(statement.integer(0))
        _ = try statement.step()
        return max(0, version)
    }
}
