/// One statement with its parameters, ready to travel in a pipeline.
///
/// `sql` is text that we wrote, never built from input; what varies is a parameter. A statement with a name is
/// prepared the first time a session meets it (the Parse travels in the same pipeline) and only bound after that.
///
/// Cost: a value of a few words; literals are not copied.
package struct PostgresStatement: Sendable {
    /// What the statement means for the transaction, from which the outcome of a lost exchange is told.
    package enum Effect: Hashable, Sendable {
        /// Opens a transaction.
        case begin
        /// Ends it and keeps what it did.
        case commit
        /// Ends it and keeps nothing.
        case rollback
        /// Changes nothing, so losing it loses nothing.
        case read
        /// May change something; outside a transaction it commits by itself at the end of the exchange.
        case write
    }

    /// The name it is prepared under, unique for this text in the whole program, at most 63 bytes; empty: never kept.
    package let name: String
    /// The text, with `$1`, `$2` for parameters.
    package let sql: String
    /// The parameters; a named statement has the same types each time.
    package let parameters: [PostgresValue]
    /// What it means for the transaction.
    package let effect: Effect

    /// Makes a statement.
    ///
    /// - Parameter effect: worked out from the first word when left out; say `.write` for a SELECT whose functions
    ///   change something.
    package init(_ name: String, _ sql: String, _ parameters: [PostgresValue] = [], effect: Effect? = nil) {
        self.name = name
        self.sql = sql
        self.parameters = parameters
        self.effect = effect ?? Effect(firstWordOf: sql)
    }

    /// A statement without parameters that is not kept prepared: schema changes, settings.
    package static func simple(_ sql: String) -> PostgresStatement { PostgresStatement("", sql) }

    /// `BEGIN`, prepared.
    package static let begin = PostgresStatement("begin", "BEGIN")
    /// `COMMIT`, prepared.
    ///
    /// Answered with ROLLBACK by a failed transaction, which is the error `rolledBack`.
    package static let commit = PostgresStatement("commit", "COMMIT")
    /// `ROLLBACK`, prepared.
    package static let rollback = PostgresStatement("rollback", "ROLLBACK")
}

extension PostgresStatement.Effect {
    /// Works the effect out from the first word; whatever is not known to be harmless is a write.
    init(firstWordOf sql: String) {
        var bytes = sql.utf8.makeIterator()
        switch Self.nextWord(&bytes) {
        case Self.packed("SELECT"), Self.packed("SHOW"), Self.packed("VALUES"), Self.packed("TABLE"), 0:
            self = .read
        case Self.packed("BEGIN"), Self.packed("START"):
            self = .begin
        case Self.packed("COMMIT"), Self.packed("END"):
            self = .commit
        case Self.packed("ROLLBACK"), Self.packed("ABORT"):
            // ROLLBACK TO a savepoint does not end the transaction.
            self = Self.nextWord(&bytes) == Self.packed("TO") ? .read : .rollback
        default:
            self = .write
        }
    }

    /// The next word in upper case, its letters packed into a number; 0 at the end, all ones when longer than eight.
    private static func nextWord(_ bytes: inout String.UTF8View.Iterator) -> UInt64 {
        var word: UInt64 = 0
        var length = 0
        while let byte = bytes.next() {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"):
                word = word << 8 | UInt64(byte & 0xDF)
                length += 1
            case _ where length == 0 && (byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09):
                continue
            default:
                // Anything but a letter ends the word; before the first letter it is no word that is known.
                return length == 0 || length > 8 ? .max : word
            }
        }
        return length > 8 ? .max : word
    }

    private static func packed(_ keyword: StaticString) -> UInt64 {
        keyword.withUTF8Buffer { unsafe $0.reduce(0) { $0 << 8 | UInt64($1) } }
    }
}
