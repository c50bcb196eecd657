import HTTP
import Models
import Postgres
import ServiceKit
import Storage
import Telemetry

/// What all calls that change something have in common: who asks, the budget, the scope, the body.
///
/// Confined to its loop, hence `@unchecked Sendable`.
final class CallGate: @unchecked Sendable {
    private let authenticator: Authenticator
    private let budgets: UserBudgets
    private let logger: Logger

    init(authenticator: Authenticator, budgets: UserBudgets, logger: Logger) {
        self.authenticator = authenticator
        self.budgets = budgets
        self.logger = logger
    }

    /// The name of the budget in the fields that clients read.
    static let policy = "leaderboard"
    /// What a token of an organiser grants.
    static let scope = "leaderboard:write"

    /// A call that reads on behalf of a user costs nothing.
    func read(
        _ request: HTTPRequest, _ body: (UserID) async throws(Refusal) -> HTTPResponse
    ) async -> HTTPResponse {
        switch authenticator.caller(of: request.head) {
        case .refused(let response): return response
        case .known(let principal):
            return await answer(request) { () throws(Refusal) in try await body(principal.userID) }
        }
    }

    /// A call that changes something costs one, whatever becomes of it.
    ///
    /// - Parameter scope: what the token must grant; nil for a user's own entry.
    func write(
        _ request: HTTPRequest, scope: String?, _ body: (Writer) async throws(Refusal) -> HTTPResponse
    ) async -> HTTPResponse {
        switch authenticator.caller(of: request.head) {
        case .refused(let response): return response
        case .known(let principal):
            let decision = await budgets.admit(1, of: principal.userID)
            var response: HTTPResponse
            if decision.admitted < 1 {
                response = .problem(.userRate(decision.wait, instance: request.id))
            } else if let scope, !principal.has(scope: scope) {
                response = .problem(
                    Problem(.forbidden, detail: "The token does not grant \(scope).", instance: request.id))
            } else {
                response = await answer(request) { () throws(Refusal) in try await body(principal.writer) }
            }
            response.setBudget(budgets.budget, decision, policy: Self.policy)
            return response
        }
    }

    /// A call that changes what its body says.
    func write(
        _ request: HTTPRequest, scope: String?,
        _ body: (JSONValue, Writer) async throws(Refusal) -> HTTPResponse
    ) async -> HTTPResponse {
        await write(request, scope: scope) { writer throws(Refusal) in
            let value: JSONValue
            do throws(JSONError) { value = try JSONValue.parse(request.body) } catch {
                return .problem(Problem(.invalidRequest, detail: error.description, instance: request.id))
            }
            return try await body(value, writer)
        }
    }

    /// An answer, or what a refusal becomes.
    func answer(
        _ request: HTTPRequest, _ body: () async throws(Refusal) -> HTTPResponse
    ) async -> HTTPResponse {
        do throws(Refusal) {
            return try await body()
        } catch {
            if case .store(let error) = error {
                logger.with(requestID: request.id).warning(
                    "store_failed", ["error": .string(error.debugDescription)])
            }
            return .problem(error.problem(instance: request.id))
        }
    }

    /// A client that waits for `100 Continue` without a good token need not send its body.
    var refusalBeforeBody: @Sendable (HTTPRequestHead) -> HTTPResponse? {
        { head in
            guard case .refused(let response) = self.authenticator.caller(of: head) else { return nil }
            return response
        }
    }
}
