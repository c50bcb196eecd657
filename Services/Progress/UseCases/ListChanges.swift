import Models
import Postgres
import Storage

/// Lists what changed since a cursor; always from PostgreSQL, which alone knows the order.
///
/// Confined to its loop, hence `@unchecked Sendable`.
final class ListChanges: @unchecked Sendable {
    private let store: StoreReads
    private let reader: ChangesReader

    init(store: StoreReads, reader: ChangesReader) {
        self.store = store
        self.reader = reader
    }

    /// One page, or that the cursor can no longer be served.
    func list(_ query: ChangesQuery, of user: UserID) async throws(PostgresError) -> ChangesReader.Outcome {
        try await store.read(.changes, of: user) { connection throws(PostgresError) in
            try await reader.page(query, of: user, on: connection)
        }
    }
}
