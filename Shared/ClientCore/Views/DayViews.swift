import Models

extension Client {
    /// Days from today back, those without a workout too.
    func writeHistory(to writer: inout JSONWriter) {
        let today = zones.day(at: now)
        let span = DaySpan(from: today.advanced(by: 1 - views.historyRows), through: today)
        writer.name("days")
        writer.beginArray()
        for day in span.reversed() {
            let amounts = amounts(on: day)
            writer.beginObject()
            writer.member("day", day)
            amounts.write(to: &writer)
            writer.member("workouts", amounts.workouts)
            writer.endObject()
        }
        writer.endArray()
        let covered = sync.coveredFrom ?? today
        writer.member("more", span.start > covered || sync.hasEarlier)
    }

    /// A day and its workouts.
    func writeDay(_ day: Day, to writer: inout JSONWriter) {
        writer.member("day", day)
        amounts(on: day).write(to: &writer)
        writer.name("workouts")
        writer.beginArray()
        let noon = Int64(day.number) * Day.milliseconds + Day.milliseconds / 2
        for workout in workouts.items where workout.state != .gone {
            // Clocks are less than a day ahead of or behind UTC, and a workout lasts at most two.
            guard workout.start < noon + 2 * Day.milliseconds, workout.version.end > noon - 2 * Day.milliseconds else {
                continue
            }
            let segments = zones.segments(from: workout.start, to: workout.version.end, zone: workout.zone)
            if segments.contains(where: { $0.day == day }) { write(workout, to: &writer) }
        }
        writer.endArray()
    }

    /// A workout as screens list it.
    func write(_ workout: Workout, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("id", workout.id.description)
        writer.member("start_time", workout.start)
        writer.member("end_time", workout.version.end)
        writer.member("steps", Int64(workout.version.steps))
        writer.member("distance", Millimetres(workout.version.millimetres))
        writer.member("time_zone", workout.zone)
        writer.member("status", workout.version.isOpen ? "IN_PROGRESS" : "COMPLETE")
        writer.member("source", workout.source == .manual ? "manual" : "auto")
        writer.optional("device_id", workout.device)
        writer.member("is_mine", workout.device.map { same($0, device.id) } ?? false)
        writer.member("state", word(of: workout))
        writer.optional("reason", raw: workout.reason?.record)
        writer.endObject()
    }

    private func word(of workout: Workout) -> String {
        switch workout.state {
        case .refused: return "refused"
        case .deleting, .gone: return "deleting"
        case .kept:
            guard workout.isWaiting else { return "delivered" }
            if case .upload(let sent)? = link.flight?.errand, sent.contains(where: { $0.id == workout.id }) {
                return "sending"
            }
            return "waiting"
        }
    }
}
