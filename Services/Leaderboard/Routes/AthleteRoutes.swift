import HTTP
import Models
import Postgres
import ServiceKit
import Storage

/// Athletes on the wire, as organisers and users record them: bodies in, answers out.
///
/// Decides nothing. Confined to its loop, hence `@unchecked Sendable`.
final class AthleteRoutes: @unchecked Sendable {
    private let calls: CallGate
    private let source: BoardSource
    private let record: RecordAthletes

    init(calls: CallGate, source: BoardSource, record: RecordAthletes) {
        self.calls = calls
        self.source = source
        self.record = record
    }

    /// The paths that need a token.
    var routes: [HTTPRoute] {
        BoardPaths.bases.flatMap { base in
            [
                HTTPRoute(
                    .put, base + "/athletes/{id}", takesJSON: true, beforeBody: calls.refusalBeforeBody
                ) { request, path in await self.put(request, path) },
                HTTPRoute(.delete, base + "/athletes/{id}") { request, path in await self.delete(request, path) },
                HTTPRoute(
                    .post, base + "/athletes/batch", takesJSON: true, beforeBody: calls.refusalBeforeBody
                ) { request, path in await self.batch(request, path) },
                HTTPRoute(
                    .put, base + "/athletes/me", takesJSON: true, beforeBody: calls.refusalBeforeBody
                ) { request, path in await self.putOwn(request, path) },
                HTTPRoute(.get, base + "/athletes/me") { request, path in await self.getOwn(request, path) },
                HTTPRoute(.delete, base + "/athletes/me") { request, path in await self.deleteOwn(request, path) },
            ]
        }
    }

    private func put(_ request: HTTPRequest, _ path: PathParameters) async -> HTTPResponse {
        await calls.write(request, scope: Organiser.scope) { value, writer throws(PostgresError) in
            switch (path.athlete, AthleteEntry.decode(value)) {
            case (.invalid(let faults), .invalid(let more)): return BoardAnswers.faulty(faults + more, request)
            case (.invalid(let faults), .valid), (.valid, .invalid(let faults)):
                return BoardAnswers.faulty(faults, request)
            case (.valid(let id), .valid(let entry)):
                guard let challenge = path.challenge else { return BoardAnswers.noChallenge(request) }
                let athlete = NamedEntry(id: id, entry: entry)
                let outcome = try await record.record(.record(athlete, by: writer.user), by: writer, of: challenge)
                return await recorded(outcome, entry, challenge, request)
            }
        }
    }

    private func delete(_ request: HTTPRequest, _ path: PathParameters) async -> HTTPResponse {
        await calls.write(request, scope: Organiser.scope) { writer throws(PostgresError) in
            switch path.athlete {
            case .invalid(let faults): return BoardAnswers.faulty(faults, request)
            case .valid(let id):
                guard let challenge = path.challenge else { return BoardAnswers.noChallenge(request) }
                let outcome = try await record.record(.remove(id: id, by: writer.user), by: writer, of: challenge)
                return outcome == nil ? BoardAnswers.noChallenge(request) : HTTPResponse(status: 204)
            }
        }
    }

    private func batch(_ request: HTTPRequest, _ path: PathParameters) async -> HTTPResponse {
        await calls.write(request, scope: Organiser.scope) { value, writer throws(PostgresError) in
            switch NamedEntry.decodeBatch(value) {
            case .invalid(let faults): return BoardAnswers.faulty(faults, request)
            case .valid(let items):
                guard let challenge = path.challenge,
                    let outcomes = try await record.record(items, by: writer, of: challenge)
                else { return BoardAnswers.noChallenge(request) }
                return .json(200, AthleteItemResult.encode(BatchResults.of(items, value, outcomes)))
            }
        }
    }

    private func putOwn(_ request: HTTPRequest, _ path: PathParameters) async -> HTTPResponse {
        await calls.write(request) { value, writer throws(PostgresError) in
            switch AthleteEntry.decode(value) {
            case .invalid(let faults): return BoardAnswers.faulty(faults, request)
            case .valid(let entry):
                guard let challenge = path.challenge else { return BoardAnswers.noChallenge(request) }
                let outcome = try await record.recordOwn(entry, of: writer, in: challenge)
                return await recorded(outcome, entry, challenge, request)
            }
        }
    }

    private func getOwn(_ request: HTTPRequest, _ path: PathParameters) async -> HTTPResponse {
        await calls.read(request) { user throws(PostgresError) in
            switch AroundQuery.decode({ request.query[$0] }) {
            case .invalid(let faults): return BoardAnswers.faulty(faults, request)
            case .valid(let around):
                guard let challenge = path.challenge, let head = try await source.head(of: challenge) else {
                    return BoardAnswers.noChallenge(request)
                }
                guard head.about.takesSelfReports else {
                    return BoardAnswers.forbidden(BoardAnswers.takesNoSelfReports, request)
                }
                guard let id = try await source.own(of: user, in: challenge),
                    case .found(let view, let source) = try await source.view(id, around: around, of: challenge)
                else { return BoardAnswers.noAthlete(request) }
                var response = BoardAnswers.body(view.encode(), from: source, request)
                response.set("Cache-Control", "private, no-cache")
                return response
            }
        }
    }

    private func deleteOwn(_ request: HTTPRequest, _ path: PathParameters) async -> HTTPResponse {
        await calls.write(request) { writer throws(PostgresError) in
            guard let challenge = path.challenge else { return BoardAnswers.noChallenge(request) }
            switch try await record.record(.removeOwn(of: writer.user), by: writer, of: challenge) {
            case nil: return BoardAnswers.noChallenge(request)
            case .takesNoSelfReports: return BoardAnswers.forbidden(BoardAnswers.takesNoSelfReports, request)
            case .refused(let isUnderWay): return BoardAnswers.erased(isUnderWay, request)
            default: return HTTPResponse(status: 204)
            }
        }
    }

    /// Answers a recorded athlete with the rank that it has now; if that cannot be read, without one: the result is safe.
    private func recorded(
        _ outcome: AthleteOutcome?, _ entry: AthleteEntry, _ challenge: ChallengeName, _ request: HTTPRequest
    ) async -> HTTPResponse {
        let (status, id): (HTTPStatus, Int64)
        switch outcome {
        case nil: return BoardAnswers.noChallenge(request)
        case .created(let new): (status, id) = (201, new)
        case .updated(let known), .unchanged(let known): (status, id) = (200, known)
        case .belongsToUser: return BoardAnswers.forbidden(BoardAnswers.belongsToUser, request)
        case .takesNoSelfReports: return BoardAnswers.forbidden(BoardAnswers.takesNoSelfReports, request)
        case .refused(let isUnderWay): return BoardAnswers.erased(isUnderWay, request)
        case .removed, .freshIDTaken: return BoardAnswers.noAthlete(request)
        }
        if case .found(let view, _)? = try? await source.view(id, around: 0, of: challenge) {
            return .json(status, view.encode())
        }
        return .json(status, NamedEntry(id: id, entry: entry).encodeWithoutRank())
    }
}
