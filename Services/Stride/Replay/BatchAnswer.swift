import Models

/// What ingest said to a batch, as far as the sender has to tell things apart.
enum BatchAnswer: Equatable, Sendable {
    /// One verdict for each workout, in the order sent.
    case verdicts([Verdict])
    /// Nothing of the batch was taken for now.
    case wait(Pause)
    /// Sending it again would not help: the reason.
    case refused(String)

    /// What became of one workout.
    enum Verdict: Equatable, Sendable {
        case created
        case duplicate
        /// Not taken for now; send it again.
        case again(Pause)
        /// Never send it again: the reason.
        case refused(String)
    }

    /// How long to wait, and whether it is the user's own budget that is used up.
    struct Pause: Equatable, Sendable {
        var milliseconds: Int64
        var isUserRate = false
    }

    /// Reads an answer.
    ///
    /// - Parameter sent: the workouts of the batch; an answer about others is refused.
    init(status: Int, body: [UInt8], sent: some Collection<ReplayedWorkout>) {
        let json = try? JSONValue.parse(body)
        let code = json?.text("code")
        switch status {
        case 200:
            guard case .array(let results)? = json?[member: "results"], results.count == sent.count,
                zip(results, sent).allSatisfy({ $0.text("requestId") == $1.requestID.description })
            else {
                self = .refused("the answer is not the one to this batch")
                return
            }
            self = .verdicts(results.map { Verdict($0) })
        case 429, 500, 502, 503, 504:
            self = .wait(
                Pause(milliseconds: json?.milliseconds("retry_after_ms") ?? 1000, isUserRate: status == 429))
        default:
            let detail = json?.text("detail") ?? "no detail"
            self = .refused("\(status) \(code ?? "without a code"): \(detail)")
        }
    }
}

extension BatchAnswer.Verdict {
    fileprivate init(_ result: JSONValue) {
        let code = result.text("code") ?? "no code"
        switch (result.text("result"), code) {
        case ("created", _): self = .created
        case ("duplicate", _): self = .duplicate
        case ("rejected", "TRY_AGAIN_LATER"), ("rejected", "INTERNAL"):
            // In a batch that was taken at all, only the user's budget takes some and leaves others.
            let wait = result.milliseconds("retry_after_ms") ?? 1000
            self = .again(BatchAnswer.Pause(milliseconds: wait, isUserRate: code == "TRY_AGAIN_LATER"))
        case ("rejected", _): self = .refused("\(code): \(result.text("detail") ?? "no detail")")
        case (let other, _): self = .refused("an unknown result: \(other ?? "none")")
        }
    }
}

extension JSONValue {
    fileprivate func text(_ name: String) -> String? {
        guard case .string(let text)? = self[member: name] else { return nil }
        return text
    }

    fileprivate func milliseconds(_ name: String) -> Int64? {
        guard case .number(let number)? = self[member: name], let value = number.exactInteger else { return nil }
        return max(0, value)
    }
}
