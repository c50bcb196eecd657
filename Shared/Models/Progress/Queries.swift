/// The query of the list of workouts: those that start in `start ..< end`.
public struct WorkoutsQuery: Hashable, Sendable {
    /// The earliest start; nil for no bound.
    public var start: Timestamp?
    /// The instant before which they start; nil for no bound.
    public var end: Timestamp?
    /// The most workouts of the page, 1 … 1000.
    public var limit: Int
    /// After which workout the page begins; nil for the first.
    public var cursor: WorkoutCursor?

    /// Joins the parts; without arguments, the query that says nothing.
    public init(
        start: Timestamp? = nil, end: Timestamp? = nil, limit: Int = 200, cursor: WorkoutCursor? = nil
    ) {
        self.start = start
        self.end = end
        self.limit = limit
        self.cursor = cursor
    }

    /// Reads a query and lists all the rules that it breaks; both bounds may be left out.
    ///
    /// - Parameter parameter: the decoded value of a parameter; nil if the query does not have it.
    public static func decode(_ parameter: (String) -> String?) -> Checked<WorkoutsQuery> {
        var reader = QueryReader()
        let start = reader.instant("start_time", parameter("start_time"))
        let end = reader.instant("end_time", parameter("end_time"))
        if let start, let end, end <= start { reader.add("end_time", "must be after start_time") }
        let limit = reader.limit(parameter("limit"), default: 200)
        let cursor = reader.cursor(parameter("cursor")) { WorkoutCursor(text: $0) }
        return reader.checked(WorkoutsQuery(start: start, end: end, limit: limit, cursor: cursor))
    }
}

/// The query of the weeks of a plan.
public struct ProgressQuery: Hashable, Sendable {
    /// The most weeks of the page, 1 … 1000.
    public var limit: Int
    /// With which week the page begins; nil for week 0.
    public var cursor: ProgressCursor?

    /// Joins the parts; without arguments, the query that says nothing.
    public init(limit: Int = PlanLimits.weeks, cursor: ProgressCursor? = nil) {
        self.limit = limit
        self.cursor = cursor
    }

    /// Whether its page is one of this plan: a cursor of a plan that was replaced or deleted can no longer be served.
    public func fits(_ plan: WorkoutPlan?) -> Bool { cursor.map { $0.planID == plan?.planID } ?? true }

    /// Reads a query and lists all the rules that it breaks; `parameter` as for the workouts.
    public static func decode(_ parameter: (String) -> String?) -> Checked<ProgressQuery> {
        var reader = QueryReader()
        let limit = reader.limit(parameter("limit"), default: PlanLimits.weeks)
        let cursor = reader.cursor(parameter("cursor")) { ProgressCursor(text: $0) }
        return reader.checked(ProgressQuery(limit: limit, cursor: cursor))
    }
}

/// The query of the summary.
public struct SummaryQuery: Hashable, Sendable {
    /// The zone to which the summary belongs; nil for the profile's.
    public var timeZone: String?

    /// Reads a query and lists all the rules that it breaks; `parameter` as for the workouts.
    ///
    /// - Parameter isKnownZone: whether the time-zone database has a name; asked only for printable ASCII of at most 64 characters.
    public static func decode(
        _ parameter: (String) -> String?, isKnownZone: (String) -> Bool
    ) -> Checked<SummaryQuery> {
        var reader = QueryReader()
        let zone = reader.zone(parameter("time_zone"), isKnownZone: isKnownZone)
        return reader.checked(SummaryQuery(timeZone: zone))
    }
}

/// The query of the days.
public struct DaysQuery: Hashable, Sendable {
    /// The most days of one answer.
    public static let longest = 400

    /// The days, 1 … 400.
    public var days: DaySpan

    /// Reads a query and lists all the rules that it breaks; `parameter` as for the workouts.
    ///
    /// Both ends are required and included.
    public static func decode(_ parameter: (String) -> String?) -> Checked<DaysQuery> {
        var reader = QueryReader()
        let from = reader.day("from", parameter("from"))
        let to = reader.day("to", parameter("to"))
        guard let from, let to else { return .invalid(reader.faults.faults) }
        let days = DaySpan(from: from, through: to)
        if days.isEmpty { reader.add("to", "must not be before from") }
        if days.count > longest { reader.add("to", "must be at most 399 days after from") }
        return reader.checked(DaysQuery(days: days))
    }
}

/// The query of the changes.
public struct ChangesQuery: Hashable, Sendable {
    /// The most workouts of the page, 1 … 1000.
    public var limit: Int
    /// Up to where the client has followed; nil for the beginning.
    public var cursor: ChangesCursor?

    /// Joins the parts; without arguments, the query that says nothing.
    public init(limit: Int = 200, cursor: ChangesCursor? = nil) {
        self.limit = limit
        self.cursor = cursor
    }

    /// Reads a query and lists all the rules that it breaks; `parameter` as for the workouts.
    ///
    /// A cursor that nobody gave out is a fault here; one that is too old is the store's to refuse (410).
    public static func decode(_ parameter: (String) -> String?) -> Checked<ChangesQuery> {
        var reader = QueryReader()
        let limit = reader.limit(parameter("limit"), default: 200)
        let cursor = reader.cursor(parameter("cursor")) { ChangesCursor(text: $0) }
        return reader.checked(ChangesQuery(limit: limit, cursor: cursor))
    }
}
