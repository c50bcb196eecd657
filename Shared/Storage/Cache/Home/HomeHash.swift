internal import Models
internal import Redis

/// A user's hash as Redis answers it.
struct HomeHash {
    private var fields: [String: String] = [:]
    private let user: UserID

    init(_ reply: RESPValue, user: UserID) {
        self.user = user
        let elements = reply.elements ?? []
        for index in stride(from: 0, to: elements.count - 1, by: 2) {
            guard let name = elements[index].text, let value = elements[index + 1].text else { continue }
            fields[name] = value
        }
    }

    /// For which pair of servers it was written.
    var generation: String? { fields[HomeFields.generation] }

    /// The days that it holds; damaged ones are left out.
    var days: [Day: DayTotalsRow] {
        var days: [Day: DayTotalsRow] = [:]
        for (name, text) in fields {
            guard let day = Day(parsing: name), let row = HomeFields.row(text, user: user, day: day) else { continue }
            days[day] = row
        }
        return days
    }

    /// Whether a fill has said that everything is there, for this pair of servers.
    func isComplete(in generation: String) -> Bool {
        self.generation == generation && fields[HomeFields.complete] != nil
    }

    /// Everything, when it is complete, sound and of the right generation.
    ///
    /// A day that cannot be read would look like one on which nothing was done.
    func data(in generation: String) -> HomeData? {
        let days = days
        guard self.generation == generation, days.count == fields.keys.count(where: { Day(parsing: $0) != nil }),
            let firstDay = fields[HomeFields.complete].flatMap({ Day(parsing: $0) }),
            let plan = fields[HomeFields.plan].flatMap(HomeFields.plan),
            let goal = fields[HomeFields.goal].flatMap(HomeFields.goal),
            let profile = fields[HomeFields.profile].flatMap(HomeFields.profile)
        else { return nil }
        return HomeData(days: days, firstDay: firstDay, plan: plan, goal: goal, profile: profile)
    }
}

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
