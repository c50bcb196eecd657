import HTTP
import Models
import Postgres
import ServiceKit

/// The read side on the wire: queries in, answers out.
///
/// Decides nothing. Confined to its loop, hence `@unchecked Sendable`.
final class ProgressRoutes: @unchecked Sendable {
    private let authenticator: Authenticator
    private let zones: ZoneCatalogue
    private let summary: ShowSummary
    private let progress: ShowProgress
    private let days: ShowDays
    private let workouts: ListWorkouts
    private let changes: ListChanges
    private let export: ExportEverything

    init(
        authenticator: Authenticator, zones: ZoneCatalogue, summary: ShowSummary, progress: ShowProgress,
        days: ShowDays, workouts: ListWorkouts, changes: ListChanges, export: ExportEverything
    ) {
        self.authenticator = authenticator
        self.zones = zones
        self.summary = summary
        self.progress = progress
        self.days = days
        self.workouts = workouts
        self.changes = changes
        self.export = export
    }

    /// What progress serves.
    var routes: [HTTPRoute] {
        [
            HTTPRoute(.get, "/v1/progressSummary") { request, _ in
                let zones = self.zones
                let query = SummaryQuery.decode({ request.query[$0] }, isKnownZone: { zones.clock(of: $0) != nil })
                return await self.answer(request, query) { query, user async throws(PostgresError) in
                    ProgressAnswers.summary(try await self.summary.show(query, to: user), request)
                }
            },
            HTTPRoute(.get, "/v1/progress") { request, _ in
                await self.answer(request, ProgressQuery.decode { request.query[$0] }) {
                    query, user async throws(PostgresError) in
                    ProgressAnswers.weeks(try await self.progress.show(query, to: user), request)
                }
            },
            HTTPRoute(.get, "/v1/days") { request, _ in
                await self.answer(request, DaysQuery.decode { request.query[$0] }) {
                    query, user async throws(PostgresError) in
                    let (page, source) = try await self.days.show(query, to: user)
                    return ProgressAnswers.body(page.encode(), from: source)
                }
            },
            HTTPRoute(.get, "/v1/workouts") { request, _ in
                await self.answer(request, WorkoutsQuery.decode { request.query[$0] }) {
                    query, user async throws(PostgresError) in
                    ProgressAnswers.workouts(try await self.workouts.list(query, of: user), query)
                }
            },
            HTTPRoute(.get, "/v1/changes") { request, _ in
                await self.answer(request, ChangesQuery.decode { request.query[$0] }) {
                    query, user async throws(PostgresError) in
                    ProgressAnswers.changes(try await self.changes.list(query, of: user), request)
                }
            },
            HTTPRoute(.get, "/v1/export", produces: .type("application/x-ndjson")) { request, _ in
                await self.exportEverything(request)
            },
        ]
    }

    private func exportEverything(_ request: HTTPRequest) async -> HTTPResponse {
        switch authenticator.caller(of: request.head) {
        case .refused(let response): return response
        case .known(let principal):
            do throws(PostgresError) {
                return ProgressAnswers.export(try await export.begin(for: principal.writer), request)
            } catch {
                return .problem(.store(error, instance: request.id))
            }
        }
    }

    /// Who asks comes before what is asked, so that nobody learns about queries without a token.
    private func answer<Query>(
        _ request: HTTPRequest, _ query: @autoclosure () -> Checked<Query>,
        _ body: (Query, UserID) async throws(PostgresError) -> HTTPResponse
    ) async -> HTTPResponse {
        switch authenticator.caller(of: request.head) {
        case .refused(let response): return response
        case .known(let principal):
            switch query() {
            case .invalid(let faults): return ProgressAnswers.faulty(faults, request)
            case .valid(let query):
                do throws(PostgresError) {
                    return try await body(query, principal.userID)
                } catch {
                    return .problem(.store(error, instance: request.id))
                }
            }
        }
    }
}
