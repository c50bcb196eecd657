import EventLoops
import HTTP
import Models
import ServiceKit
import Storage
import Telemetry

/// The write side of workouts on the wire: api paths in, answers out.
///
/// Decides nothing.
///
/// Confined to its loop, hence `@unchecked Sendable`.
final class WorkoutRoutes: @unchecked Sendable {
    private let authenticator: Authenticator
    private let accept: AcceptWorkouts
    private let delete: DeleteWorkout
    private let answers: WorkoutAnswers
    private let metrics: IngestMetrics
    private let logger: Logger

    init(
        authenticator: Authenticator, accept: AcceptWorkouts, delete: DeleteWorkout, answers: WorkoutAnswers,
        metrics: IngestMetrics, logger: Logger
    ) {
        self.metrics = metrics
        self.logger = logger
        self.authenticator = authenticator
        self.accept = accept
        self.delete = delete
        self.answers = answers
    }

    /// What ingest serves.
    var routes: [HTTPRoute] {
        [
            HTTPRoute(.post, "/v1/workouts", takesJSON: true, beforeBody: refusalBeforeBody) { request, _ in
                await self.postWorkout(request)
            },
            HTTPRoute(.post, "/v1/workouts/batch", takesJSON: true, beforeBody: refusalBeforeBody) { request, _ in
                await self.postBatch(request)
            },
            HTTPRoute(.delete, "/v1/workouts/{workout_id}") { request, parameters in
                await self.deleteWorkout(request, id: parameters["workout_id"])
            },
        ]
    }

    /// A client that waits for `100 Continue` without a good token need not send its body.
    private var refusalBeforeBody: @Sendable (HTTPRequestHead) -> HTTPResponse? {
        { head in
            guard case .refused(let response) = self.authenticator.caller(of: head) else { return nil }
            return response
        }
    }

    private func postWorkout(_ request: HTTPRequest) async -> HTTPResponse {
        await withCaller(request, .live) { writer in
            let value: JSONValue
            do throws(JSONError) { value = try JSONValue.parse(request.body) } catch {
                return self.answers.malformed(error, request, await self.accept.look(writer.user))
            }
            let decoded = self.accept.decode(value)
            let acceptance = await self.accept.accept([decoded], .live, of: writer, call: request.id)
            return self.answers.single(acceptance, decoded, request)
        }
    }

    private func postBatch(_ request: HTTPRequest) async -> HTTPResponse {
        await withCaller(request, .backfill) { writer in
            let value: JSONValue
            do throws(JSONError) { value = try JSONValue.parse(request.body) } catch {
                return self.answers.malformed(error, request, await self.accept.look(writer.user))
            }
            switch self.accept.decodeBatch(value) {
            case .rejected(let faults):
                return self.answers.faulty(faults, request, await self.accept.look(writer.user))
            case .batch(let batch):
                let acceptance = await self.accept.accept(batch.items, .backfill, of: writer, call: request.id)
                return self.answers.batch(acceptance, batch.items, request) { items in
                    self.metrics.refused(items)
                    items.log(self.logger, requestID: request.id)
                }
            }
        }
    }

    private func deleteWorkout(_ request: HTTPRequest, id: String?) async -> HTTPResponse {
        await withCaller(request, .live) { writer in
            let (outcome, decision) = await self.delete.delete(
                id.flatMap { Int64($0) }, of: writer, call: request.id)
            return self.answers.deletion(outcome, decision, request)
        }
    }

    /// Who calls, and whether anything can be taken from them now.
    private func withCaller(
        _ request: HTTPRequest, _ urgency: QueueAdmission.Urgency, _ body: (Writer) async -> HTTPResponse
    ) async -> HTTPResponse {
        switch authenticator.caller(of: request.head) {
        case .refused(let response): return response
        case .known(let principal):
            let user = principal.userID
            if let (refusal, decision) = accept.refusal(of: urgency, bytes: request.body.count, from: user) {
                return answers.refused(refusal, request, decision)
            }
            return await body(principal.writer)
        }
    }
}
