import Testing

@testable import Models

/// What changes do to a challenge, as values.
@Suite struct LeaderboardLedgerTests {
    private let ann = UserID(UUIDValue(high: 1, low: 1))
    private let bob = UserID(UUIDValue(high: 2, low: 2))

    private func entry(_ score: Int64?, _ name: String = "A") -> AthleteEntry { AthleteEntry(name: name, score: score) }

    private func ledger(takesSelfReports: Bool = true, _ athletes: [StoredAthlete] = []) -> BoardLedger {
        var totals = BoardTotals()
        for athlete in athletes { totals.add(athlete.entry.score) }
        return BoardLedger(totals: totals, takesSelfReports: takesSelfReports, athletes: athletes)
    }

    @Test("New, different and the same are told apart; the sums follow")
    func outcomes() {
        var ledger = ledger([StoredAthlete(id: 1, entry: entry(5), owner: nil)])
        let changes: [(Int64, Int64?, AthleteOutcome)] = [
            (1, 5, .unchanged(id: 1)), (1, 3, .updated(id: 1)), (2, nil, .created(id: 2)), (2, 4, .updated(id: 2)),
            (2, 4, .unchanged(id: 2)), (3, 8, .created(id: 3)),
        ]
        for (id, score, outcome) in changes {
            #expect(ledger.apply(.record(NamedEntry(id: id, entry: entry(score)), by: bob)) == outcome)
        }
        #expect(ledger.apply(.remove(id: 3, by: bob)) == .removed && ledger.apply(.remove(id: 9, by: bob)) == .removed)
        #expect(ledger.totals == BoardTotals(participants: 2, completed: 2, scoreSum: 7))
        #expect(ledger.written.map(\.id) == [1, 2] && ledger.removed.isEmpty)
    }

    @Test("What ends as it began is not written")
    func nothing() {
        var ledger = ledger([StoredAthlete(id: 1, entry: entry(5), owner: nil)])
        _ = ledger.apply(.record(NamedEntry(id: 1, entry: entry(6)), by: nil))
        _ = ledger.apply(.record(NamedEntry(id: 1, entry: entry(5)), by: nil))
        _ = ledger.apply(.record(NamedEntry(id: 2, entry: entry(5)), by: nil))
        _ = ledger.apply(.remove(id: 2, by: nil))
        #expect(ledger.written.isEmpty && ledger.removed.isEmpty)
        #expect(ledger.totals == BoardTotals(participants: 1, completed: 1, scoreSum: 5))
        _ = ledger.apply(.remove(id: 1, by: nil))
        #expect(ledger.removed == [1] && ledger.totals == BoardTotals())
    }

    @Test("Two spellings of one letter are a change")
    func spelling() {
        var ledger = ledger([StoredAthlete(id: 1, entry: entry(5, "Jos\u{E9}"), owner: nil)])
        let other = NamedEntry(id: 1, entry: entry(5, "Jose\u{301}"))
        #expect(ledger.apply(.record(other, by: nil)) == .updated(id: 1) && ledger.written.count == 1)
    }

    @Test("An own entry is the user's alone, keeps its id, and is only where the challenge takes it")
    func own() {
        var ledger = ledger([StoredAthlete(id: 7, entry: entry(1), owner: ann)])
        #expect(ledger.apply(.recordOwn(entry(2), of: ann, fresh: 99)) == .updated(id: 7))
        #expect(ledger.apply(.recordOwn(entry(2), of: bob, fresh: 7)) == .freshIDTaken)
        #expect(ledger.apply(.recordOwn(entry(2), of: bob, fresh: 8)) == .created(id: 8))
        #expect(ledger.apply(.recordOwn(entry(2), of: bob, fresh: 10)) == .unchanged(id: 8))
        #expect(ledger.apply(.record(NamedEntry(id: 7, entry: entry(0)), by: bob)) == .belongsToUser)
        #expect(ledger.apply(.removeOwn(of: ann)) == .removed && ledger.apply(.removeOwn(of: ann)) == .removed)
        #expect(ledger.apply(.recordOwn(entry(3), of: ann, fresh: 11)) == .created(id: 11))
        #expect(ledger.written.map(\.owner) == [bob, ann] && ledger.removed == [7])
        var closed = self.ledger(takesSelfReports: false)
        #expect(closed.apply(.recordOwn(entry(2), of: ann, fresh: 9)) == .takesNoSelfReports)
        #expect(closed.apply(.removeOwn(of: ann)) == .takesNoSelfReports && closed.written.isEmpty)
    }

    @Test("Fresh ids lie in the upper half of the range")
    func fresh() {
        for _ in 0..<1000 {
            let id = AthleteChange.freshID()
            #expect(LeaderboardLimits.accepts(id) && id >= LeaderboardLimits.largestInteger / 2)
        }
    }

    @Test("Names of challenges, integers of paths and files have one spelling")
    func names() {
        for name in ["open", "a", "26-1", String(repeating: "z", count: 40)] {
            #expect(ChallengeName(name)?.text == name)
        }
        for name in ["", "Open", "a_b", "a b", "é", String(repeating: "z", count: 41)] {
            #expect(ChallengeName(name) == nil)
        }
        #expect(AthleteRules.integer("-9007199254740991") == -9_007_199_254_740_991)
        for text in ["", "+1", "01", "-0", "1.0", " 1", "1e3", "9007199254740992", "٣"] {
            #expect(AthleteRules.integer(text) == nil)
        }
    }
}
