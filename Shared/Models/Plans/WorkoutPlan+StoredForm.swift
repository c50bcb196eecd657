extension WorkoutPlan {
    /// The plan as compact JSON for a cache: a version, then its parts in a fixed order.
    ///
    /// `[1,"planId","requestId","name",false,"2026-11-30",[[20000,5000000]],1764460800000,null]`, distances in millimetres.
    public func storedForm() -> [UInt8] {
        var writer = JSONWriter(reserving: 160 + weeks.count * 18)
        writer.beginArray()
        writer.integer(Self.formVersion)
        writer.string(planID.description)
        writer.string(requestID.description)
        writer.string(name)
        writer.bool(isNameOfTemplate)
        writer.string(startDate.description)
        writer.storedWeeks(weeks)
        writer.integer(createdAt.milliseconds)
        if let templateID { writer.string(templateID) } else { writer.null() }
        writer.endArray()
        return writer.bytes
    }

    /// Reads what `storedForm` wrote; nil for anything else, so that a damaged or foreign entry is read from the database instead.
    public init?(storedForm bytes: [UInt8]) { self.init(storedForm: bytes[...]) }

    /// The same of a piece of bytes, which is not copied.
    public init?(storedForm bytes: ArraySlice<UInt8>) {
        var scanner = StoredPlanScanner(bytes)
        if let plan = scanner.plan(version: Self.formVersion) {
            self = plan
            return
        }
        do throws(JSONError) {
            self.init(stored: try JSONValue.parse(Array(bytes)))
        } catch {
            return nil
        }
    }

    private static let formVersion: Int64 = 1

    private init?(stored value: JSONValue) {
        guard case .array(let parts) = value, parts.count == 9,
            parts[0] == .number(JSONNumber(Self.formVersion)),
            case .string(let planText) = parts[1], let planID = UUIDValue(parsing: planText),
            case .string(let requestText) = parts[2], let requestID = UUIDValue(parsing: requestText),
            case .string(let name) = parts[3], case .bool(let isNameOfTemplate) = parts[4],
            case .string(let dayText) = parts[5], let startDate = Day(parsing: dayText),
            let weeks = WeeklyGoal.weeks(stored: parts[6]),
            case .number(let created) = parts[7], let createdAt = created.exactInteger
        else { return nil }
        var templateID: String?
        switch parts[8] {
        case .null: templateID = nil
        case .string(let id): templateID = id
        default: return nil
        }
        self.init(
            planID: planID, requestID: RequestID(requestID), name: name, isNameOfTemplate: isNameOfTemplate,
            startDate: startDate, weeks: weeks, createdAt: Timestamp(milliseconds: createdAt), templateID: templateID)
    }
}
