import Foundation
import Models
import ServiceKit

/// `stride demo`: sends a believable fortnight of a made-up person through the API.
enum Demo {
    static func run(_ arguments: inout Arguments, _ settings: inout Settings) async throws -> Int32 {
        let subject = try arguments.option("sub") ?? "demo"
        let zone = try arguments.option("time-zone") ?? "Europe/Berlin"
        try arguments.finish()
        guard let clock = ZoneCatalogue().clock(of: zone) else { throw Arguments.Fault("there is no zone \(zone)") }
        let base = settings.text("STRIDE_GATEWAY_URL")
        let signer = try Signer.make(&settings)
        guard let client = APIClient(base: base) else {
            throw Settings.Fault(faults: ["STRIDE_GATEWAY_URL is no http or https address"])
        }
        let token = try signer.token(subject: subject, life: 3600)
        let person = DemoPerson(subject: subject, zone: zone, clock: clock)
        let now = Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))

        _ = try await client.document("PUT", "v1/profile", Profile(timeZone: zone).encode(), token: token)
        try await startPlan(of: person, today: clock.day(at: now), client, token)
        let totals = try await send(try person.walks(until: now), of: person, client, token)
        // A walk that an older build made up otherwise is there already.
        let refused = totals.refused.filter { !$0.reason.hasPrefix(ProblemCode.idempotencyKeyReused.rawValue) }
        for refusal in refused { Terminal.complain("a walk was refused: \(refusal.reason)") }
        print("\(totals.settled) walks of \(subject) sent, \(totals.created) of them new")
        return refused.isEmpty ? 0 : 1
    }

    /// Gives the person a plan whose second week is running, unless some plan is.
    private static func startPlan(
        of person: DemoPerson, today: Day, _ client: APIClient, _ token: String
    ) async throws {
        let summary = try await client.document("GET", "v1/progressSummary", token: token)
        guard summary[member: "planState"] != .string("active") else { return }
        var writer = JSONWriter()
        writer.beginObject()
        let name = "stride-demo\n\(person.subject)\n\(today)\nplan"
        writer.member("requestId", try ReplayedWorkout.requestID(naming: name).description)
        writer.member("templateId", "brisk-300-minutes")
        writer.member("startDate", today.advanced(by: -10))
        writer.endObject()
        _ = try await client.document("POST", "v1/create_workout_plan", writer.bytes, token: token)
    }

    private static func send(
        _ walks: [ReplayedWorkout], of person: DemoPerson, _ client: APIClient, _ token: String
    ) async throws -> ReplayTally.Totals {
        let tally = ReplayTally(count: walks.count)
        let run = ReplayRun(post: { try await client.post($1, token: token) }, tally: tally)
        defer { Terminal.clear() }
        try await run.run([PersonUpload(subject: person.subject, workouts: walks, batch: WorkoutLimits.batch)])
        return await tally.totals
    }
}
