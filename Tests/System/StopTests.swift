import Glibc
import StrideTestSupport
import Testing

/// Instances that are stopped and started in turn while clients keep their connections busy.
@Suite(.serialized) struct StopTests {
    @Test("S9: SIGTERM under keep-alive load over two processes: no failed request, nothing lost, exit 0 within 20 s")
    func stopped() async throws {
        try await TestStores.run { stores in
            // Refusals under load are another matter; here nobody may be refused.
            let settings = ["STRIDE_INGEST_QUEUE": "100000", "STRIDE_INGEST_QUEUE_MS": "60000"]
            let processes = [
                try await ServiceProcess.start(stores, name: "one", settings: settings),
                try await ServiceProcess.start(stores, name: "two", settings: settings),
            ]
            defer { for process in processes { process.kill() } }
            let load = KeepAliveLoad.workouts(stores, ports: processes.map(\.port))
            async let outcomes = load.run(clients: 24)
            let clock = ContinuousClock()
            for round in 0..<4 {
                try await Task.sleep(for: .milliseconds(500))
                let process = processes[round % 2]
                let begin = clock.now
                #expect(try await process.terminate(within: .seconds(20)) == .exited(0))
                print("stop \(round): exit after \(clock.now - begin)")
                try await process.start()
            }
            load.stop()
            let clients = try await outcomes
            let failures = clients.flatMap(\.failures)
            #expect(failures.isEmpty, "\(failures.count): \(failures.prefix(5))")
            let acknowledged = clients.map(\.acknowledged).reduce(0, +)
            #expect(acknowledged > 100)
            #expect(try await stores.database.number("select count(*) from workouts") == acknowledged)
            #expect(
                try await stores.database.number("select coalesce(sum(workouts), 0) from daily_totals") == acknowledged)
            for process in processes { #expect(process.logText.contains("draining")) }
            print("stop: \(acknowledged) requests, none failed")
        }
    }

    @Test("S9: two processes of progress restarted by turns under keep-alive load: no failed request")
    func progressStopped() async throws {
        try await TestStores.run { stores in
            let processes = [
                try await ServiceProcess.start(stores, .progress, name: "one"),
                try await ServiceProcess.start(stores, .progress, name: "two"),
            ]
            defer { for process in processes { process.kill() } }
            let load = KeepAliveLoad(stores: stores, ports: processes.map(\.port), good: 200) { phone in
                phone.call("GET", "/v1/progressSummary")
            }
            async let outcomes = load.run(clients: 16)
            for round in 0..<4 {
                try await Task.sleep(for: .milliseconds(500))
                #expect(try await processes[round % 2].terminate(within: .seconds(20)) == .exited(0))
                try await processes[round % 2].start()
            }
            load.stop()
            let clients = try await outcomes
            let failures = clients.flatMap(\.failures)
            #expect(failures.isEmpty, "\(failures.count): \(failures.prefix(5))")
            #expect(clients.map(\.acknowledged).reduce(0, +) > 100)
        }
    }

    @Test("S9: connections that wait to be accepted when SIGTERM comes are served, not reset")
    func backlog() async throws {
        try await TestStores.run { stores in
            let ingest = try await ServiceProcess.start(stores)
            defer { ingest.kill() }
            let phone = try stores.phone("walker", ports: [ingest.port])
            ingest.signal(SIGSTOP)
            let lines = try await withThrowingTaskGroup(of: HTTPLine.self) { group in
                for _ in 0..<200 {
                    group.addTask {
                        let line = try await HTTPLine.open(ingest.port, on: stores.loop)
                        try await line.send(phone.call("POST", "/v1/workouts", body: Array("{}".utf8)).bytes)
                        return line
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            ingest.signal(SIGTERM)
            ingest.signal(SIGCONT)
            for line in lines {
                let answer = try await line.answer()
                #expect(answer.status == 400)
            }
            #expect(try await ingest.process?.wait(within: .seconds(20)) == .exited(0))
        }
    }

    @Test("SIGTERM and SIGINT without load, before it is ready, and twice: exit 0", arguments: [SIGTERM, SIGINT])
    func idle(_ signal: Int32) async throws {
        try await TestStores.run { stores in
            let ingest = try await ServiceProcess.start(stores)
            defer { ingest.kill() }
            ingest.signal(signal)
            ingest.signal(signal)
            #expect(try await ingest.process?.wait(within: .seconds(20)) == .exited(0))
        }
    }

    @Test("A service whose settings are wrong says all faults at once and ends with 1")
    func wrongSettings() async throws {
        let folder = try TestFolder()
        let process = try ChildProcess(
            TestRun.executable("ingest"),
            environment: ["STRIDE_LOOPS": "0", "STRIDE_INGEST_PORT": "x", "STRIDE_BIND": "localhost"],
            log: folder.path + "/log")
        #expect(try await process.wait(within: .seconds(20)) == .exited(1))
        for key in [
            "STRIDE_LOOPS", "STRIDE_INGEST_PORT", "STRIDE_BIND", "STRIDE_POSTGRES_URL", "STRIDE_REDIS_URL",
            "STRIDE_TOKEN_SECRET_FILE", "STRIDE_TOKEN_ISSUER", "STRIDE_TOKEN_AUDIENCE",
        ] {
            #expect(process.log.contains(key))
        }
    }
}
