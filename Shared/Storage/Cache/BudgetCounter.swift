internal import EventLoops
package import Models
package import Redis

/// The rate budgets of users, counted in Redis for the whole fleet.
///
/// All requests of a turn are one call of a script: beginning a call costs Redis more than counting does. In a cluster each
/// user's server is asked for that user alone, so that a server that is away harms nobody else. Confined to the loop of its
/// client, hence `@unchecked Sendable`.
package final class BudgetCounter: EndOfTurn, @unchecked Sendable {
    private struct Caller {
        let key: String
        let cells: Int
        let continuation: UnsafeContinuation<Result<RateBudget.Decision, RedisError>, Never>
    }

    private let redis: RedisClient
    private let kind: BudgetKind
    private let budget: RateBudget
    private var callers: [Caller] = []

    /// Uses the connection of one loop, which must have been given `scripts`.
    package init(_ kind: BudgetKind, _ budget: RateBudget, redis: RedisClient) {
        self.redis = redis
        self.kind = kind
        self.budget = budget
    }

    /// The scripts that a connection has to know.
    package static let scripts = [BudgetScript.admit]

    /// The most users of one call, so that nobody waits long for Redis.
    private static let mostKeys = 128

    /// Asks for a number of cells: workouts, or calls.
    ///
    /// Whoever asks twice in one turn is counted twice, in order.
    ///
    /// - Throws: `RedisError` when Redis cannot count; the caller then counts locally.
    package func admit(_ cells: Int, of user: UserID) async throws(RedisError) -> RateBudget.Decision {
        let key = kind.key(of: user)
        guard redis.isOneServer else {
            guard let decision = try await BudgetScript.admit([(key, cells)], of: budget, in: redis).first else {
                throw .protocolViolation(.unexpectedReply)
            }
            return decision
        }
        let outcome = await withUnsafeContinuation { continuation in
            callers.append(Caller(key: key, cells: cells, continuation: continuation))
            if callers.count == 1 { redis.loop.atEndOfTurn(self) }
        }
        return try outcome.get()
    }

    /// The requests of this turn have gathered.
    package func turnEnded() {
        var rest = callers[...]
        callers = []
        while !rest.isEmpty {
            let some = Array(rest.prefix(Self.mostKeys))
            rest = rest.dropFirst(Self.mostKeys)
            redis.loop.submit { await self.count(some) }
        }
    }

    private func count(_ callers: [Caller]) async {
        do throws(RedisError) {
            let decisions = try await BudgetScript.admit(
                callers.map { ($0.key, $0.cells) }, of: budget, in: redis)
            for (caller, decision) in zip(callers, decisions) {
                caller.continuation.resume(returning: .success(decision))
            }
        } catch {
            for caller in callers { caller.continuation.resume(returning: .failure(error)) }
        }
    }

    /// Forgets what a user has used of all budgets.
    package static func forget(_ user: UserID, in redis: RedisClient) async throws(RedisError) {
        let keys = [BudgetKind.workouts, .plans, .athletes].map { $0.key(of: user) }
        if let error = try await redis.send(RedisCommand("UNLINK", keys[0], keys[1], keys[2])).error {
            throw .server(error.kind)
        }
    }
}
