import Foundation
import Models
import ServiceKit

/// `stride replay`: posts a recording through the API.
enum Replay {
    static func run(_ arguments: inout Arguments, _ settings: inout Settings) async throws -> Int32 {
        let kind = try arguments.required("kind")
        let zone = try arguments.required("time-zone")
        let batch = try arguments.integer("batch", default: 200, in: 1...WorkoutLimits.batch)
        let path = try arguments.word("the file")
        try arguments.finish()
        guard kind == "hourly-steps" else { throw Arguments.Fault("--kind must be hourly-steps") }
        guard let clock = ZoneCatalogue().clock(of: zone) else { throw Arguments.Fault("there is no zone \(zone)") }
        let base = settings.text("STRIDE_INGEST_URL")
        let signer = try Signer.make(&settings)
        guard let client = APIClient(base: base) else {
            throw Settings.Fault(faults: ["STRIDE_INGEST_URL is no http or https address"])
        }
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
            throw HourlySteps.NoTable(description: "\(path) cannot be read as text")
        }
        let table = try HourlySteps(text)
        for fault in table.faults { Terminal.complain(fault.description) }
        var uploads: [PersonUpload] = []
        for (person, rows) in table.rows {
            let workouts = try rows.map { try ReplayedWorkout($0, zone: zone, clock: clock) }
            uploads.append(PersonUpload(subject: "replay-\(person)", workouts: workouts, batch: batch))
        }
        let count = uploads.reduce(0) { $0 + $1.pendingCount }
        let tally = ReplayTally(count: count)
        // A token for each call, so that none grows old however long a run waits.
        let run = ReplayRun(
            post: { try await client.post($1, token: try signer.token(subject: $0, life: 3600)) }, tally: tally)
        var stop: (any Error)?
        do { try await run.run(uploads) } catch { stop = error }
        Terminal.endProgress()
        let totals = await tally.totals
        report(table, totals)
        if let stop {
            print("not sent    \(count - totals.settled)")
            throw stop
        }
        return totals.refused.isEmpty && table.faults.isEmpty ? 0 : 1
    }

    private static func report(_ table: HourlySteps, _ totals: ReplayTally.Totals) {
        for refusal in totals.refused.sorted(by: { $0.line < $1.line }) {
            Terminal.complain("line \(refusal.line): refused: \(refusal.reason)")
        }
        print("rows read   \(table.rowCount)")
        print("skipped     \(table.emptyHours) (hours without steps)")
        print("malformed   \(table.faults.count)")
        print("created     \(totals.created)")
        print("duplicates  \(totals.duplicates)")
        print("refused     \(totals.refused.count)")
    }
}
