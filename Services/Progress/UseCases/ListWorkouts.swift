import Models
import Postgres
import Storage

/// Lists workouts page by page; always from PostgreSQL, which alone has them.
///
/// Confined to its loop, hence `@unchecked Sendable`.
final class ListWorkouts: @unchecked Sendable {
    private let store: StoreReads
    private let pages: WorkoutPages

    init(store: StoreReads, pages: WorkoutPages) {
        self.store = store
        self.pages = pages
    }

    /// One page.
    func list(_ query: WorkoutsQuery, of user: UserID) async throws(PostgresError) -> WorkoutPages.Page {
        try await store.read(.workouts, of: user) { connection throws(PostgresError) in
            try await pages.page(query, of: user, on: connection)
        }
    }
}
