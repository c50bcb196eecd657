internal import HTTP

/// Tells callers their budget on the refusals that no handler sees: 404, 405, 406, 413 and 415.
///
/// So every answer to a write with a good token carries the fields, and a client need not ask what kind of refusal it got. Such a
/// refusal costs nothing, and nobody is asked: what is told is what this loop knows. Confined to its loop, hence `@unchecked Sendable`.
package final class RefusalBudget: @unchecked Sendable {
    private let authenticator: Authenticator
    private let budgets: UserBudgets
    private let policy: String

    /// The budget of a service's writes on one loop; `policy` is its name in the fields.
    package init(_ budgets: UserBudgets, policy: String, _ resources: LoopResources) {
        authenticator = resources.authenticator
        self.budgets = budgets
        self.policy = policy
    }

    /// Adds the fields to the refusal of a write that has none.
    ///
    /// Answers that handlers gave have theirs, and those that succeed are not looked at further than their status.
    func complete(_ response: inout HTTPResponse, _ head: HTTPRequestHead?) {
        guard response.status.code >= 400, let head, Self.writes.contains(head.method), response["RateLimit"] == nil,
            case .known(let principal) = authenticator.caller(of: head)
        else { return }
        response.setBudget(budgets.budget, budgets.recall(principal.userID), policy: policy)
    }

    private static let writes: [HTTPMethod] = [.post, .put, .delete, .patch]
}
