import EventLoops
import Models
import Postgres
import Redis
import Storage

/// Compares the boards of challenges: the rows, the sums that are kept with them, and what Redis would answer.
///
/// Confined to the loop of its connections.
struct BoardVerification {
    /// What has been seen.
    struct Summary: Equatable, Sendable {
        var boards = 0
        var athletes = 0
        var differences = 0
    }

    let connection: PostgresConnection
    let store: LeaderboardStore
    let cache: BoardCache
    /// How long a doubtful board gets until it is looked at again.
    var patience = Duration.seconds(1)
    /// Takes one line for each difference.
    let report: @Sendable (String) -> Void

    /// How often a board is looked at that is changed meanwhile, or that differs.
    private static let looks = 5
    private static let pageSize = 1000

    /// All challenges, by name.
    func everything() async throws -> Summary {
        var summary = Summary()
        let challenges = try await store.revisions(on: connection).keys.sorted { $0.text < $1.text }
        for challenge in challenges {
            guard let look = try await settledLook(at: challenge) else { continue }
            summary.boards += 1
            summary.athletes += look.athletes
            summary.differences += look.lines.count
            for line in look.lines { report("board \(challenge.text): \(line)") }
        }
        return summary
    }

    /// One look at one board.
    private struct Look {
        var lines: [String] = []
        var athletes = 0
        /// Whether rows and board stood still meanwhile.
        var isStill = true
    }

    /// Looks until rows and board agree; what is reported has been seen twice at least, while nothing was written.
    private func settledLook(at challenge: ChallengeName) async throws -> Look? {
        var last: Look?
        for number in 1...Self.looks {
            guard let look = try await look(at: challenge) else { return nil }
            last = look
            if look.lines.isEmpty || (number > 1 && look.isStill) { return look }
            try await connection.loop.sleep(for: patience)
        }
        return last
    }

    /// Nil if the challenge is gone.
    private func look(at challenge: ChallengeName) async throws -> Look? {
        guard let head = try await store.head(of: challenge, on: connection) else { return nil }
        let held = try await cache.revisions(of: [challenge]).first ?? nil
        var look = Look()
        if let held, held != head.revision {
            look.lines.append("Redis is at revision \(held), PostgreSQL at \(head.revision)")
        }
        try await compareRows(of: challenge, head, isHeld: held != nil, into: &look)
        let heldAfter = try await cache.revisions(of: [challenge]).first ?? nil
        let headAfter = try await store.head(of: challenge, on: connection)
        look.isStill = heldAfter == held && headAfter?.revision == head.revision
        return look
    }

    private func compareRows(
        of challenge: ChallengeName, _ head: BoardHead, isHeld: Bool, into look: inout Look
    ) async throws {
        var (rows, shown) = (AthletesQuery(limit: Self.pageSize), AthletesQuery(limit: Self.pageSize))
        var (counted, hasMore) = (BoardTotals(), true)
        while hasMore {
            guard let page = try await store.page(rows, of: challenge, on: connection) else { return }
            for athlete in page.athletes { counted.add(athlete.entry.score) }
            look.athletes += page.athletes.count
            if isHeld {
                guard case .page(let other, _) = try await cache.page(shown, of: challenge) else {
                    return look.isStill = false
                }
                // Behind the first page that differs everything may be moved by one place.
                if let line = Self.difference(page, other) { return look.lines.append(line) }
                shown.cursor = other.next
            }
            (rows.cursor, hasMore) = (page.next, page.next != nil)
        }
        if isHeld, try await cache.summary(of: challenge) != (try await store.summary(of: challenge, on: connection)) {
            look.lines.append("Redis has other sums of days")
        }
        if counted != head.totals {
            look.lines.append("its sums are \(Self.text(head.totals)), its rows give \(Self.text(counted))")
        }
    }

    /// The first place at which two pages differ.
    private static func difference(_ page: BoardPage, _ other: BoardPage) -> String? {
        for (athlete, shown) in zip(page.athletes, other.athletes) where athlete != shown {
            return "athlete \(athlete.id) is \(text(athlete)), Redis has athlete \(shown.id) with \(text(shown))"
        }
        guard page == other else {
            return
                "\(page.athletes.count) of \(page.total) athletes, Redis has \(other.athletes.count) of \(other.total)"
        }
        return nil
    }

    private static func text(_ totals: BoardTotals) -> String {
        "\(totals.completed) of \(totals.participants) with \(totals.scoreSum)"
    }

    private static func text(_ athlete: RankedAthlete) -> String {
        "score \(athlete.entry.score.map { "\($0)" } ?? "none"), rank \(athlete.rank.map { "\($0)" } ?? "none")"
    }
}
