import Models

extension Client {
    /// What a screen should say beside its numbers, the most important first.
    func writeNotices(for view: Views.Open, to writer: inout JSONWriter) {
        writer.name("notices")
        writer.beginArray()
        if told.wantsSignIn || !link.isSignedIn { Self.notice("sign_in", to: &writer) }
        if !link.isOnline { Self.notice("offline", to: &writer) }
        if let error = shownClockError { Self.notice("clock", "milliseconds", error, to: &writer) }
        if case .conflict? = plans.planChange?.state { Self.notice("conflict", to: &writer) }
        let refused = workouts.counts.refused
        if refused > 0 { Self.notice("refused", "count", refused, to: &writer) }
        if let failure = failure(of: view.kind, view.key) {
            let gate = link[view.kind == .leaderboard ? .board : .read]
            writer.beginObject()
            writer.member("code", "stale")
            writer.member("detail", failure)
            writer.member("reason", gate.cause.name)
            writer.optional("retry_at", gate.isOpen(at: now) ? nil : gate.until)
            writer.endObject()
        }
        if !link[.upload].isOpen(at: now) {
            writer.beginObject()
            writer.member("code", "waiting")
            writer.member("retry_at", link[.upload].until)
            writer.member("reason", link[.upload].cause.name)
            writer.endObject()
        }
        if isIncomplete(view) { Self.notice("incomplete", to: &writer) }
        writer.endArray()
    }

    /// A clock that is less than this wrong is right enough, in milliseconds: answers are under way for a while.
    private static let rightEnough: Int64 = 120_000

    /// How wrong the device's clock was when it was last compared with the server's or, if that was in an earlier life,
    /// when a workout was refused for it.
    private var shownClockError: Int64? {
        if let clockError { return clockError.magnitude >= Self.rightEnough.magnitude ? clockError : nil }
        return workouts.items.last { $0.state == .refused && $0.reason?.clockError != nil }?.reason?.clockError
    }

    private func failure(of kind: Views.Kind, _ key: [UInt8]) -> String? {
        kind == .leaderboard ? board(key)?.failure : sync.failure
    }

    /// Whether the device lacks a part of what the screen is about.
    private func isIncomplete(_ view: Views.Open) -> Bool {
        switch view.kind {
        case .home: return !sync.isComplete
        case .plan: return plans.plan.map { plan in sync.coveredFrom.map { plan.startDate < $0 } ?? true } ?? false
        case .history: return sync.coveredFrom == nil
        case .day:
            guard let day = Day(parsing: String(decoding: view.key, as: UTF8.self)) else { return false }
            let oldest = zones.day(at: now).advanced(by: -SyncState.keptDays)
            return !sync.isComplete || day < oldest
        case .leaderboard, .settings: return false
        }
    }

    private static func notice(_ code: String, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("code", code)
        writer.endObject()
    }

    private static func notice(_ code: String, _ name: MemberName, _ value: Int64, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("code", code)
        writer.member(name, value)
        writer.endObject()
    }
}
