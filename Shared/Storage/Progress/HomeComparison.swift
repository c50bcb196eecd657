internal import Models

/// Decides whether what the cache would answer agrees with what PostgreSQL holds.
///
/// A pure value, so that every case can be tried without a server.
package struct HomeComparison: Sendable {
    /// What PostgreSQL held at the first look.
    package let first: HomeData
    /// What it holds at the last look, read after the cache.
    package let last: HomeData

    /// Makes a comparison; with one look both are the same.
    package init(first: HomeData, last: HomeData) {
        self.first = first
        self.last = last
    }

    /// Whether the cache is wrong in anything.
    package func isWrong(_ cached: HomeData) -> Bool { !wrongParts(cached).isEmpty }

    /// What the cache is wrong in: days in their order, then `plan`, `goal`, `profile`.
    ///
    /// While writers are at work it may lag behind the last look, but not behind the first one, since when it has had
    /// time; and it may never be ahead of what was read after it.
    package func wrongParts(_ cached: HomeData) -> [String] {
        let begin = max(cached.firstDay, max(first.firstDay, last.firstDay))
        let days = Set([cached, first, last].flatMap { $0.days.rows.map(\.day) })
        let wrongDays = days.filter { day in
            day >= begin
                && Self.isWrong(
                    Self.entry(cached, day), first: Self.entry(first, day), last: Self.entry(last, day))
        }
        var parts = wrongDays.sorted().map(\.description)
        if Self.isWrong(cached.plan, first: first.plan, last: last.plan) { parts.append("plan") }
        if Self.isWrong(cached.goal, first: first.goal, last: last.goal) { parts.append("goal") }
        if Self.isWrong(cached.profile, first: first.profile, last: last.profile) { parts.append("profile") }
        return parts
    }

    private static func isWrong<Value>(
        _ cached: Revised<Value>, first: Revised<Value>, last: Revised<Value>
    ) -> Bool {
        cached.revision < first.revision || cached.revision > last.revision
            || (cached.revision == last.revision && cached.value != last.value)
    }

    /// A day that is not there is a day that was never changed.
    private static func entry(_ home: HomeData, _ day: Day) -> Revised<DayTotals> {
        Revised(revision: home.days[day]?.revision ?? 0, value: home.totals(of: day))
    }
}
