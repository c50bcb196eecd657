internal import Models

/// The names of a user's keys in Redis.
///
/// All of one user's keys carry the same hash tag, so that they lie on one node of a Redis Cluster and one script may
/// touch them together.
enum CacheKey {
    /// Hash: local day (`2026-11-30`) → `revision:steps:millimetres:workouts`.
    static func days(of user: UserID) -> String { "stride:{\(user.value)}:days" }

    /// String: the theoretical arrival time of the user's next workout, in microseconds of Redis' clock.
    static func workoutBudget(of user: UserID) -> String { "stride:{\(user.value)}:budget:workouts" }
}
