import Models
import Tracker

extension Client {
    /// Today, the week, the plan, the queue and the tracker at a glance.
    func writeHome(to writer: inout JSONWriter) {
        let moment = ProgressMoment(now: Timestamp(milliseconds: now), timeZone: zones.name, clock: LocalZone(zones))
        let summary = ProgressSummary(
            plan: plans.plan, recurringGoal: plans.goal, weekStart: plans.profile?.weekStart ?? .monday, at: moment,
            totals: { totals(on: $0) })
        let today = summary.today
        writer.member("today", today)
        writer.member("time_zone", zones.name)
        if let name = summary.planName {
            writer.object("plan") { writer in
                writer.member("name", name)
                writer.member("state", Self.word(summary.planState))
                writer.member("week", Int64(summary.currentWeek))
                writer.member("weeks", Int64(summary.totalWeeks))
            }
        } else {
            writer.nullMember("plan")
        }
        writer.object("goal") { writer in
            switch summary.goalSource {
            case .plan: writer.member("source", "plan")
            case .weekly: writer.member("source", "weekly")
            case .noGoal: writer.member("source", "none")
            }
            PlanCodec.write(summary.weeklyGoal ?? WeeklyGoal(), to: &writer)
            writer.member("day_steps", summary.weeklyGoal?.stepsOfDay ?? 0)
        }
        writer.object("day") { amounts(on: today).write(to: &$0) }
        writer.object("week") { writer in
            writer.member("from", summary.weekStart)
            amounts(in: DaySpan(from: summary.weekStart, through: today)).write(to: &writer)
            writer.member(
                "met",
                summary.weeklyGoal.map { $0.isMet(steps: summary.week.steps, distance: summary.week.distance) } ?? false
            )
        }
        writer.list("days", Array(DaySpan.lastSeven(to: today).reversed())) { writer, day in
            writer.beginObject()
            writer.member("day", day)
            amounts(on: day).write(to: &writer)
            writer.endObject()
        }
        writeQueue(to: &writer)
        writeTrack(to: &writer)
    }

    /// What waits, and why.
    func writeQueue(to writer: inout JSONWriter) {
        let counts = workouts.counts
        let sending = sendingCount
        let gate = link[.upload]
        let isWaiting = !gate.isOpen(at: now)
        let hasWork = counts.waiting > 0 || counts.deleting > 0
        writer.object("queue") { writer in
            writer.member("waiting", counts.waiting)
            writer.member("sending", sending)
            writer.member("refused", counts.refused)
            writer.member("deleting", counts.deleting)
            let state =
                !link.isOnline
                ? "offline"
                : !link.isSignedIn
                    ? "sign_in" : sending > 0 ? "sending" : hasWork && isWaiting ? "waiting" : "idle"
            writer.member("state", state)
            writer.optional("retry_at", hasWork && isWaiting ? gate.until : nil)
        }
    }

    /// How many workouts are under way.
    private var sendingCount: Int64 {
        if case .upload(let sent)? = link.flight?.errand { return Int64(sent.count) }
        if case .deleteWorkout? = link.flight?.errand { return 1 }
        return 0
    }

    private func writeTrack(to writer: inout JSONWriter) {
        writer.object("track") { writer in
            writer.member("state", session.status.name)
            writer.optional("start", session.start)
            writer.member("steps", session.record?.steps ?? 0)
            writer.member("distance", Millimetres(session.record?.millimetres ?? 0))
            writer.optional("ends_at", session.endsAt)
        }
    }

    /// The word for where a plan stands.
    static func word(_ state: PlanState) -> String {
        switch state {
        case .noPlan: "none"
        case .upcoming: "upcoming"
        case .active: "active"
        case .finished: "finished"
        }
    }
}

/// The device's clock, or that of UTC before the start.
struct LocalZone: LocalClock {
    private let zones: Zones

    init(_ zones: Zones) { self.zones = zones }

    func offsetSeconds(at instant: Timestamp) -> Int { zones.device?.offsetSeconds(at: instant) ?? 0 }
}
