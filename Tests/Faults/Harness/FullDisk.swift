import Glibc
import StrideTestSupport

/// The disk of PostgreSQL is full, and then has room again: 503 meanwhile, afterwards right by itself, nothing lost.
package struct FullDisk: Sendable {
    /// What a run has shown.
    package struct Outcome: Sendable {
        /// What is wrong; empty when all is well.
        package var findings: [String] = []
        /// How often each status was answered while the disk was full.
        package var statuses: [Int: Int] = [:]
        /// How long after there was room the next workout was accepted, round by round.
        package var recoveries: [Duration] = []
        /// Workouts that were acknowledged.
        package var acknowledged = 0
    }

    /// Fills it several times.
    package static func run(rounds: Int = 2, report: @Sendable (String) -> Void = { _ in }) async throws -> Outcome {
        signal(SIGPIPE, SIG_IGN)
        let server = try await TestPostgres.start(onDiskOf: 128)
        return try await TestStores.run(ownRedis: true, postgres: server.url()) { stores in
            var outcome = Outcome()
            let settings = ["STRIDE_INGEST_STATEMENT_MS": "5000", "STRIDE_TEST_NOW": "1751371200000"]
            let ingest = try await ServiceProcess.start(stores, settings: settings)
            defer { ingest.kill() }
            let life = ingest.process?.id
            var sender = Sender(phone: try stores.phone("anna", ports: [ingest.port]), stores: stores)
            guard try await sender.send() == 200 else { throw Late("nothing is accepted before the disk is full") }
            for round in 1...rounds {
                report("round \(round): the disk is full")
                try server.fillDisk(true)
                if round.isMultiple(of: 2) { try await exhaustLog(of: server, report) }
                try await sender.sendUntilRefused(&outcome)
                report("round \(round): \(outcome.statuses), there is room")
                try server.fillDisk(false)
                outcome.recoveries.append(try await sender.sendUntilAccepted())
            }
            if ingest.process?.id != life { outcome.findings.append("ingest was started again") }
            outcome.acknowledged = sender.ledger.acknowledgedCount
            outcome.findings += sender.ledger.violations
            let stored = try await stores.database.stored(of: sender.phone.user)
            outcome.findings += Checker(settled: sender.ledger).findings(in: stored)
            return outcome
        }
    }

    /// Uses up the files of the log that lie ready, until the server has none and panics.
    private static func exhaustLog(of server: TestPostgres, _ report: @Sendable (String) -> Void) async throws {
        for number in 1...100 {
            do {
                try await server.sql("select pg_logical_emit_message(false, 'fill', 'x'), pg_switch_wal()")
            } catch {
                return report("the log has no room either after \(number) files: \(error)")
            }
        }
        report("the log still has room")
    }

    /// Sends batches and repeats what was not answered for good, like a phone without patience.
    private struct Sender {
        let phone: Phone
        let stores: TestStores
        var ledger = Ledger(user: "anna")
        private var diary = Diary(device: nil, seed: 1, userSeed: 1)
        private var batch: [(request: String, WorkoutVersion)] = []

        init(phone: Phone, stores: TestStores) {
            self.phone = phone
            self.stores = stores
        }

        /// Sends the batch that is open, or the next one; returns the status.
        mutating func send() async throws -> Int {
            if batch.isEmpty {
                batch = (0..<200).map { _ in diary.next() }
                for (request, version) in batch { ledger.willSend(version, as: request) }
            }
            let body = JSON.object(["workouts": .array(batch.map { $0.1.body($0.request) })])
            let call = phone.call("POST", "/v1/workouts/batch", body: Array(body.text.utf8))
            let answer = try await stores.client.send(call, to: phone.ports[0], within: .seconds(30))
            guard answer.status == 200 else {
                if answer.status != 503 || answer.json["code"] != "TRY_AGAIN_LATER" {
                    ledger.violated("an answer that no contract allows: \(answer)")
                }
                return answer.status
            }
            for ((request, version), result) in zip(batch, answer.json["results"].elements) {
                guard let receipt = result["result"].string.flatMap({ Ledger.Receipt(rawValue: $0) }) else {
                    ledger.violated("\(request) got \(result.text)")
                    continue
                }
                ledger.acknowledged(version, as: request, id: result["workout_id"].int, receipt)
            }
            batch = []
            return 200
        }

        mutating func sendUntilRefused(_ outcome: inout Outcome) async throws {
            var refusals = 0
            for _ in 0..<2000 where refusals < 20 {
                let status = try await send()
                outcome.statuses[status, default: 0] += 1
                if status == 503 { refusals += 1 }
                // The disk stays full while the server gives room back.
                try await Task.sleep(for: .milliseconds(status == 503 ? 100 : 1))
            }
            if refusals == 0 { outcome.findings.append("a full disk was never noticed") }
        }

        mutating func sendUntilAccepted() async throws -> Duration {
            let clock = ContinuousClock()
            let begin = clock.now
            for _ in 0..<600 {
                if try await send() == 200 { return clock.now - begin }
                try await Task.sleep(for: .milliseconds(100))
            }
            throw Late("nothing is accepted a minute after there was room again")
        }
    }
}
