import StrideTestSupport
import Testing

/// What `stride` says when somebody has locked a table: who, since when, and what to do.
@Suite(.serialized) struct LockedVerifyTests {
    @Test("verify under a lock names the session, the table and the remedy; when it is gone verify is right again")
    func verify() async throws {
        try await Fleet.run(ownRedis: true, now: Promise.now) { fleet in
            _ = try await Promise.warm(fleet)
            try await Promise.expectAgreement(fleet)
            try await fleet.stores.database.whileLocked("workouts") { unlock in
                let (ending, output) = try await fleet.verify()
                #expect(ending == .exited(1))
                #expect(output.contains("a table is locked"))
                #expect(output.contains(", stride-tests (user "), "\(output)")
                #expect(output.contains(" locks workouts: ") && output.contains("idle in transaction"), "\(output)")
                #expect(output.contains("run stride verify again"))
                #expect(!output.contains("55P03"))
                try await unlock()
            }
            try await Promise.expectAgreement(fleet)
        }
    }
}
