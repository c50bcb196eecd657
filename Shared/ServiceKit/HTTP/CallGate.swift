package import HTTP
package import Models
package import Postgres
package import Storage
package import Telemetry

/// What the calls of a service that keeps things for its users have in common: who asks, the budget of writes, the scope, the body,
/// and what an error of the database means.
///
/// Confined to its loop, hence `@unchecked Sendable`.
package final class CallGate: @unchecked Sendable {
    private let authenticator: Authenticator
    private let budgets: UserBudgets
    /// The name of the budget in the fields that clients read.
    package let policy: String
    private let logger: Logger

    /// A gate of a service.
    ///
    /// - Parameter policy: the name of the budget in the fields that clients read.
    package init(authenticator: Authenticator, budgets: UserBudgets, policy: String, logger: Logger) {
        self.authenticator = authenticator
        self.budgets = budgets
        self.policy = policy
        self.logger = logger
    }

    /// A call that reads on behalf of a user costs nothing.
    package func read(
        _ request: HTTPRequest, _ body: (UserID) async throws(PostgresError) -> HTTPResponse
    ) async -> HTTPResponse {
        switch authenticator.caller(of: request.head) {
        case .refused(let response): return response
        case .known(let principal):
            return await answer(request) { () throws(PostgresError) in try await body(principal.userID) }
        }
    }

    /// A call that changes something costs one, whatever becomes of it.
    ///
    /// - Parameter scope: what the token must grant; nil for what is the user's own.
    package func write(
        _ request: HTTPRequest, scope: String? = nil, _ body: (Writer) async throws(PostgresError) -> HTTPResponse
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
                response = await answer(request) { () throws(PostgresError) in try await body(principal.writer) }
            }
            response.setBudget(budgets.budget, decision, policy: policy)
            return response
        }
    }

    /// A call that changes what its body says.
    package func write(
        _ request: HTTPRequest, scope: String? = nil,
        _ body: (JSONValue, Writer) async throws(PostgresError) -> HTTPResponse
    ) async -> HTTPResponse {
        await write(request, scope: scope) { writer throws(PostgresError) in
            let value: JSONValue
            do throws(JSONError) { value = try JSONValue.parse(request.body) } catch {
                return .problem(Problem(.invalidRequest, detail: error.description, instance: request.id))
            }
            return try await body(value, writer)
        }
    }

    /// An answer, or what an error becomes.
    package func answer(
        _ request: HTTPRequest, _ body: () async throws(PostgresError) -> HTTPResponse
    ) async -> HTTPResponse {
        do throws(PostgresError) {
            return try await body()
        } catch {
            return refusal(error, of: request)
        }
    }

    /// What a caller is told of an error of the database, which is logged unless a queue refused, which is counted.
    package func refusal(_ error: PostgresError, of request: HTTPRequest) -> HTTPResponse {
        if error.code != .poolExhausted, error.code != .closed {
            logger.with(requestID: request.id).warning("store_failed", ["error": .string(error.debugDescription)])
        }
        return .problem(.store(error, instance: request.id))
    }

    /// A client that waits for `100 Continue` without a good token need not send its body.
    package var refusalBeforeBody: @Sendable (HTTPRequestHead) -> HTTPResponse? {
        { head in
            guard case .refused(let response) = self.authenticator.caller(of: head) else { return nil }
            return response
        }
    }
}
