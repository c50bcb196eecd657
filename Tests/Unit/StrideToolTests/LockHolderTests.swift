import Testing

@testable import StrideTool

@Suite struct LockHolderTests {
    private static let person = LockHolder(
        pid: 71, program: "psql", user: "ada", host: "10.0.0.7", seconds: 400, state: "idle in transaction",
        query: "lock table workouts", tables: "workouts", isGranted: true)
    private static let migration = LockHolder(
        pid: 72, program: "stride-migrate", user: "stride", seconds: 3, state: "active",
        query: "alter table workouts add", tables: "workouts", isGranted: false, blockers: [71])

    @Test("A person's session is named with what to end it by; who queues behind it is not to be ended")
    func person() {
        #expect(
            LockHolder.advice(on: [Self.person, Self.migration], after: "verify") == [
                "a table is locked, and was for longer than 5 s:",
                "  pid 71, psql (user ada, from 10.0.0.7) locks workouts: 6 min in this transaction, "
                    + "idle in transaction, lock table workouts",
                "  pid 72, stride-migrate (user stride, on the server's machine) queues for a lock on workouts, "
                    + "behind pid 71: 3 s in this transaction, active, alter table workouts add",
                "have it commit, or end its session: select pg_terminate_backend(71);",
                "then run stride verify again; while it lasts, calls that need the table fail",
            ])
    }

    @Test("Our own programs are waited for, and a lock that is gone is said to be")
    func ours() {
        var migration = Self.migration
        (migration.isGranted, migration.blockers) = (true, [])
        let advice = LockHolder.advice(on: [migration], after: "verify")
        #expect(advice.last == "wait until it has ended, then run stride verify again")
        #expect(!advice.joined().contains("pg_terminate_backend"))
        #expect(LockHolder.advice(on: [], after: "migrate").joined().contains("not any more: run stride migrate again"))
    }
}
