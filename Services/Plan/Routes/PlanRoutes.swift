import HTTP
import Models
import Postgres
import ServiceKit
import Storage

/// Plans on the wire: api paths in, answers out.
///
/// Decides nothing.
///
/// Confined to its loop, hence `@unchecked Sendable`.
final class PlanRoutes: @unchecked Sendable {
    private let calls: CallGate
    private let read: ReadSettings
    private let create: CreatePlan
    private let change: ChangeSettings

    init(calls: CallGate, read: ReadSettings, create: CreatePlan, change: ChangeSettings) {
        self.calls = calls
        self.read = read
        self.create = create
        self.change = change
    }

    /// The paths of plans.
    var routes: [HTTPRoute] {
        [
            HTTPRoute(.get, "/v1/plan_templates") { _, _ in .json(200, PlanTemplate.listBody) },
            HTTPRoute(.post, "/v1/create_workout_plan", takesJSON: true, beforeBody: calls.refusalBeforeBody) {
                request, _ in await self.createPlan(request)
            },
            HTTPRoute(.get, "/v1/plan") { request, _ in await self.getPlan(request) },
            HTTPRoute(.delete, "/v1/plan") { request, _ in await self.deletePlan(request) },
        ]
    }

    private func createPlan(_ request: HTTPRequest) async -> HTTPResponse {
        await calls.write(request) { value, writer throws(PostgresError) in
            switch try await self.create.create(value, of: writer) {
            case .created(let plan, let text): .json(201, plan.encode(requestIDText: text))
            case .repeated(let plan, let isCurrent, let text):
                .json(200, plan.encode(isCurrent: isCurrent, requestIDText: text))
            case .faulty(let faults): .problem(.invalid(faults, instance: request.id))
            case .reused:
                .problem(
                    Problem(
                        .idempotencyKeyReused, detail: "This requestId already names a plan with other content.",
                        instance: request.id))
            case .refused(let standing): .problem(.erased(standing, instance: request.id))
            case .conflict(let current): .problem(.planConflict(current: current, instance: request.id))
            }
        }
    }

    /// A plan never changes, so its id is its tag.
    private func getPlan(_ request: HTTPRequest) async -> HTTPResponse {
        await calls.read(request) { user throws(PostgresError) in
            guard let plan = try await self.read.plan(of: user) else {
                return .problem(Problem(.noPlan, detail: "This user has no current plan.", instance: request.id))
            }
            let tag = EntityTag(plan.planID.description)
            var response =
                tag.isHeld(by: request.headers) ? HTTPResponse(status: 304) : .json(200, plan.encode())
            response.set("ETag", tag.field)
            response.set("Cache-Control", "private, no-cache")
            return response
        }
    }

    private func deletePlan(_ request: HTTPRequest) async -> HTTPResponse {
        await calls.write(request) { writer throws(PostgresError) in
            switch try await self.change.deletePlan(of: writer) {
            case .done: HTTPResponse(status: 204)
            case .refused(let standing): .problem(.erased(standing, instance: request.id))
            }
        }
    }
}
