/// What SQLite refused.
public struct RecordDatabaseError: Error, Equatable, Sendable, CustomStringConvertible {
    /// SQLite's extended result code; 11 (corrupt) and 26 (not a database) want the file put aside, 13 (full) wants room.
    public let code: Int32
    /// What SQLite says about it; no content of records.
    public let message: String

    /// A code with SQLite's words.
    public init(code: Int32, message: String) {
        self.code = code
        self.message = message
    }

    /// Code and words.
    public var description: String { "SQLite \(code): \(message)" }
}
