import Models

extension Client {
    /// Takes over what was recorded while nobody was signed in, from the records of that database.
    ///
    /// Only what was never sent: workouts, which are then this device's, and changes where this user has none. What
    /// is known already is left as it is, so that the same records may come again.
    func adopt(_ event: JSONValue) -> Bool {
        guard let records = event.list("records") else { return false }
        for record in records {
            guard let store = record.text("store"), let key = record.text("key"), let value = record.object("value")
            else { continue }
            if same(store, "workouts") {
                adoptWorkout(key, value)
            } else if same(store, "state") {
                adoptChange(key, value)
            } else if same(store, "boards"), key.utf8.starts(with: "change:".utf8) {
                adoptEntry(key, value)
            }
        }
        return true
    }

    private func adoptWorkout(_ key: String, _ value: JSONValue) {
        guard let id = UUIDValue(parsing: key), workouts[id] == nil, var workout = Workout(id: id, record: value),
            workout.state == .kept, workout.sent == nil
        else { return }
        workout.isLive = false
        workout.version.isOpen = false
        workout.device = device.id
        put(workout)
        askForZone(workout.zone)
    }

    private func adoptChange(_ key: String, _ value: JSONValue) {
        let version = plans.newVersion()
        if same(key, StateKey.planChange.name), plans.planChange == nil, var change = PlanChange(value) {
            change.version = version
            plans.planChange = change
            dirty.add(.state(.planChange))
        } else if same(key, StateKey.goalChange.name), plans.goalChange == nil {
            var change = GoalChange(value)
            change.version = version
            plans.goalChange = change
            dirty.add(.state(.goalChange))
        } else if same(key, StateKey.profileChange.name), plans.profileChange == nil {
            var change = ProfileChange(value)
            change.version = version
            plans.profileChange = change
            dirty.add(.state(.profileChange))
        }
    }

    private func adoptEntry(_ key: String, _ value: JSONValue) {
        guard let name = String(decoding: key.utf8.dropFirst(7), as: UTF8.self).boardName, board(name)?.change == nil,
            restoreBoard(key, value)
        else { return }
        let version = plans.newVersion()
        updateBoard(name) { $0.change?.version = version }
        dirty.add(.boardChange(name))
    }
}
