import Models
import Testing

@testable import StrideTool

/// What the sender understands of ingest's answers.
@Suite struct BatchAnswerTests {
    @Test("Each workout gets its verdict, in the order sent")
    func verdicts() throws {
        let sent = try madeUpWorkouts(6)
        let wait = Problem(.tryAgainLater, detail: "Full.", reason: .userRate, retryAfterMilliseconds: 1234)
        let outcomes: [BatchItemResult.Outcome] = [
            .created(workoutID: 1), .duplicate(workoutID: 2),
            .rejected(Problem(.idempotencyKeyReused, detail: "Other content.")), .rejected(wait),
            .rejected(Problem(.internal, detail: "Broken.")), .updated(workoutID: 3),
        ]
        let results = zip(sent, outcomes).map { BatchItemResult(requestID: $0.requestID.description, outcome: $1) }
        let answer = BatchAnswer(status: 200, body: BatchItemResult.encode(results), sent: sent)
        #expect(
            answer
                == .verdicts([
                    .created, .duplicate, .refused("IDEMPOTENCY_KEY_REUSED: Other content."),
                    .again(BatchAnswer.Pause(milliseconds: 1234, isUserRate: true)),
                    .again(BatchAnswer.Pause(milliseconds: 1000)), .refused("an unknown result: updated"),
                ]))
    }

    @Test("An answer about other workouts, or about fewer, is not taken for one about these")
    func otherAnswer() throws {
        let sent = try madeUpWorkouts(2)
        let one = BatchItemResult(requestID: sent[0].requestID.description, outcome: .created(workoutID: 1))
        let notThis = BatchAnswer.refused("the answer is not the one to this batch")
        for results in [[one], [one, one], [one, one, one]] {
            #expect(BatchAnswer(status: 200, body: BatchItemResult.encode(results), sent: sent) == notThis)
        }
        for text in ["", "{}", "[]", "null", #"{"results":5}"#] {
            #expect(BatchAnswer(status: 200, body: Array(text.utf8), sent: sent) == notThis)
        }
    }

    @Test("Whatever asks to wait is waited for, a second when it does not say how long")
    func waits() throws {
        let sent = try madeUpWorkouts(1)
        func answer(_ problem: Problem) -> BatchAnswer {
            BatchAnswer(status: problem.status, body: problem.encode(), sent: sent)
        }
        #expect(
            answer(Problem(.tryAgainLater, detail: "", reason: .userRate, retryAfterMilliseconds: 950))
                == .wait(BatchAnswer.Pause(milliseconds: 950, isUserRate: true)))
        #expect(
            answer(Problem(.tryAgainLater, detail: "", reason: .draining, retryAfterMilliseconds: 200))
                == .wait(BatchAnswer.Pause(milliseconds: 200)))
        #expect(answer(Problem(.internal, detail: "")) == .wait(BatchAnswer.Pause(milliseconds: 1000)))
        #expect(
            BatchAnswer(status: 502, body: Array("<html>".utf8), sent: sent)
                == .wait(BatchAnswer.Pause(milliseconds: 1000)))
    }

    @Test("A refusal of the whole call is final and says why")
    func refusals() throws {
        let sent = try madeUpWorkouts(1)
        let problem = Problem(.unauthenticated, detail: "No token.")
        #expect(
            BatchAnswer(status: 401, body: problem.encode(), sent: sent) == .refused("401 UNAUTHENTICATED: No token."))
        #expect(
            BatchAnswer(status: 404, body: [], sent: sent) == .refused("404 without a code: no detail"))
    }
}
