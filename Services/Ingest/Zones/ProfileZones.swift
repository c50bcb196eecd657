import EventLoops
import Models
import Postgres
import ServiceKit
import Storage

/// In which zone a workout counts that names none: that of its user's profile, read from PostgreSQL.
///
/// Nothing is remembered, so that the first workout after a change of the profile counts in the new zone. All users who
/// are asked for within a turn, or while a query is under way, share the next query, so that a flood of such workouts costs
/// one connection and few queries. Workouts that name their zone never come here. Confined to its loop, hence
/// `@unchecked Sendable`.
final class ProfileZones: EndOfTurn, @unchecked Sendable {
    /// The zone of a user, or why it is not known.
    typealias Answer = Result<String, PostgresError>

    private let loop: EventLoop
    private let pool: PostgresPool
    private let store: PlanStore
    private let catalogue: ZoneCatalogue
    private var waiting: [UserID: [CheckedContinuation<Answer, Never>]] = [:]
    private var isBusy = false

    /// The zone of a user who has set none.
    static let defaultZone = "UTC"

    init(_ resources: LoopResources, store: PlanStore) {
        loop = resources.loop
        pool = resources.postgres
        catalogue = resources.zones
        self.store = store
    }

    /// The zone of a user; one that the system does not know any more counts as none.
    func zone(of user: UserID) async -> Answer {
        await withCheckedContinuation { continuation in
            waiting[user, default: []].append(continuation)
            guard !isBusy else { return }
            isBusy = true
            loop.atEndOfTurn(self)
        }
    }

    /// The requests of this turn have gathered.
    func turnEnded() { loop.submit { await self.run() } }

    private func run() async {
        while !waiting.isEmpty {
            let asked = waiting
            waiting = [:]
            do throws(PostgresError) {
                let zones = try await pool.transact { connection throws(PostgresError) in
                    try await store.zones(of: asked.keys.sorted(), on: connection)
                }
                for (user, callers) in asked {
                    let zone = zones[user].flatMap { catalogue.clock(of: $0) == nil ? nil : $0 } ?? Self.defaultZone
                    for caller in callers { caller.resume(returning: .success(zone)) }
                }
            } catch {
                for caller in asked.values.joined() { caller.resume(returning: .failure(error)) }
            }
        }
        isBusy = false
    }
}
