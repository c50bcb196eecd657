import StrideTestSupport
import Testing

/// Two processes of ingest and of progress behind the real gateway: which of them answers makes no difference.
@Suite(.serialized) struct PairsTests {
    @Test(
        "I1: twenty calls with one requestId at once, while one ingest is killed: one row and one id"
    )
    func oneRequestID() async throws {
        try await Fleet.run(now: Promise.now, inPairs: true) { fleet in
            let anna = try fleet.person()
            for round in 0..<6 {
                let walk = Promise.workout(at: "0\(round)", steps: 10)
                let ids = try await withThrowingTaskGroup(of: Int?.self) { group in
                    for number in 0..<20 {
                        group.addTask {
                            if round == 3, number == 10 { fleet.others[0].kill() }
                            return try await untilTaken { try await anna.phone.post(walk) }.json["workout_id"].int
                        }
                    }
                    return try await group.reduce(into: Set()) { $0.insert($1) }
                }
                #expect(ids.count == 1 && ids.first != .some(nil), "round \(round): \(ids)")
            }
            #expect(try await fleet.stores.database.workoutCount(of: anna.phone.user) == 6)
            #expect(try await Promise.steps(of: anna) == 60)
            try await fleet.others[0].start()
            try await Promise.expectKept(fleet)
        }
    }

    @Test("Whoever was answered a write sees it in the next read, whichever process took the one and answers the other")
    func readYourWrites() async throws {
        try await Fleet.run(now: Promise.now, inPairs: true) { fleet in
            let anna = try await Promise.warm(fleet, steps: 100)
            for number in 1...40 {
                let walk = workout(
                    from: "2026-12-02T09:00:00Z", to: "2026-12-02T09:00:30Z", steps: 1, zone: "UTC")
                #expect(try await anna.phone.post(walk).status == 201)
                for _ in 0..<2 { #expect(try await Promise.steps(of: anna) == 100 + number) }
                if number % 10 == 0 { #expect(try await anna.live(in: "Etc/GMT").status == 200) }
            }
            for process in [fleet.ingest, fleet.progress] + fleet.others {
                #expect(try await answered(by: process) >= 10, "\(process.kind)")
            }
            try await Promise.expectAgreement(fleet)
        }
    }

    @Test(
        "S9: both ingests and both progresses are replaced one after the other under load; no call fails and nothing is lost"
    )
    func rolled() async throws {
        try await Fleet.run(now: Promise.now, inPairs: true) { fleet in
            let port = try #require(fleet.gateway?.port)
            let (anna, load) = (
                try await Promise.warm(fleet), RepeatingLoad(stores: fleet.stores, port: port, seed: 23)
            )
            async let outcomes = load.run()
            let reading = StopFlag()
            async let reads = readsUntil(reading, of: anna)
            for process in [fleet.ingest] + fleet.others + [fleet.progress] {
                let count = try await fleet.stores.database.number("select count(*) from workouts")
                try await eventually("the load goes on") {
                    try await fleet.stores.database.number("select count(*) from workouts") > count + 50
                }
                #expect(try await process.terminate() == .exited(0))
                try await process.start()
                // The next one's turn comes when the gateway has found this one again.
                try await eventually("it is asked again") { try await answered(by: process) > 20 }
            }
            load.stop()
            reading.set()
            let users = try await outcomes
            #expect(users.map(\.repeats).reduce(0, +) == 0)
            let statuses = try await reads
            #expect(Set(statuses) == [200], "\(statuses.filter { $0 != 200 })")
            for user in users { try await user.expectRows(in: fleet.stores.database) }
            try await Promise.expectKept(fleet)
        }
    }

    private func readsUntil(_ stop: StopFlag, of person: Person) async throws -> [Int] {
        var statuses: [Int] = []
        while !stop.isSet { statuses.append(try await person.get("/v1/progressSummary").status) }
        return statuses
    }

    /// Sends until it is answered for good, as a phone does.
    private func untilTaken(_ send: () async throws -> HTTPAnswer) async throws -> HTTPAnswer {
        for _ in 0..<500 {
            let answer = try await send()
            guard answer.status == 503 else { return answer }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw Late("not taken")
    }

    /// How many requests a process has answered.
    private func answered(by process: ServiceProcess) async throws -> Int {
        let lines = try await process.askAdmin("/metrics").text.split(separator: "\n")
        return lines.filter { $0.hasPrefix("http_server_request_duration_seconds_count") }
            .compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }.reduce(0, +)
    }
}
