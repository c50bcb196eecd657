import Models
import Testing

@testable import StrideTool

/// A whole replay against an ingest that fails in every way it may.
@Suite struct ReplayRunTests {
    @Test("Whatever gets lost on the way, every hour is stored once and nothing else is", arguments: 1...8)
    func everythingOnce(seed: Int) async throws {
        let people = (1...9).map { "\($0)" }
        let workouts = try people.map { try madeUpWorkouts(17, person: $0) }
        let ingest = FlakyIngest(seed: UInt64(seed))
        let tally = ReplayTally(count: 9 * 17)
        let run = ReplayRun(post: { try await ingest.answer($0, $1) }, tally: tally, lanes: 3)
        try await run.run(
            zip(people, workouts).map { PersonUpload(subject: "replay-\($0)", workouts: $1, batch: 5) })
        let stored = await ingest.stored
        #expect(stored.count == 9)
        for (person, sent) in zip(people, workouts) {
            #expect(stored["replay-\(person)"] == Set(sent.map(\.requestID.description)))
        }
        let totals = await tally.totals
        #expect(totals.created + totals.duplicates == 9 * 17)
        #expect(totals.refused.isEmpty)
        #expect(await ingest.mostAtOnce <= 3)

        // A second run finds everything there.
        let again = ReplayTally(count: 9 * 17)
        try await ReplayRun(post: { try await ingest.answer($0, $1) }, tally: again).run(
            zip(people, workouts).map { PersonUpload(subject: "replay-\($0)", workouts: $1, batch: 5) })
        #expect(await again.totals == ReplayTally.Totals(duplicates: 9 * 17))
        #expect(await ingest.stored == stored)
    }

    @Test("A run without any progress gives up, and keeps what it has counted")
    func stuck() async throws {
        let tally = ReplayTally(count: 4)
        let run = ReplayRun(
            post: { _, _ in throw APIClient.Unreachable(description: "refused") }, tally: tally,
            patience: .milliseconds(100))
        let upload = PersonUpload(subject: "replay-7", workouts: try madeUpWorkouts(4), batch: 2)
        await #expect(throws: ReplayRun.Stop.stuck("waiting: refused")) { try await run.run([upload]) }
        #expect(await tally.totals == ReplayTally.Totals())
    }

    @Test("A call that is refused as a whole ends the run with the reason")
    func refused() async throws {
        let problem = Problem(.unauthenticated, detail: "No token.")
        let run = ReplayRun(post: { _, _ in (401, problem.encode()) }, tally: ReplayTally(count: 8))
        let uploads = try ["1", "2"].map {
            PersonUpload(subject: $0, workouts: try madeUpWorkouts(4, person: $0), batch: 2)
        }
        await #expect(throws: ReplayRun.Stop.refused("401 UNAUTHENTICATED: No token.")) { try await run.run(uploads) }
    }

    @Test("A port at which nobody listens is unreachable, and no address is none")
    func nobody() async throws {
        let client = try #require(APIClient(base: "http://127.0.0.1:1"))
        await #expect(throws: APIClient.Unreachable.self) { try await client.post([], token: "t") }
        for text in ["", "127.0.0.1:8081", "ftp://127.0.0.1", "http://"] { #expect(APIClient(base: text) == nil) }
    }
}

/// Keeps what it is sent, now and then: it loses calls and answers, asks to wait, and takes a part of a batch.
private actor FlakyIngest {
    private(set) var stored: [String: Set<String>] = [:]
    private(set) var mostAtOnce = 0
    private var atOnce = 0
    private var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    func answer(_ subject: String, _ body: [UInt8]) async throws -> (status: Int, body: [UInt8]) {
        atOnce += 1
        mostAtOnce = max(mostAtOnce, atOnce)
        defer { atOnce -= 1 }
        try await Task.sleep(for: .milliseconds(2))
        let wait = Problem(.tryAgainLater, detail: "", reason: .userRate, retryAfterMilliseconds: 10)
        let busy = Problem(.tryAgainLater, detail: "", reason: .overload, retryAfterMilliseconds: 10)
        switch Int.random(in: 0..<12, using: &generator) {
        case 0: throw APIClient.Unreachable(description: "the call was lost")
        case 1: return (429, wait.encode())
        case 2: return (503, busy.encode())
        case 3:
            _ = try store(subject, body, admitted: .max)
            throw APIClient.Unreachable(description: "the answer was lost")
        case 4: return (200, BatchItemResult.encode(try store(subject, body, admitted: 2)))
        default: return (200, BatchItemResult.encode(try store(subject, body, admitted: .max)))
        }
    }

    private func store(_ subject: String, _ body: [UInt8], admitted: Int) throws -> [BatchItemResult] {
        guard
            case .batch(let batch) = BatchSubmission.decode(
                try JSONValue.parse(body), now: Timestamp(milliseconds: 1_764_460_800_000), isKnownZone: { $0 == "UTC" }
            )
        else { throw JSONError(.empty, at: 0) }
        let wait = Problem(.tryAgainLater, detail: "", reason: .userRate, retryAfterMilliseconds: 10)
        return batch.items.enumerated().map { index, item in
            guard case .submission(let submission) = item else {
                return BatchItemResult(requestID: nil, outcome: .rejected(Problem(.invalidRequest, detail: "")))
            }
            let id = submission.requestIDText
            guard index < admitted else { return BatchItemResult(requestID: id, outcome: .rejected(wait)) }
            let isNew = stored[subject, default: []].insert(id).inserted
            return BatchItemResult(requestID: id, outcome: isNew ? .created(workoutID: 1) : .duplicate(workoutID: 1))
        }
    }
}
