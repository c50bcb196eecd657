import StrideFaults
import StrideTestSupport
import Testing

/// The short run of the fault harness; `./dev fault` has longer ones.
@Suite(.serialized) struct FaultTests {
    @Test(
        "F1: faults as a seed decides: nothing lost, doubled or invented; healed, the cache equals the database in 5 s",
        arguments: [1, 2] as [UInt64])
    func seeded(_ seed: UInt64) async throws {
        var run = FaultRun(seed: seed, milliseconds: 15_000) { print("fault \(seed): \($0)") }
        run.patience = .seconds(240)
        let outcome = try await run.run()
        #expect(outcome.findings.isEmpty, "\(outcome.findings.prefix(10))")
        #expect(outcome.acknowledged > 20)
        #expect(outcome.safetyReads > 0)
        print("fault \(seed): \(outcome.acknowledged) workouts acknowledged, \(outcome.duplicates) as known")
    }

    @Test("F3: a full disk under PostgreSQL is 503, and with room again workouts are accepted without a restart")
    func fullDisk() async throws {
        guard try await TestPostgres.canHaveSmallDisk() else {
            return print("F3 is not shown here: this account may not mount a small disk")
        }
        let outcome = try await FullDisk.run { print("full disk: \($0)") }
        #expect(outcome.findings.isEmpty, "\(outcome.findings.prefix(10))")
        #expect((outcome.statuses[503] ?? 0) >= 20)
        #expect(outcome.statuses.keys.allSatisfy { $0 == 200 || $0 == 503 })
        #expect(outcome.recoveries.count == 2)
    }
}
