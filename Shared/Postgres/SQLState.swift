/// A five-character SQLSTATE: what PostgreSQL says went wrong, in a form made for programs.
///
/// Errors are matched by it and never by their text, which depends on version and language.
/// Source: PostgreSQL documentation, appendix A. Cost: five bytes fit a small string, so there is no allocation.
package struct SQLState: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The five characters, digits and upper-case letters.
    package let rawValue: String

    /// Takes five digits or upper-case ASCII letters; nil for anything else.
    package init?(rawValue: String) {
        guard rawValue.utf8.count == 5 else { return nil }
        for byte in rawValue.utf8 {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"): continue
            default: return nil
            }
        }
        self.rawValue = rawValue
    }

    private init(known: StaticString) { rawValue = "\(known)" }

    /// The first two characters, the class of the condition.
    package var conditionClass: Substring { rawValue.prefix(2) }

    /// The code itself.
    package var description: String { rawValue }
}

extension SQLState {
    /// `40001`: two serializable transactions met.
    package static let serializationFailure = SQLState(known: "40001")
    /// `40P01`: this transaction was chosen to break a deadlock.
    package static let deadlockDetected = SQLState(known: "40P01")
    /// `55P03`: a lock was not to be had within `lock_timeout`.
    package static let lockNotAvailable = SQLState(known: "55P03")
    /// `57014`: cancelled by `statement_timeout` or on request.
    package static let queryCanceled = SQLState(known: "57014")
    /// `57P01`: the server shuts down or an operator ended the session.
    package static let adminShutdown = SQLState(known: "57P01")
    /// `57P03`: the server starts, recovers or stops.
    package static let cannotConnectNow = SQLState(known: "57P03")
    /// `53300`: the server has no connection left.
    package static let tooManyConnections = SQLState(known: "53300")
    /// `53100`: the server's disk is full.
    package static let diskFull = SQLState(known: "53100")
    /// `25006`: a write reached a standby or a read-only session.
    package static let readOnlyTransaction = SQLState(known: "25006")
    /// `25P02`: the transaction has failed already; only ROLLBACK is accepted.
    package static let inFailedTransaction = SQLState(known: "25P02")
    /// `23505`: a unique index has the key already.
    package static let uniqueViolation = SQLState(known: "23505")
    /// `28P01`: the password is wrong.
    package static let invalidPassword = SQLState(known: "28P01")
    /// `26000`: a prepared statement is not there (a pooler gave us another session).
    package static let invalidStatementName = SQLState(known: "26000")
    /// `0A000`: not supported; also a cached plan whose result columns have changed.
    package static let featureNotSupported = SQLState(known: "0A000")
    /// `42P01`: there is no such table.
    package static let undefinedTable = SQLState(known: "42P01")
}
