package import Models
package import Redis

/// What is shown after a commit; an older revision that comes late changes nothing.
extension HomeCache {
    /// Shows the current plan of a user, or that there is none.
    package func show(_ plan: Revised<WorkoutPlan>, of user: UserID) async throws(RedisError) {
        try await show([(user, [HomeField(plan: plan)])])
    }

    /// Shows the recurring goal of a user, or that there is none.
    package func show(_ goal: Revised<WeeklyGoal>, of user: UserID) async throws(RedisError) {
        try await show([(user, [HomeField(goal: goal)])])
    }

    /// Shows the profile of a user.
    package func show(_ profile: Revised<Profile>, of user: UserID) async throws(RedisError) {
        try await show([(user, [HomeField(profile: profile)])])
    }
}
