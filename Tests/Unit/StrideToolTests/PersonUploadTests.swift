import Testing

@testable import StrideTool

/// What is sent next after each kind of answer.
@Suite struct PersonUploadTests {
    @Test("Workouts leave in batches, in order, and each verdict is counted once")
    func batches() throws {
        let workouts = try madeUpWorkouts(5)
        var upload = PersonUpload(subject: "replay-7", workouts: workouts, batch: 2)
        #expect(Array(upload.next) == Array(workouts[0..<2]))
        #expect(upload.answered([.created, .duplicate]) == PersonUpload.Step(created: 1, duplicates: 1))
        #expect(Array(upload.next) == Array(workouts[2..<4]))
        let step = upload.answered([.refused("no"), .created])
        #expect(step == PersonUpload.Step(created: 1, refused: [PersonUpload.Refusal(line: 4, reason: "no")]))
        #expect(Array(upload.next) == Array(workouts[4...]))
        #expect(upload.answered([.created]).pause == .zero)
        #expect(upload.next.isEmpty)
    }

    @Test("After a lost answer the same workouts go again, after pauses that grow to two seconds")
    func unreachable() throws {
        var upload = PersonUpload(subject: "replay-7", workouts: try madeUpWorkouts(5), batch: 2)
        let first = upload.next
        let pauses = (0..<6).map { _ in upload.unreachable().pause }
        #expect(pauses == [250, 500, 1000, 2000, 2000, 2000].map { .milliseconds($0) })
        #expect(upload.next == first)
        _ = upload.answered([.created, .created])
        #expect(upload.unreachable().pause == .milliseconds(250))
    }

    @Test("When the budget is used up, as many are sent as were admitted, and more again when all are")
    func userRate() throws {
        let full = BatchAnswer.Verdict.again(BatchAnswer.Pause(milliseconds: 900, isUserRate: true))
        let workouts = try madeUpWorkouts(12)
        var upload = PersonUpload(subject: "replay-7", workouts: workouts, batch: 6)
        let step = upload.answered([.created, .created, full, full, full, full])
        #expect(step == PersonUpload.Step(created: 2, pause: .milliseconds(900)))
        #expect(Array(upload.next) == Array(workouts[2..<4]))
        #expect(upload.deferred(BatchAnswer.Pause(milliseconds: 950, isUserRate: true)).pause == .milliseconds(950))
        #expect(Array(upload.next) == [workouts[2]])
        _ = upload.answered([.created])
        #expect(Array(upload.next) == Array(workouts[3..<5]))
        _ = upload.answered([.created, .created])
        _ = upload.answered([.created, .created, .created, .created])
        #expect(Array(upload.next) == Array(workouts[9...]))
    }

    @Test("A workout that is to come again comes before those not yet sent")
    func again() throws {
        let workouts = try madeUpWorkouts(4)
        var upload = PersonUpload(subject: "replay-7", workouts: workouts, batch: 2)
        _ = upload.answered([.again(BatchAnswer.Pause(milliseconds: 5)), .created])
        #expect(Array(upload.next) == [workouts[0], workouts[2]])
        #expect(upload.pendingCount == 3)
    }

    @Test("A wait of overload keeps the width, and no wait is endless or none at all")
    func deferred() throws {
        let workouts = try madeUpWorkouts(4)
        var upload = PersonUpload(subject: "replay-7", workouts: workouts, batch: 3)
        #expect(upload.deferred(BatchAnswer.Pause(milliseconds: .max)).pause == .seconds(60))
        #expect(upload.deferred(BatchAnswer.Pause(milliseconds: 0)).pause == .milliseconds(10))
        #expect(Array(upload.next) == Array(workouts[0..<3]))
    }
}
