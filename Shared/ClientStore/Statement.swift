internal import CSQLite

/// A prepared statement, finalized by whoever made it.
///
/// One run at a time: bind, step, read, reset.
@safe struct Statement: ~Copyable {
    private let handle: OpaquePointer
    private let database: OpaquePointer

    init(_ sql: StaticString, on database: OpaquePointer) throws(RecordDatabaseError) {
        var handle: OpaquePointer?
        let code = unsafe sqlite3_prepare_v3(
            database, UnsafeRawPointer(sql.utf8Start).assumingMemoryBound(to: CChar.self), -1,
            UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
        guard code == SQLITE_OK, let handle = unsafe handle else { throw unsafe .last(of: database, code) }
        unsafe self.handle = handle
        unsafe self.database = database
    }

    deinit { _ = unsafe sqlite3_finalize(handle) }

    /// Sets a parameter; the text is copied.
    func bind(_ place: Int32, _ text: String) throws(RecordDatabaseError) {
        let code = unsafe stride_bind_text(handle, place, text, Int32(clamping: text.utf8.count))
        guard code == SQLITE_OK else { throw unsafe .last(of: database, code) }
    }

    /// Whether there is a row; at the end the statement is ready for the next run.
    func step() throws(RecordDatabaseError) -> Bool {
        let code = unsafe sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        _ = unsafe sqlite3_reset(handle)
        guard code == SQLITE_DONE else { throw unsafe .last(of: database, code) }
        return false
    }

    /// A column of the current row as bytes.
    func bytes(_ column: Int32) -> [UInt8] {
        guard let start = unsafe sqlite3_column_text(handle, column) else { return [] }
        let count = Int(unsafe sqlite3_column_bytes(handle, column))
        return unsafe Array(UnsafeBufferPointer(start: start, count: count))
    }

    /// A column of the current row as a number.
    func integer(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(handle, column) }
}

extension RecordDatabaseError {
    /// The last error of a connection.
    static func last(of database: OpaquePointer?, _ code: Int32) -> RecordDatabaseError {
        guard let database = unsafe database, let text = unsafe sqlite3_errmsg(database) else {
            return RecordDatabaseError(code: code, message: "no memory")
        }
        return RecordDatabaseError(
            code: unsafe sqlite3_extended_errcode(database), message: unsafe String(cString: text))
    }
}
