import Models

/// Puts the faults and outcomes of a batch into the order in which its items were sent.
enum BatchResults {
    /// - Parameters:
    ///   - items: all of them, faulty or not.
    ///   - body: the batch as it was sent, for the ids of faulty items.
    ///   - outcomes: of those that are not faulty.
    static func of(
        _ items: [Checked<NamedEntry>], _ body: JSONValue, _ outcomes: [AthleteOutcome]
    ) -> [AthleteItemResult] {
        var rest = outcomes[...]
        return items.enumerated().map { index, item in
            switch item {
            case .invalid(let faults): .rejected(id: id(at: index, of: body), .invalid(faults))
            case .valid(let athlete): result(of: rest.popFirst(), athlete.id)
            }
        }
    }

    private static func result(of outcome: AthleteOutcome?, _ id: Int64) -> AthleteItemResult {
        switch outcome {
        case .created(let id): .recorded(id: id, word: "created")
        case .updated(let id): .recorded(id: id, word: "updated")
        case .unchanged(let id): .recorded(id: id, word: "unchanged")
        case .belongsToUser: .rejected(id: id, Problem(.forbidden, detail: BoardAnswers.belongsToUser))
        case nil, .removed, .takesNoSelfReports, .freshIDTaken, .refused:
            .rejected(id: id, Problem(.internal, detail: "This could not be recorded."))
        }
    }

    private static func id(at index: Int, of body: JSONValue) -> Int64? {
        guard case .array(let items)? = body[member: "athletes"], index < items.count,
            case .number(let number)? = items[index][member: "id"]
        else { return nil }
        return number.exactInteger
    }
}
