import EventLoops
import Models
import Postgres
import Storage

/// Users whose rows somebody else keeps locked, as an instance does that has stopped in the middle of a transaction.
///
/// A batch waits for such a row once; for a minute after that it is asked first who is still locked, which waits for
/// nobody. Confined to its loop, hence `@unchecked Sendable`.
final class HeldUsers: @unchecked Sendable {
    private let store: WorkoutStore
    private let pool: PostgresPool
    private var expiry: [UserID: MonotonicInstant] = [:]

    private static var memory: Duration { .seconds(60) }
    /// What another batch under way holds is free again after this time.
    private static var transaction: Duration { .milliseconds(100) }

    init(store: WorkoutStore, pool: PostgresPool) {
        self.store = store
        self.pool = pool
    }

    /// Who of a batch was held before, and still is; costs nothing while nobody was.
    func known(among writes: [WorkoutWrite]) async -> Set<UserID> {
        guard !expiry.isEmpty else { return [] }
        let now = pool.loop.now
        expiry = expiry.filter { $0.value > now }
        let suspects = Set(writes.map(\.user)).filter { expiry[$0] != nil }
        let held = await look(suspects)
        for user in suspects.subtracting(held) { expiry[user] = nil }
        return held
    }

    /// Who of a batch that waited in vain is held, and not only by a transaction that is under way.
    func found(among writes: [WorkoutWrite]) async -> Set<UserID> {
        var held = await look(Set(writes.map(\.user)))
        guard !held.isEmpty else { return [] }
        try? await pool.loop.sleep(for: Self.transaction)
        held = await look(held)
        for user in held { expiry[user] = pool.loop.now.advanced(by: Self.memory) }
        return held
    }

    private func look(_ users: Set<UserID>) async -> Set<UserID> {
        guard !users.isEmpty else { return [] }
        let held = try? await pool.withConnection { connection throws(PostgresError) in
            try await store.held(of: users, on: connection)
        }
        return held ?? []
    }
}
