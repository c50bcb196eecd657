import Synchronization

/// The ledger of one user, which all devices of that user write.
package final class Book: Sendable {
    private let ledger: Mutex<Ledger>

    /// An empty book.
    package init(user: String) { ledger = Mutex(Ledger(user: user)) }

    /// What it says at this moment.
    package var page: Ledger { ledger.withLock { $0 } }

    /// Writes something down.
    package func note<Value: Sendable>(_ entry: (inout Ledger) -> Value) -> Value { ledger.withLock { entry(&$0) } }
}
