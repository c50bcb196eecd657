/// Sends everybody's workouts, a few persons at a time.
struct ReplayRun: Sendable {
    /// Why a run ends early; what was sent stays, and a second run goes on from there.
    enum Stop: Error, Equatable, CustomStringConvertible {
        /// Nothing has moved for as long as `patience`.
        case stuck(String)
        /// The whole call was refused, so every other one would be.
        case refused(String)

        var description: String {
            switch self {
            case .stuck(let note): "gave up: nothing has moved for too long (\(note)); run it again to go on"
            case .refused(let reason): "ingest refused the call: \(reason)"
            }
        }
    }

    /// Posts a body in the name of a subject.
    let post: @Sendable (_ subject: String, _ body: [UInt8]) async throws -> (status: Int, body: [UInt8])
    let tally: ReplayTally
    /// How many persons are under way at once.
    var lanes = 4
    /// How long the run goes on without any progress.
    var patience = Duration.seconds(120)

    /// Sends everything.
    func run(_ uploads: [PersonUpload]) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, upload) in uploads.enumerated() {
                if index >= lanes { try await group.next() }
                group.addTask { try await send(upload) }
            }
            // The first error cancels the others.
            try await group.waitForAll()
        }
    }

    private func send(_ upload: PersonUpload) async throws {
        var upload = upload
        while !upload.next.isEmpty {
            let (step, note) = try await exchange(&upload)
            let idle = await tally.add(step, note: note)
            guard idle < patience else { throw Stop.stuck(note.isEmpty ? "the budget is used up" : note) }
            if step.pause > .zero { try await Task.sleep(for: step.pause) }
        }
    }

    private func exchange(_ upload: inout PersonUpload) async throws -> (PersonUpload.Step, note: String) {
        let batch = upload.next
        let answer: (status: Int, body: [UInt8])
        do {
            answer = try await post(upload.subject, ReplayedWorkout.batch(batch))
        } catch let error as APIClient.Unreachable {
            return (upload.unreachable(), "waiting: \(error.description)")
        }
        switch BatchAnswer(status: answer.status, body: answer.body, sent: batch) {
        case .verdicts(let verdicts): return (upload.answered(verdicts), "")
        case .wait(let pause): return (upload.deferred(pause), "waiting: \(answer.status)")
        case .refused(let reason): throw Stop.refused(reason)
        }
    }
}
