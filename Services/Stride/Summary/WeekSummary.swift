import Models

/// What the summary of a person says, as far as the bars show it.
struct WeekSummary: Equatable, Sendable {
    /// What was done on one day.
    struct DayEntry: Equatable, Sendable {
        var day: Day
        var steps: Int64
        var metres: Int64
    }

    var planName: String?
    var planState = "none"
    /// Counted from 0.
    var currentWeek: Int64 = 0
    var weekCount: Int64 = 0
    /// The last seven days, today last.
    var days: [DayEntry] = []
    var weekSteps: Int64 = 0
    var weekMetres: Int64 = 0
    var goalSteps: Int64?
    var goalMetres: Int64?
    var goalSource = "none"
    var timeZone = "UTC"
}

extension WeekSummary {
    /// Reads the answer of `GET /v1/progressSummary`; nil for any other document.
    init?(_ document: JSONValue) {
        guard let state = document.text("planState"), let zone = document.text("time_zone"),
            let source = document.text("goalSource"), let week = document.whole("currentWeek"),
            let weeks = document.whole("totalWeeksInPlan"), let steps = document.whole("weekSteps"),
            let metres = document.metres("weekDistance"), let days = Self.days(of: document)
        else { return nil }
        planName = document.text("planName")
        planState = state
        currentWeek = week
        weekCount = weeks
        self.days = days
        weekSteps = steps
        weekMetres = metres
        goalSteps = document[member: "weeklyGoal"]?.whole("steps")
        goalMetres = document[member: "weeklyGoal"]?.metres("distance")
        goalSource = source
        timeZone = zone
    }

    private static func days(of document: JSONValue) -> [DayEntry]? {
        guard case .array(let days)? = document[member: "days"], !days.isEmpty,
            case .array(let steps)? = document[member: "currentWeekSteps"], steps.count == days.count,
            case .array(let distances)? = document[member: "currentWeekDistances"], distances.count == days.count
        else { return nil }
        var entries: [DayEntry] = []
        for index in days.indices {
            guard case .string(let text) = days[index], let day = Day(parsing: text),
                case .number(let count) = steps[index], let steps = count.exactInteger,
                case .number(let distance) = distances[index], let millimetres = distance.thousandths()
            else { return nil }
            entries.append(DayEntry(day: day, steps: steps, metres: millimetres / 1000))
        }
        return entries.reversed()
    }
}

extension JSONValue {
    fileprivate func text(_ name: String) -> String? {
        if case .string(let text)? = self[member: name] { text } else { nil }
    }

    fileprivate func whole(_ name: String) -> Int64? {
        if case .number(let number)? = self[member: name] { number.exactInteger } else { nil }
    }

    fileprivate func metres(_ name: String) -> Int64? {
        if case .number(let number)? = self[member: name] { number.thousandths().map { $0 / 1000 } } else { nil }
    }
}
