import Models

extension Client {
    /// Takes stored records; what cannot be read is reported and left where it is.
    func restore(_ event: JSONValue) -> Bool {
        guard !isStarted, let records = event.list("records") else { return false }
        for record in records {
            guard let store = record.text("store"), let key = record.text("key"), let value = record.object("value"),
                restore(store, key, value)
            else {
                report("unreadable_record", (record.text("store") ?? "") + "/" + (record.text("key") ?? ""))
                continue
            }
        }
        return true
    }

    private func restore(_ store: String, _ key: String, _ value: JSONValue) -> Bool {
        if same(store, "workouts") {
            guard let id = UUIDValue(parsing: key), let workout = Workout(id: id, record: value) else { return false }
            workouts.put(workout)
        } else if same(store, "days") {
            guard let day = Day(parsing: key), let totals = Days.totals(value) else { return false }
            days.set(totals, on: day)
        } else if same(store, "boards") {
            return restoreBoard(key, value)
        } else if same(store, "state"), let name = StateKey.allCases.first(where: { same($0.name, key) }) {
            return restore(name, value)
        } else {
            return false
        }
        return true
    }

    private func restore(_ key: StateKey, _ value: JSONValue) -> Bool {
        switch key {
        case .sync: sync = SyncState(value)
        case .device:
            device.id = value.text("device_id") ?? ""
            device.strideMillimetres = max(300, min(1500, value.integer("stride_mm") ?? 740))
        case .plan:
            plans.plan = value.object("plan").flatMap { PlanCodec.plan($0) }
        case .goal: plans.goal = value.object("goal").flatMap { PlanCodec.goal($0) }
        case .profile: plans.profile = PlanCodec.profile(value)
        case .templates: plans.templates = value.list("templates")
        case .planChange: plans.planChange = PlanChange(value)
        case .goalChange: plans.goalChange = GoalChange(value)
        case .profileChange: plans.profileChange = ProfileChange(value)
        case .waits:
            link.waits = (value.list("lanes") ?? []).map { Gate($0) }
            told.waits = link.waits
        }
        return true
    }

    /// The stored form of a record; nil if it is to be removed.
    func record(_ item: Dirty) -> RecordChange {
        switch item {
        case .workout(let id):
            RecordChange(store: "workouts", key: id.description, value: workouts[id]?.record)
        case .day(let day): RecordChange(store: "days", key: day.description, value: days.record(of: day))
        case .state(let key): RecordChange(store: "state", key: key.name, value: value(of: key))
        case .board(let name):
            RecordChange(
                store: "boards", key: String(decoding: name, as: UTF8.self), value: board(name)?.record)
        case .boardChange(let name):
            RecordChange(
                store: "boards", key: "change:" + String(decoding: name, as: UTF8.self),
                value: board(name)?.change?.record)
        }
    }

    private var waitsRecord: [UInt8]? {
        let waits = link.waits
        guard waits.contains(where: { $0.wasTold }) else { return nil }
        return jsonObject { $0.list("lanes", waits) { $1.write(to: &$0) } }
    }

    private func value(of key: StateKey) -> [UInt8]? {
        switch key {
        case .sync: sync.record
        case .device: device.record
        case .plan: plans.plan.map { plan in jsonObject { $0.optional("plan", raw: plan.encode()) } }
        case .goal: plans.goal.map { goal in jsonObject { $0.optional("goal", raw: goal.encode()) } }
        case .profile: plans.profile?.encode()
        case .templates: plans.templates.map { list in jsonObject { $0.list("templates", list) { $0.value($1) } } }
        case .planChange: plans.planChange?.record
        case .goalChange: plans.goalChange?.record
        case .profileChange: plans.profileChange?.record
        case .waits: waitsRecord
        }
    }
}
