import StrideTestSupport
import Testing

/// The ingest process is killed at random moments under load; clients repeat what was not acknowledged.
@Suite(.serialized) struct KillTests {
    @Test(
        "I4: kill -9 at any point: totals are the fold of the rows, nothing acknowledged is missing or there twice",
        arguments: [1, 2] as [UInt64])
    func killed(_ seed: UInt64) async throws {
        try await TestStores.run { stores in
            let ingest = try await ServiceProcess.start(stores, settings: ["STRIDE_LOOPS": "2"])
            defer { ingest.kill() }
            let load = RepeatingLoad(stores: stores, port: ingest.port, seed: seed)
            async let outcomes = load.run()
            var generator = SeededGenerator(seed: seed)
            for _ in 0..<8 {
                try await Task.sleep(for: .milliseconds(Int.random(in: 20...500, using: &generator)))
                ingest.kill()
                try await ingest.start()
            }
            load.stop()
            let users = try await outcomes
            #expect(users.count == RepeatingLoad.users)
            var acknowledged = 0
            for user in users {
                acknowledged += user.known.count
                try await user.expectRows(in: stores.database)
            }
            print(
                "kill \(seed): \(acknowledged) workouts acknowledged over 9 lives, \(users.map(\.repeats).reduce(0, +)) repeats"
            )
            #expect(acknowledged > 50)
        }
    }
}
