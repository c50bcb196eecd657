import HTTP
import Models
import Postgres
import ServiceKit
import Storage
import Telemetry

/// What all calls of the service have in common: who asks, the budget of writes, and what an error of the database means.
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
    static let policy = "plans"

    /// A call that reads costs nothing.
    func read(
        _ request: HTTPRequest, _ body: (UserID) async throws(PostgresError) -> HTTPResponse
    ) async -> HTTPResponse {
        await known(request) { writer in
            await self.answer(request) { () throws(PostgresError) in try await body(writer.user) }
        }
    }

    /// A call that writes costs one, whatever becomes of it.
    func write(
        _ request: HTTPRequest, _ body: (Writer) async throws(PostgresError) -> HTTPResponse
    ) async -> HTTPResponse {
        await known(request) { writer in
            let decision = await self.budgets.admit(1, of: writer.user)
            var response =
                decision.admitted == 1
                ? await self.answer(request) { () throws(PostgresError) in try await body(writer) }
                : .problem(.userRate(decision.wait, instance: request.id))
            response.setBudget(self.budgets.budget, decision, policy: Self.policy)
            return response
        }
    }

    /// A call that writes what its body says.
    func write(
        _ request: HTTPRequest, _ body: (JSONValue, Writer) async throws(PostgresError) -> HTTPResponse
    ) async -> HTTPResponse {
        await write(request) { writer throws(PostgresError) in
            let value: JSONValue
            do throws(JSONError) { value = try JSONValue.parse(request.body) } catch {
                return .problem(Problem(.invalidRequest, detail: error.description, instance: request.id))
            }
            return try await body(value, writer)
        }
    }

    /// A client that waits for `100 Continue` without a good token need not send its body.
    var refusalBeforeBody: @Sendable (HTTPRequestHead) -> HTTPResponse? {
        { head in
            guard case .refused(let response) = self.authenticator.caller(of: head) else { return nil }
            return response
        }
    }

    private func known(_ request: HTTPRequest, _ body: (Writer) async -> HTTPResponse) async -> HTTPResponse {
        switch authenticator.caller(of: request.head) {
        case .known(let principal): await body(principal.writer)
        case .refused(let response): response
        }
    }

    private func answer(
        _ request: HTTPRequest, _ body: () async throws(PostgresError) -> HTTPResponse
    ) async -> HTTPResponse {
        do throws(PostgresError) {
            return try await body()
        } catch {
            logger.with(requestID: request.id).warning("store_failed", ["error": .string(error.debugDescription)])
            return .problem(.store(error, instance: request.id))
        }
    }
}
