import Models
import Redis
import ServiceKit
import Storage

/// What Redis holds of a user, and boards that show them.
///
/// Confined to its loop, hence `@unchecked Sendable`.
final class ErasureTraces: @unchecked Sendable {
    private let cache: HomeCache
    private let budgets: RedisClient
    private let boards: BoardCache

    init(_ resources: LoopResources) {
        cache = resources.cache
        budgets = resources.budgetRedis
        let generation = resources.generation
        boards = BoardCache(redis: resources.redis) { generation.current }
    }

    /// Drops everything that has the user's name; false when Redis does not answer: then the mark of the erasure stays, by which the
    /// hash is dropped later, and counters leave by themselves within minutes.
    func forget(_ user: UserID) async -> Bool {
        do throws(RedisError) {
            try await cache.drop([user])
            try await BudgetCounter.forget(user, in: budgets)
            return true
        } catch {
            return false
        }
    }

    /// Shows a board without the user; a board that cannot be reached is taken on by whoever serves it.
    func show(_ delta: BoardDelta?) async {
        guard let delta else { return }
        _ = try? await boards.show(delta)
    }
}
