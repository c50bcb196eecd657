internal import Models

/// What a user's budget is for; each kind is counted on its own.
package enum BudgetKind: Sendable {
    /// Workouts that are sent or deleted.
    case workouts
    /// Calls that change plan, goal or profile.
    case plans
    /// Calls that change a leaderboard.
    case athletes

    func key(of user: UserID) -> String {
        switch self {
        case .workouts: CacheKey.workoutBudget(of: user)
        case .plans: CacheKey.planBudget(of: user)
        case .athletes: CacheKey.athleteBudget(of: user)
        }
    }
}
