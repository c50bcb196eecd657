import HTTP
import Models
import ServiceKit
import Storage

/// The erasure of a user on the wire.
///
/// Confined to its loop, hence `@unchecked Sendable`.
final class ErasureRoutes: @unchecked Sendable {
    private let authenticator: Authenticator
    private let erase: EraseUser
    private let answers: WorkoutAnswers

    init(authenticator: Authenticator, erase: EraseUser, answers: WorkoutAnswers) {
        self.authenticator = authenticator
        self.erase = erase
        self.answers = answers
    }

    /// The one path on which a token that an erasure has made count no more is still heard: whoever lost the answer asks again.
    var routes: [HTTPRoute] {
        [
            HTTPRoute(.delete, "/v1/me") { request, _ in
                switch self.authenticator.holder(of: request.head) {
                case .refused(let response): return response
                case .known(let principal):
                    let (outcome, decision) = await self.erase.erase(principal.writer, call: request.id)
                    return self.answers.erasure(outcome, decision, request)
                }
            }
        ]
    }
}
