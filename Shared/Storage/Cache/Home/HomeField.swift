internal import Models
internal import Redis

/// One field of a user's hash on its way to Redis.
struct HomeField {
    private let name: String
    private let revision: Int64
    private let value: String

    init(_ row: DayTotalsRow) {
        name = row.day.description
        revision = row.revision
        value = HomeFields.value(of: row)
    }

    init(plan: Revised<WorkoutPlan>) {
        name = HomeFields.plan
        revision = plan.revision
        value = HomeFields.value(of: plan.value)
    }

    init(goal: Revised<WeeklyGoal>) {
        name = HomeFields.goal
        revision = goal.revision
        value = HomeFields.value(of: goal.value)
    }

    init(profile: Revised<Profile>) {
        name = HomeFields.profile
        revision = profile.revision
        value = HomeFields.value(of: profile.value)
    }

    static func settings(of data: HomeData) -> [HomeField] {
        [HomeField(plan: data.plan), HomeField(goal: data.goal), HomeField(profile: data.profile)]
    }

    func append(to command: inout RedisCommand) {
        command.append(name)
        command.append(revision)
        command.append(value)
    }
}
