import Models
import Postgres
import ServiceKit
import Storage

/// Makes the plan that a user sends the current one, once.
///
/// Confined to its loop, hence `@unchecked Sendable`.
final class CreatePlan: @unchecked Sendable {
    private let store: PlanStore
    private let pool: PostgresPool
    private let shows: CacheSettings
    private let zones: ZoneCatalogue
    private let clock: WallClock

    init(store: PlanStore, pool: PostgresPool, shows: CacheSettings, zones: ZoneCatalogue, clock: WallClock) {
        self.store = store
        self.pool = pool
        self.shows = shows
        self.zones = zones
        self.clock = clock
    }

    /// What became of it.
    enum Outcome {
        /// It is the current plan.
        case created(WorkoutPlan, requestIDText: String)
        /// The call has made this plan before.
        case repeated(WorkoutPlan, isCurrent: Bool, requestIDText: String)
        /// It breaks rules.
        case faulty([Fault])
        /// The request id already means another plan.
        case reused
        /// The client has another current plan in mind than this.
        case conflict(current: WorkoutPlan?)
        /// The user was erased, and the token does not count, or not yet.
        case refused(ErasureStanding)
    }

    /// Reads a body and carries it out.
    func create(_ value: JSONValue, of writer: Writer) async throws(PostgresError) -> Outcome {
        let user = writer.user
        let now = clock.now
        let submission: PlanSubmission
        switch try await decode(value, of: user, now: now) {
        case .invalid(let faults): return .faulty(faults)
        case .valid(let valid): submission = valid
        }
        let plan = submission.plan(id: .random(), createdAt: now)
        let creation = try await pool.transact { connection throws(PostgresError) in
            try await store.create(plan, replacing: submission.replaces, of: writer, on: connection)
        }
        switch creation {
        case .created(let change):
            await shows.show(change.now, of: user, mark: change.mark)
            return .created(plan, requestIDText: submission.requestIDText)
        case .repeated(let made, let current):
            // Whoever made it may not have come so far as to show it.
            await shows.show(current, of: user, mark: nil)
            return .repeated(
                made, isCurrent: made.planID == current.value?.planID, requestIDText: submission.requestIDText)
        case .reused: return .reused
        case .conflict(let current): return .conflict(current: current)
        case .refused(let standing): return .refused(standing)
        }
    }

    /// Checks a body against today as the user's zone has it.
    ///
    /// Zones are at most a day apart from UTC, so the profile is read only when that day makes a difference.
    private func decode(
        _ value: JSONValue, of user: UserID, now: Timestamp
    ) async throws(PostgresError) -> Checked<PlanSubmission> {
        let today = ZoneOffsets(fixed: 0).day(at: now)
        let strict = PlanSubmission.decode(value, today: today.advanced(by: -1))
        guard case .invalid = strict, strict != PlanSubmission.decode(value, today: today.advanced(by: 1)) else {
            return strict
        }
        let profile = try await pool.transact { connection throws(PostgresError) in
            try await store.profile(of: user, on: connection)
        }
        let local = zones.clock(of: profile.timeZone) ?? ZoneOffsets(fixed: 0)
        return PlanSubmission.decode(value, today: local.day(at: now))
    }
}
