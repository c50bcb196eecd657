import HTTP
import Models
import Postgres
import ServiceKit

/// The boards on the wire, for everybody: queries in, answers out.
///
/// Decides nothing. Confined to its loop, hence `@unchecked Sendable`.
final class BoardRoutes: @unchecked Sendable {
    private let calls: CallGate
    private let source: BoardSource
    private let top: TopPages
    private let clock: WallClock

    init(calls: CallGate, source: BoardSource, top: TopPages, clock: WallClock) {
        self.calls = calls
        self.source = source
        self.top = top
        self.clock = clock
    }

    /// The paths that need no token.
    var routes: [HTTPRoute] {
        BoardPaths.bases.flatMap { base in
            [
                HTTPRoute(.get, base + "/athletes") { request, path in await self.list(request, path) },
                HTTPRoute(.get, base + "/athletes/summary") { request, path in await self.summary(request, path) },
                HTTPRoute(.get, base + "/athletes/{id}") { request, path in await self.athlete(request, path) },
            ]
        }
    }

    private func list(_ request: HTTPRequest, _ path: PathParameters) async -> HTTPResponse {
        let query: AthletesQuery
        switch AthletesQuery.decode({ request.query[$0] }) {
        case .invalid(let faults): return BoardAnswers.faulty(faults, request)
        case .valid(let valid): query = valid
        }
        guard let challenge = path.challenge else { return BoardAnswers.noChallenge(request) }
        return await calls.answer(request) { () throws(PostgresError) in
            if query.cursor == nil {
                switch try await top.page(of: challenge, limit: query.limit).get() {
                case .found(let page, let source): return BoardAnswers.encoded(page, from: source, request)
                case .noChallenge, .noAthlete: return BoardAnswers.noChallenge(request)
                }
            }
            switch try await source.page(query, of: challenge) {
            case .found(.page(let page, _), let source):
                return BoardAnswers.body(page.encode(), from: source, request)
            case .found(.asKnown, _), .noChallenge, .noAthlete: return BoardAnswers.noChallenge(request)
            }
        }
    }

    private func summary(_ request: HTTPRequest, _ path: PathParameters) async -> HTTPResponse {
        guard let challenge = path.challenge else { return BoardAnswers.noChallenge(request) }
        return await calls.answer(request) { () throws(PostgresError) in
            switch try await source.summary(of: challenge) {
            case .found(let summary, let source):
                let today = ZoneOffsets(fixed: 0).day(at: clock.now)
                return BoardAnswers.body(summary.encode(today: today), from: source, request)
            case .noChallenge, .noAthlete: return BoardAnswers.noChallenge(request)
            }
        }
    }

    private func athlete(_ request: HTTPRequest, _ path: PathParameters) async -> HTTPResponse {
        switch (path.athlete, AroundQuery.decode { request.query[$0] }) {
        case (.valid(let id), .valid(let around)):
            guard let challenge = path.challenge else { return BoardAnswers.noChallenge(request) }
            return await calls.answer(request) { () throws(PostgresError) in
                switch try await source.view(id, around: around, of: challenge) {
                case .found(let view, let source): return BoardAnswers.body(view.encode(), from: source, request)
                case .noChallenge: return BoardAnswers.noChallenge(request)
                case .noAthlete: return BoardAnswers.noAthlete(request)
                }
            }
        case (.invalid(let faults), .invalid(let more)): return BoardAnswers.faulty(faults + more, request)
        case (.invalid(let faults), .valid), (.valid, .invalid(let faults)):
            return BoardAnswers.faulty(faults, request)
        }
    }
}
