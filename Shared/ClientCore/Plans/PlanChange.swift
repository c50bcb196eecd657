import Models

/// The plan that the user wants, or that there be none.
struct PlanChange {
    /// What is wanted.
    enum Kind {
        case create(Draft)
        /// Only if this is still the plan.
        case delete(UUIDValue)
    }

    /// A plan that the server has not seen.
    struct Draft {
        var requestID: UUIDValue
        var name: String?
        var start: Day
        var templateID: String?
        var goals: [WeeklyGoal]
        /// The plan that the user saw; nil: none.
        var replaces: UUIDValue?
        /// The draft that this one took the place of, which may have reached the server.
        var supersedes: UUIDValue?
    }

    var kind: Kind
    var state = ChangeState.waiting
    var version: Int64

    init(kind: Kind, version: Int64) {
        self.kind = kind
        self.version = version
    }
}

extension PlanChange.Draft {
    /// The body of the call that creates it.
    var body: [UInt8] {
        jsonObject { writer in
            writer.member("requestId", requestID.description)
            if let name { writer.member("planName", name) }
            writer.member("startDate", start)
            if let templateID {
                writer.member("templateId", templateID)
            } else {
                writer.name("weekly_goals")
                writer.beginArray()
                for (week, goal) in goals.enumerated() {
                    writer.beginObject()
                    writer.member("week", Int64(week))
                    PlanCodec.write(goal, to: &writer)
                    writer.endObject()
                }
                writer.endArray()
            }
            writer.optional("replaces", replaces?.description)
        }
    }

    /// Reads the body.
    init?(_ value: JSONValue) {
        guard let id = value.uuid("requestId"), let start = value.day("startDate") else { return nil }
        requestID = id
        name = value.text("planName")
        self.start = start
        templateID = value.text("templateId")
        goals = []
        for week in value.list("weekly_goals") ?? [] { goals.append(PlanCodec.goal(week) ?? WeeklyGoal()) }
        replaces = value.uuid("replaces")
    }
}

extension PlanChange {
    /// The stored form.
    var record: [UInt8] {
        jsonObject { writer in
            switch kind {
            case .create(let draft):
                writer.optional("create", raw: draft.body)
                writer.optional("supersedes", draft.supersedes?.description)
            case .delete(let id): writer.member("delete", id.description)
            }
            state.write(to: &writer)
        }
    }

    /// Reads a stored form; nil if it is none.
    init?(_ value: JSONValue) {
        if var draft = value.object("create").flatMap({ Draft($0) }) {
            draft.supersedes = value.uuid("supersedes")
            kind = .create(draft)
        } else if let id = value.uuid("delete") {
            kind = .delete(id)
        } else {
            return nil
        }
        state = ChangeState(value)
        version = 0
    }
}
