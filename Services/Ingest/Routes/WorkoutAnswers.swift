import HTTP
import Models
import ServiceKit
import Storage

/// Turns outcomes into what the contract says that a client gets.
struct WorkoutAnswers: Sendable {
    let budget: RateBudget
    let clock: WallClock

    /// The name of the budget in the fields that clients read.
    static let policy = "workouts"

    /// Nothing can be taken now.
    func refused(
        _ refusal: CommitRefusal, _ request: HTTPRequest, _ decision: RateBudget.Decision
    ) -> HTTPResponse {
        answer(Self.refused(refusal, request.id), decision)
    }

    /// The body is no JSON.
    func malformed(_ error: JSONError, _ request: HTTPRequest, _ decision: RateBudget.Decision) -> HTTPResponse {
        answer(Problem(.invalidRequest, detail: error.description, instance: request.id), decision)
    }

    /// The body is no batch.
    func faulty(_ faults: [Fault], _ request: HTTPRequest, _ decision: RateBudget.Decision) -> HTTPResponse {
        answer(problem(of: WorkoutSubmission.Rejection(faults: faults), request), decision)
    }

    /// One workout.
    func single(
        _ acceptance: AcceptWorkouts.Acceptance, _ decoded: WorkoutSubmission.Decoded, _ request: HTTPRequest
    ) -> HTTPResponse {
        guard let outcome = acceptance.outcomes.first else {
            return answer(Self.refused(.internalFault, request.id), acceptance.decision)
        }
        let requestID = decoded.requestIDText ?? ""
        switch verdict(on: outcome, request) {
        case .created(let id): return receipt(WorkoutReceipt(workoutID: id, requestID: requestID), acceptance.decision)
        case .duplicate(let id):
            return receipt(WorkoutReceipt(workoutID: id, requestID: requestID, isDuplicate: true), acceptance.decision)
        case .updated(let id):
            return receipt(WorkoutReceipt(workoutID: id, requestID: requestID, isUpdate: true), acceptance.decision)
        case .rejected(let problem): return answer(problem, acceptance.decision)
        }
    }

    /// A batch: 200 with a result for each; 429 when nothing fitted into the budget, 503 when nothing could be written.
    ///
    /// - Parameter refused: takes the items that a batch answered 200 asks to send again.
    func batch(
        _ acceptance: AcceptWorkouts.Acceptance, _ items: [WorkoutSubmission.Decoded], _ request: HTTPRequest,
        refused: (RefusedItems) -> Void
    ) -> HTTPResponse {
        guard acceptance.decision.admitted > 0 else {
            return answer(.userRate(acceptance.decision.wait, instance: request.id), acceptance.decision)
        }
        if let refusal = acceptance.commonRefusal {
            return answer(Self.refused(refusal, request.id), acceptance.decision)
        }
        let results = zip(items, acceptance.outcomes).map { item, outcome in
            BatchItemResult(requestID: item.requestIDText, outcome: verdict(on: outcome, request))
        }
        refused(RefusedItems(of: results))
        return withBudget(.json(200, BatchItemResult.encode(results)), acceptance.decision)
    }

    /// A deletion.
    func deletion(
        _ outcome: DeleteWorkout.Outcome, _ decision: RateBudget.Decision, _ request: HTTPRequest
    ) -> HTTPResponse {
        switch outcome {
        case .deleted: withBudget(HTTPResponse(status: 204), decision)
        case .notFound:
            answer(
                Problem(.notFound, detail: "There is no such workout.", instance: request.id), decision)
        case .overBudget(let wait): answer(.userRate(wait, instance: request.id), decision)
        case .refused(let refusal): answer(Self.refused(refusal, request.id), decision)
        }
    }

    /// The erasure of a user.
    func erasure(
        _ outcome: EraseUser.Outcome, _ decision: RateBudget.Decision, _ request: HTTPRequest
    ) -> HTTPResponse {
        switch outcome {
        case .erased(let receipt): withBudget(.json(200, receipt.encode()), decision)
        case .underWay: answer(.erased(.isUnderWay, instance: request.id), decision)
        case .overBudget(let wait): answer(.userRate(wait, instance: request.id), decision)
        case .refused(let refusal): answer(Self.refused(refusal, request.id), decision)
        }
    }

    /// What a workout alone and an item of a batch have in common.
    private func verdict(on outcome: AcceptWorkouts.Outcome, _ request: HTTPRequest) -> BatchItemResult.Outcome {
        switch outcome {
        case .written(.created(let id)): .created(workoutID: id)
        case .written(.duplicate(let id)): .duplicate(workoutID: id)
        case .written(.updated(let id)): .updated(workoutID: id)
        case .written(.conflict): .rejected(Self.reused(request.id))
        // A writer's own word for it; `BatchWriter` has made it a refusal.
        case .written(.refused(let standing)): .rejected(.erased(standing, instance: request.id))
        case .faulty(let rejection): .rejected(problem(of: rejection, request))
        case .overBudget(let wait): .rejected(.userRate(wait, instance: request.id))
        case .refused(let refusal): .rejected(Self.refused(refusal, request.id))
        }
    }

    private func receipt(_ receipt: WorkoutReceipt, _ decision: RateBudget.Decision) -> HTTPResponse {
        withBudget(.json(HTTPStatus(code: receipt.status), receipt.encode()), decision)
    }

    private func problem(of rejection: WorkoutSubmission.Rejection, _ request: HTTPRequest) -> Problem {
        .invalid(
            rejection.faults, instance: request.id, serverTime: rejection.isClockFault ? clock.now : nil)
    }

    private func answer(_ problem: Problem, _ decision: RateBudget.Decision) -> HTTPResponse {
        withBudget(.problem(problem), decision)
    }

    private func withBudget(_ response: HTTPResponse, _ decision: RateBudget.Decision) -> HTTPResponse {
        var response = response
        response.setBudget(budget, decision, policy: Self.policy)
        return response
    }
}

extension WorkoutSubmission.Decoded {
    /// The request id as it was sent, if there was one.
    fileprivate var requestIDText: String? {
        switch self {
        case .submission(let submission): submission.requestIDText
        case .rejected(let rejection): rejection.requestIDText
        }
    }
}
