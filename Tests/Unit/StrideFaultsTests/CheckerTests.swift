import StrideFaults
import StrideTestSupport
import Testing

/// The judge itself: each kind of damage is found, and a sound state is not blamed.
@Suite struct CheckerTests {
    /// A walk of one hour on the first day, two hours after its midnight.
    private static let walk = WorkoutVersion(
        NaiveRecount.Span(from: 120, to: 180, steps: 5000, millimetres: 3_500_000, device: "phone"))

    private static func walk(_ steps: Int, isComplete: Bool = true) -> WorkoutVersion {
        var version = walk
        version.span.steps = steps
        version.isComplete = isComplete
        return version
    }

    /// A ledger of one acknowledged walk.
    private static func ledger() -> Ledger {
        var ledger = Ledger(user: "anna")
        ledger.willSend(walk, as: "a")
        ledger.acknowledged(walk, as: "a", id: 7, .created)
        return ledger
    }

    private static func stored(_ rows: [StoredWorkout], steps: Int = 5000, millimetres: Int = 3_500_000) -> StoredUser {
        let figures = DayFigures(steps, millimetres, rows.count { !$0.isDeleted })
        return StoredUser(workouts: rows, days: figures.workouts == 0 ? [:] : ["2025-06-10": figures])
    }

    @Test("a row as it was acknowledged, with its day, is right")
    func sound() {
        let stored = Self.stored([StoredWorkout("a", id: 7, Self.walk)])
        #expect(Checker(settled: Self.ledger()).finalFindings(in: stored) == [])
    }

    @Test("an acknowledged workout that is not there is found")
    func lost() {
        let findings = Checker(settled: Self.ledger()).findings(in: Self.stored([]))
        #expect(findings == ["anna: a was acknowledged and is not there"])
    }

    @Test("a workout that was not yet acknowledged when the read began may be missing, and may be there")
    func underWay() {
        var before = Ledger(user: "anna")
        before.willSend(Self.walk, as: "a")
        let checker = Checker(before: before, after: Self.ledger())
        #expect(checker.findings(in: Self.stored([])) == [])
        #expect(checker.findings(in: Self.stored([StoredWorkout("a", id: 7, Self.walk)])) == [])
    }

    @Test("two rows of one request are found, and so are totals that count it twice")
    func doubled() {
        let twice = [StoredWorkout("a", id: 7, Self.walk), StoredWorkout("a", id: 8, Self.walk)]
        let findings = Checker(settled: Self.ledger()).findings(
            in: Self.stored(twice, steps: 10_000, millimetres: 7_000_000))
        #expect(findings.contains("anna: a is there 2 times"))
        let once = Self.stored([StoredWorkout("a", id: 7, Self.walk)], steps: 10_000)
        #expect(
            Checker(settled: Self.ledger()).findings(in: once) == [
                "anna: 2025-06-10 has 10000 steps, 3500000 mm, 1 workouts, its rows say 5000 steps, 3500000 mm, 1 workouts"
            ])
    }

    @Test("a row that nobody sent is found, and so is one that says what nobody sent")
    func invented() {
        let ledger = Ledger(user: "anna")
        let stored = Self.stored([StoredWorkout("a", id: 7, Self.walk)])
        #expect(Checker(settled: ledger).findings(in: stored) == ["anna: a is there and was never sent"])
        let other = Self.stored([StoredWorkout("a", id: 7, Self.walk(4999))], steps: 4999)
        let findings = Checker(settled: Self.ledger()).findings(in: other)
        #expect(findings.count == 1)
        #expect(findings.first?.hasPrefix("anna: a says what was never sent") == true)
    }

    @Test("another id than was told is found, in a row and in a later answer")
    func otherID() {
        let stored = Self.stored([StoredWorkout("a", id: 8, Self.walk)])
        #expect(
            Checker(settled: Self.ledger()).findings(in: stored) == ["anna: a was told the id 7 and has 8"])
        var ledger = Self.ledger()
        ledger.acknowledged(Self.walk, as: "a", id: 8, .duplicate)
        #expect(ledger.violations == ["anna: a is workout 7 and then 8"])
    }

    @Test("a workout that is created twice is found even if one row is left")
    func createdTwice() {
        var ledger = Self.ledger()
        ledger.acknowledged(Self.walk, as: "a", id: 7, .created)
        #expect(ledger.violations == ["anna: a was created twice"])
    }

    @Test("an update that was acknowledged and is not there is found; one that is ahead of its answer is not")
    func updates() {
        let (first, second) = (Self.walk(100, isComplete: false), Self.walk(200))
        var ledger = Ledger(user: "anna")
        ledger.willSend(first, as: "a")
        ledger.acknowledged(first, as: "a", id: 7, .created)
        ledger.willSend(second, as: "a")
        let ahead = Self.stored([StoredWorkout("a", id: 7, second)], steps: 200)
        #expect(Checker(settled: ledger).findings(in: ahead) == [])
        ledger.acknowledged(second, as: "a", id: 7, .updated)
        let behind = Self.stored([StoredWorkout("a", id: 7, first)], steps: 100)
        #expect(
            Checker(settled: ledger).findings(in: behind) == ["anna: a has an older version than was acknowledged"])
        #expect(Checker(settled: ledger).finalFindings(in: ahead) == [])
    }

    @Test("deletions: one that was acknowledged holds, one that nobody asked for is found")
    func deletions() {
        let (row, tombstone) = (
            StoredWorkout("a", id: 7, Self.walk), StoredWorkout("a", id: 7, Self.walk, isDeleted: true)
        )
        #expect(
            Checker(settled: Self.ledger()).findings(in: Self.stored([tombstone])) == [
                "anna: a is deleted, which nobody asked for"
            ])
        var ledger = Self.ledger()
        ledger.willDelete("a")
        #expect(Checker(settled: ledger).findings(in: Self.stored([row])) == [])
        #expect(Checker(settled: ledger).findings(in: Self.stored([tombstone])) == [])
        ledger.acknowledgedDeletion(of: "a")
        #expect(Checker(settled: ledger).findings(in: Self.stored([row])) == ["anna: a was deleted and is there"])
        #expect(Checker(settled: ledger).finalFindings(in: Self.stored([tombstone])) == [])
    }

    @Test("in the end nothing may be left unanswered")
    func unanswered() {
        var ledger = Self.ledger()
        ledger.willSend(Self.walk, as: "b")
        let stored = Self.stored([StoredWorkout("a", id: 7, Self.walk)])
        #expect(Checker(settled: ledger).findings(in: stored) == [])
        #expect(Checker(settled: ledger).finalFindings(in: stored) == ["anna: b was never answered for good"])
    }
}
