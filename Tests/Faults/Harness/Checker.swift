import StrideTestSupport

/// Judges what is stored by what was acknowledged: nothing lost, nothing twice, nothing invented, totals right.
///
/// A pure value. A read is judged by two ledgers: what had been acknowledged when it began must be in it, and what is in it
/// must have been sent by the time that it ended.
package struct Checker: Sendable {
    private let before: Ledger
    private let after: Ledger

    /// A judge of a read that began and ended with these ledgers.
    package init(before: Ledger, after: Ledger) {
        self.before = before
        self.after = after
    }

    /// A judge of what is there when everything is settled.
    package init(settled ledger: Ledger) { self.init(before: ledger, after: ledger) }

    /// What is wrong; empty when all is well.
    package func findings(in stored: StoredUser) -> [String] {
        let rows = Dictionary(grouping: stored.workouts, by: \.request)
        var findings: [String] = []
        for (request, rows) in rows where rows.count > 1 { findings.append("\(request) is there \(rows.count) times") }
        for (request, claim) in before.claims {
            if let finding = Self.loss(of: claim, rows[request]?.first) { findings.append("\(request) \(finding)") }
        }
        for row in stored.workouts {
            if let finding = invention(row) { findings.append("\(row.request) \(finding)") }
        }
        let folded = stored.foldedDays
        for day in Set(folded.keys).union(stored.days.keys) where folded[day] != stored.days[day] {
            findings.append("\(day) has \(text(stored.days[day])), its rows say \(text(folded[day]))")
        }
        return findings.sorted().map { "\(after.user): \($0)" }
    }

    /// What else must hold when nothing is under way: all is acknowledged, and the last version is the one that is stored.
    package func finalFindings(in stored: StoredUser) -> [String] {
        let rows = Dictionary(stored.workouts.map { ($0.request, $0) }) { first, _ in first }
        var findings = findings(in: stored)
        for (request, claim) in after.claims {
            if !claim.isSettled {
                findings.append("\(after.user): \(request) was never answered for good")
            } else if !claim.isDeletionAsked, let row = rows[request], row.version != claim.versions.last {
                findings.append("\(after.user): \(request) ends as \(row.version), not as it was sent last")
            }
        }
        return findings
    }

    /// An acknowledged workout must be there, as it was acknowledged or later, and deleted if that was acknowledged.
    private static func loss(of claim: Ledger.Claim, _ row: StoredWorkout?) -> String? {
        guard let acknowledged = claim.acknowledged else { return nil }
        guard let row else { return "was acknowledged and is not there" }
        guard row.id == claim.workoutID else { return "was told the id \(claim.workoutID ?? 0) and has \(row.id)" }
        if claim.isDeleted, !row.isDeleted { return "was deleted and is there" }
        guard let place = claim.versions.firstIndex(of: row.version) else { return nil }
        // A tombstone keeps what it had; later versions are acknowledged and change nothing.
        return place < acknowledged && !row.isDeleted ? "has an older version than was acknowledged" : nil
    }

    private func invention(_ row: StoredWorkout) -> String? {
        guard let claim = after.claims[row.request] else { return "is there and was never sent" }
        guard claim.versions.contains(row.version) else { return "says what was never sent: \(row.version)" }
        return row.isDeleted && !claim.isDeletionAsked ? "is deleted, which nobody asked for" : nil
    }

    private func text(_ figures: DayFigures?) -> String { figures?.description ?? "nothing" }
}
