import Glibc
import StrideTestSupport
import Testing

/// What only shows with real processes: two of them, restarts, lost connections, signals.
@Suite(.serialized) struct ProcessTests {
    private let walk = workout(from: "2025-06-10T08:00:00Z", to: "2025-06-10T09:00:00Z", steps: 120, metres: 87.5)
    private let counted = ["2025-06-10": DayFigures(120, 87_500, 1)]
    /// Bounds that a busy machine does not reach.
    private static let patient = ["STRIDE_INGEST_STATEMENT_MS": "60000", "STRIDE_INGEST_QUEUE_MS": "60000"]

    @Test("I1: 20 at once over two processes, across their restarts: one row, one count, one id, no 5xx")
    func twoProcesses() async throws {
        try await TestStores.run { stores in
            let one = try await ServiceProcess.start(stores, name: "one", settings: Self.patient)
            let two = try await ServiceProcess.start(stores, name: "two", settings: Self.patient)
            defer {
                one.kill()
                two.kill()
            }
            let phone = try stores.phone("walker", ports: [one.port, two.port])
            var answers = try await postAtOnce(20, walk, phone)
            #expect(answers.count { $0.status == 201 } == 1)
            one.kill()
            await stores.client.closeIdle()
            answers += try await postAtOnce(20, walk, try stores.phone("walker", ports: [two.port]))
            try await one.start()
            #expect(try await two.terminate() == .exited(0))
            await stores.client.closeIdle()
            try await two.start()
            answers += try await postAtOnce(20, walk, phone)
            #expect(answers.count { $0.status == 200 && $0.json["duplicate"] == true } == 59)
            #expect(answers.count == 60 && Set(answers.map { $0.json["workout_id"] }).count == 1)
            #expect(try await stores.database.workoutCount(of: phone.user) == 1)
            #expect(try await stores.database.days(of: phone.user) == counted)
        }
    }

    @Test("Two processes write one user's growths, devices and deletions at once, and the days stay right")
    func twoProcessesOneUser() async throws {
        try await TestStores.run { stores in
            let one = try await ServiceProcess.start(stores, name: "one", settings: Self.patient)
            let two = try await ServiceProcess.start(stores, name: "two", settings: Self.patient)
            defer {
                one.kill()
                two.kill()
            }
            for round in 0..<10 {
                let phone = try stores.phone("walker-\(round)", ports: [one.port, two.port])
                let spare = workout(
                    from: "2025-06-10T08:20:00Z", to: "2025-06-10T08:40:00Z", steps: 9000, device: "band")
                let spareID = try await phone.post(spare).json["workout_id"].int ?? 0
                let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                    for (place, body) in Self.devices.enumerated() {
                        group.addTask { try await phone.post(body, via: place).status }
                    }
                    group.addTask { try await phone.delete(spareID, via: round).status }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                #expect(statuses.sorted() == [201, 201, 201, 204])
                #expect(
                    try await stores.database.days(of: phone.user) == ["2025-06-10": DayFigures(14_755, 0, 3)])
                try await eventually("Redis shows the same") {
                    let stored = try await stores.database.revisedDays(of: phone.user)
                    return try await stores.redis.revisedDays(of: phone.user) == stored
                }
            }
        }
    }

    private static let devices = [
        workout(from: "2025-06-10T08:00:00Z", to: "2025-06-10T09:00:00Z", steps: 4000, device: "phone"),
        workout(from: "2025-06-10T08:10:00Z", to: "2025-06-10T08:50:00Z", steps: 3500, device: "watch"),
        workout(from: "2025-06-10T12:00:00Z", to: "2025-06-10T13:00:00Z", steps: 9922, device: "phone"),
    ]

    @Test("I5: the connection is lost in COMMIT: 503 store_unavailable, and the repeat finds out what became of it")
    func lostInCommit() async throws {
        try await TestStores.run { stores in
            let relay = try await TCPRelay.start(to: postgresPort(of: stores.database.url), on: stores.loop)
            let ingest = try await ServiceProcess.start(
                stores, settings: Self.patient.merging(["STRIDE_POSTGRES_URL": relay.url(stores.database.url)]) { $1 })
            defer { ingest.kill() }
            for (plan, repeatStatus) in [(TCPRelay.Plan.loseAnswerToCommit, 200), (.loseCommit, 201)] {
                let phone = try stores.phone("\(plan)", ports: [ingest.port])
                let strikes = try await relay.strikes()
                try await relay.strike(plan)
                let lost = try await phone.post(walk)
                #expect(try await relay.strikes() == strikes + 1)
                #expect(lost.status == 503)
                #expect(lost.json["code"] == "TRY_AGAIN_LATER")
                #expect(lost.json["reason"] == "store_unavailable")
                #expect((lost.json["retry_after_ms"].int ?? 0) > 0)
                #expect(Int(lost["Retry-After"] ?? "") ?? 0 >= 1)
                var again = try await phone.post(walk)
                for _ in 0..<100 where again.status == 503 {
                    try await Task.sleep(for: .milliseconds(100))
                    again = try await phone.post(walk)
                }
                #expect(again.status == repeatStatus)
                #expect(try await stores.database.workoutCount(of: phone.user) == 1)
                #expect(try await stores.database.days(of: phone.user) == counted)
                #expect(try await stores.redis.revisedDays(of: phone.user).mapValues(\.figures) == counted)
            }
        }
    }

    @Test("I5: a deletion whose COMMIT is lost is 503 too, and its repeat 204")
    func lostInDeletion() async throws {
        try await TestStores.run { stores in
            let relay = try await TCPRelay.start(to: postgresPort(of: stores.database.url), on: stores.loop)
            let ingest = try await ServiceProcess.start(
                stores, settings: Self.patient.merging(["STRIDE_POSTGRES_URL": relay.url(stores.database.url)]) { $1 })
            defer { ingest.kill() }
            for plan in [TCPRelay.Plan.loseAnswerToCommit, .loseCommit] {
                let phone = try stores.phone("\(plan)", ports: [ingest.port])
                let id = try #require(try await phone.post(walk).json["workout_id"].int)
                try await relay.strike(plan)
                let lost = try await phone.delete(id)
                #expect(lost.status == 503 && lost.json["reason"] == "store_unavailable")
                try await eventually("the repeat is taken") { try await phone.delete(id).status == 204 }
                #expect(try await stores.database.days(of: phone.user).isEmpty)
            }
        }
    }

    @Test("PostgreSQL away: 503 store_unavailable at once, alive all the time, and writes again by itself")
    func databaseAway() async throws {
        try await TestStores.run { stores in
            let relay = try await TCPRelay.start(to: postgresPort(of: stores.database.url), on: stores.loop)
            let ingest = try await ServiceProcess.start(
                stores, settings: Self.patient.merging(["STRIDE_POSTGRES_URL": relay.url(stores.database.url)]) { $1 })
            defer { ingest.kill() }
            let phone = try stores.phone("walker", ports: [ingest.port])
            #expect(try await phone.post(walk).status == 201)
            for _ in 0..<2 {
                try await relay.goAway()
                let clock = ContinuousClock()
                let begin = clock.now
                for _ in 0..<20 {
                    let answer = try await phone.post(walk)
                    #expect(answer.status == 503)
                    #expect(answer.json["reason"] == "store_unavailable")
                    #expect(try await phone.delete(1).status == 503)
                }
                // 40 refusals; one that waited for a connection each time would take a second.
                #expect(clock.now - begin < .seconds(10))
                #expect(try await ingest.askAdmin("/livez").status == 200)
                #expect(try await ingest.askAdmin("/readyz").status == 200)
                try await relay.comeBack()
                try await eventually("it writes again") { try await phone.post(walk).status == 200 }
            }
            #expect(try await stores.database.days(of: phone.user) == counted)
        }
    }

    @Test("A service that starts without PostgreSQL and Redis is alive, not ready, and gets ready by itself")
    func startsWithoutStores() async throws {
        try await TestStores.run(ownRedis: true) { stores in
            let relay = try await TCPRelay.start(to: postgresPort(of: stores.database.url), on: stores.loop)
            try await relay.goAway()
            stores.redis.kill()
            let ingest = try await ServiceProcess.start(
                stores, settings: ["STRIDE_POSTGRES_URL": relay.url(stores.database.url)], untilReady: false)
            defer { ingest.kill() }
            try await eventually("it is alive") { (try? await ingest.askAdmin("/livez").status) == 200 }
            let refused = try await ingest.askAdmin("/readyz")
            #expect(refused.status == 503 && refused.json["code"] == "TRY_AGAIN_LATER")
            let phone = try stores.phone("walker", ports: [ingest.port])
            #expect(try await phone.post(walk).status == 503)
            try await relay.comeBack()
            try await eventually("it is ready") { await ingest.isReady() }
            #expect(try await phone.post(walk).status == 201)
            try await stores.redis.start()
            try await eventually("the days are shown") {
                _ = try await phone.post(walk)
                return try await stores.redis.revisedDays(of: phone.user).mapValues(\.figures) == counted
            }
        }
    }
}

/// The port in a PostgreSQL URL.
func postgresPort(of url: String) throws -> UInt16 {
    let authority = url.split(separator: "@").last?.split(separator: "/").first ?? ""
    return try #require(authority.split(separator: ":").last.flatMap { UInt16($0) }, "a URL without a port")
}
