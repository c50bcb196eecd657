import HTTP
import Models
import Postgres
import ServiceKit
import Storage

/// The recurring goal and the profile on the wire: api paths in, answers out.
///
/// Decides nothing.
///
/// Confined to its loop, hence `@unchecked Sendable`.
final class SettingsRoutes: @unchecked Sendable {
    private let calls: CallGate
    private let read: ReadSettings
    private let change: ChangeSettings
    private let zones: ZoneCatalogue

    init(calls: CallGate, read: ReadSettings, change: ChangeSettings, zones: ZoneCatalogue) {
        self.calls = calls
        self.read = read
        self.change = change
        self.zones = zones
    }

    /// The paths of goal and profile.
    var routes: [HTTPRoute] {
        [
            HTTPRoute(.get, "/v1/weekly_goal") { request, _ in await self.getGoal(request) },
            HTTPRoute(.put, "/v1/weekly_goal", takesJSON: true, beforeBody: calls.refusalBeforeBody) {
                request, _ in await self.putGoal(request)
            },
            HTTPRoute(.delete, "/v1/weekly_goal") { request, _ in await self.deleteGoal(request) },
            HTTPRoute(.get, "/v1/profile") { request, _ in await self.getProfile(request) },
            HTTPRoute(.put, "/v1/profile", takesJSON: true, beforeBody: calls.refusalBeforeBody) {
                request, _ in await self.putProfile(request)
            },
        ]
    }

    private func getGoal(_ request: HTTPRequest) async -> HTTPResponse {
        await calls.read(request) { user throws(PostgresError) in
            guard let goal = try await self.read.goal(of: user) else {
                return .problem(Problem(.notFound, detail: "This user has no weekly goal.", instance: request.id))
            }
            return .json(200, goal.encode())
        }
    }

    private func putGoal(_ request: HTTPRequest) async -> HTTPResponse {
        await calls.write(request) { value, writer throws(PostgresError) in
            switch WeeklyGoalSubmission.decode(value) {
            case .invalid(let faults): return .problem(.invalid(faults, instance: request.id))
            case .valid(let submission):
                switch try await self.change.setGoal(submission.goal, of: writer) {
                case .done: return .json(200, submission.goal.encode())
                case .refused(let standing): return .problem(.erased(standing, instance: request.id))
                }
            }
        }
    }

    private func deleteGoal(_ request: HTTPRequest) async -> HTTPResponse {
        await calls.write(request) { writer throws(PostgresError) in
            switch try await self.change.setGoal(nil, of: writer) {
            case .done: HTTPResponse(status: 204)
            case .refused(let standing): .problem(.erased(standing, instance: request.id))
            }
        }
    }

    private func getProfile(_ request: HTTPRequest) async -> HTTPResponse {
        await calls.read(request) { user throws(PostgresError) in
            .json(200, try await self.read.profile(of: user).encode())
        }
    }

    private func putProfile(_ request: HTTPRequest) async -> HTTPResponse {
        await calls.write(request) { value, writer throws(PostgresError) in
            switch ProfileSubmission.decode(value, isKnownZone: { self.zones.clock(of: $0) != nil }) {
            case .invalid(let faults): return .problem(.invalid(faults, instance: request.id))
            case .valid(let submission):
                switch try await self.change.changeProfile(submission, of: writer) {
                case .done(let profile): return .json(200, profile.encode())
                case .refused(let standing): return .problem(.erased(standing, instance: request.id))
                }
            }
        }
    }
}
