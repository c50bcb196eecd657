/// A ready-made plan that a client can start under its id.
public struct PlanTemplate: Hashable, Sendable {
    /// Names it for ever: plans made from it are compared by this.
    public let id: String
    /// The name that a plan gets if the client sends none.
    public let name: String
    /// For whom it is, and where its progression comes from.
    public let description: String
    /// The goals of its weeks, from week 0 on, each above the one before.
    public let weeks: [WeeklyGoal]

    init(_ id: String, name: String, weeks: [WeeklyGoal], description: String) {
        self.id = id
        self.name = name
        self.description = description
        self.weeks = weeks
    }

    /// The template of an id, compared byte by byte; nil if there is none.
    public static func named(_ id: String) -> PlanTemplate? { all.first { hasSameBytes($0.id, id) } }

    /// The body of the list of all templates; written once.
    public static let listBody: [UInt8] = encodeList(all)

    /// The body of a list of templates.
    public static func encodeList(_ templates: [PlanTemplate]) -> [UInt8] {
        var writer = JSONWriter(reserving: 8192)
        writer.beginObject()
        writer.name("templates")
        writer.beginArray()
        for template in templates {
            writer.beginObject()
            writer.member("templateId", template.id)
            writer.member("planName", template.name)
            writer.member("description", template.description)
            writer.weeklyGoalsMember(template.weeks)
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
        return writer.bytes
    }
}
