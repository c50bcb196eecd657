import HTTP
import Models
import Postgres
import ServiceKit

/// Challenges on the wire: what they are called, which score is better, who may enter.
///
/// Decides nothing. Confined to its loop, hence `@unchecked Sendable`.
final class ChallengeRoutes: @unchecked Sendable {
    private let calls: CallGate
    private let source: BoardSource
    private let set: SetChallenge

    init(calls: CallGate, source: BoardSource, set: SetChallenge) {
        self.calls = calls
        self.source = source
        self.set = set
    }

    /// The path of a challenge.
    var routes: [HTTPRoute] {
        let path = "/v1/challenges/{challenge}"
        return [
            HTTPRoute(.get, path) { request, path in await self.get(request, path) },
            HTTPRoute(.put, path, takesJSON: true, beforeBody: calls.refusalBeforeBody) { request, path in
                await self.put(request, path)
            },
        ]
    }

    private func get(_ request: HTTPRequest, _ path: PathParameters) async -> HTTPResponse {
        guard let challenge = path.challenge else { return BoardAnswers.noChallenge(request) }
        return await calls.answer(request) { () throws(PostgresError) in
            switch try await source.about(challenge) {
            case .found(let body, let source): return BoardAnswers.body(body, from: source, request)
            case .noChallenge, .noAthlete: return BoardAnswers.noChallenge(request)
            }
        }
    }

    private func put(_ request: HTTPRequest, _ path: PathParameters) async -> HTTPResponse {
        await calls.write(request, scope: Organiser.scope) { value, _ throws(PostgresError) in
            var faults: [Fault] = []
            let challenge = path.challenge
            if challenge == nil {
                faults.append(Fault(pointer: "/path/challenge", detail: "must be 1 to 40 of a-z, 0-9 and -"))
            }
            switch Challenge.decode(value) {
            case .invalid(let more): return BoardAnswers.faulty(faults + more, request)
            case .valid(let about):
                guard let challenge else { return BoardAnswers.faulty(faults, request) }
                let isNew = try await set.set(about, of: challenge)
                return .json(isNew ? 201 : 200, about.encode())
            }
        }
    }
}
