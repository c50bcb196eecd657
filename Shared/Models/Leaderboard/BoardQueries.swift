/// The query of a board's pages.
public struct AthletesQuery: Hashable, Sendable {
    /// The most athletes of the page, 1 … 1000.
    public var limit: Int
    /// Where the page before ended; nil for the top.
    public var cursor: BoardCursor?

    /// Joins the parts; without arguments, the top hundred.
    public init(limit: Int = 100, cursor: BoardCursor? = nil) {
        self.limit = limit
        self.cursor = cursor
    }

    /// Reads a query and lists all the rules that it breaks; `parameter` gives the first value of a name, or nil.
    public static func decode(_ parameter: (String) -> String?) -> Checked<AthletesQuery> {
        var reader = QueryReader()
        let limit = reader.limit(parameter("limit"), default: 100)
        let cursor = reader.cursor(parameter("cursor")) { BoardCursor(text: $0) }
        return reader.checked(AthletesQuery(limit: limit, cursor: cursor))
    }
}

/// The query of one athlete.
public enum AroundQuery {
    /// Reads how many neighbours are wanted on each side, 0 … 50; 0 if left out.
    public static func decode(_ parameter: (String) -> String?) -> Checked<Int> {
        guard let text = parameter("around") else { return .valid(0) }
        guard let value = AthleteRules.integer(text), (0...Int64(LeaderboardLimits.around)).contains(value) else {
            return .invalid([Fault(pointer: "/query/around", detail: "must be an integer from 0 to 50")])
        }
        return .valid(Int(value))
    }
}
