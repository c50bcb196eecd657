/// Writes lines of an export: one JSON object each, with its `kind` first (`application/x-ndjson`).
public struct ExportLines: Sendable {
    /// What has been written.
    public private(set) var bytes: [UInt8] = []
    /// How many lines that is.
    public private(set) var count = 0

    /// Nothing yet.
    public init() {}

    /// Adds a line.
    public mutating func add(_ item: ExportItem) {
        var writer = JSONWriter(reserving: 288)
        writer.beginObject()
        writer.member("kind", item.kind)
        writer.members(of: item)
        writer.endObject()
        bytes.append(contentsOf: writer.bytes)
        bytes.append(UInt8(ascii: "\n"))
        count += 1
    }
}

extension JSONWriter {
    fileprivate mutating func members(of item: ExportItem) {
        switch item {
        case .begin(let time):
            member("version", 1)
            member("asOf", time)
        case .profile(let profile):
            member("time_zone", profile.timeZone)
            member("week_start", profile.weekStart.word)
        case .weeklyGoal(let goal):
            if let steps = goal.steps { member("steps", steps) }
            if let distance = goal.distance { member("distance", distance) }
        case .plan(let plan, let isCurrent):
            planMembers(plan)
            member("current", isCurrent)
        case .athlete(let athlete, let challenge):
            member("challenge", challenge)
            athleteMembers(of: athlete.id, athlete.entry)
        case .result(let result):
            member("challenge", result.challenge)
            member("id", result.athleteID)
            if let score = result.score { member("score", score) } else { nullMember("score") }
            member("removed", result.isRemoval)
            member("recordedAt", result.recordedAt)
        case .day(let day, let totals):
            member("day", day)
            member("steps", totals.steps)
            member("distance", totals.distance)
            member("workouts", Int64(totals.workouts))
        case .workout(let workout, _): workoutMembers(workout)
        case .end(let lines): member("lines", Int64(lines))
        }
    }
}
