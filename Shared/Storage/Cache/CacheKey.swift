internal import Models

/// The names of a user's keys in Redis.
///
/// All of one user's keys carry the same hash tag, so that they lie on one node of a Redis Cluster and one script may
/// touch them together.
enum CacheKey {
    /// Hash: what the home screen is made from (`HomeFields`).
    static func home(of user: UserID) -> String { user.value.description(after: "stride:{", before: "}:home") }

    /// String: the theoretical arrival time of the user's next workout, in microseconds of Redis' clock.
    static func workoutBudget(of user: UserID) -> String {
        user.value.description(after: "stride:{", before: "}:budget:workouts")
    }

    /// String: the same for the user's next call that changes plan, goal or profile.
    static func planBudget(of user: UserID) -> String {
        user.value.description(after: "stride:{", before: "}:budget:plans")
    }

    /// String: the same for the user's next call that changes a leaderboard.
    static func athleteBudget(of user: UserID) -> String {
        user.value.description(after: "stride:{", before: "}:budget:athletes")
    }
}
