import Glibc
import StrideTestSupport
import Testing

/// How long the gateway waits: for silent services, and for clients that do not end what they begin.
@Suite(.serialized) struct GatewayPatienceTests {
    @Test(
        "Of forty calls to a stopped service few wait for it, the rest are refused at once; it is asked on when it goes on"
    )
    func stoppedService() async throws {
        try await GatewayStand.run(gateway: ["STRIDE_GATEWAY_ANSWER_SECONDS": "2"]) { stand in
            let phone = try stand.phone()
            #expect(try await phone.send("GET", "/v1/workouts").status == 200)
            try await stop(stand.progress)
            for count in [1, 1, 38] {
                try await withThrowingTaskGroup(of: HTTPAnswer.self) { group in
                    for _ in 0..<count {
                        group.addTask {
                            try await phone.send("GET", "/v1/workouts", fields: [("X-Request-Id", "stopped")])
                        }
                    }
                    for try await answer in group {
                        #expect(answer.status == 503 && answer.json["reason"] == "overload", "\(answer)")
                        #expect(answer.json["retry_after_ms"].int ?? 0 > 0)
                    }
                }
            }
            #expect(try await phone.send("GET", "/v1/profile").status == 200)
            stand.progress.signal(SIGCONT)
            try await eventually("progress is asked again") {
                try await phone.send("GET", "/v1/workouts").status == 200
            }
            try await eventually("all are in the log") { waits(in: stand).count == 40 }
            let waited = waits(in: stand).filter { $0 >= 1 }.count
            #expect((2...20).contains(waited), "\(waits(in: stand))")
        }
    }

    /// Stops a process and waits until it stands still.
    private func stop(_ service: ServiceProcess) async throws {
        let id = try #require(service.process?.id)
        service.signal(SIGSTOP)
        try await eventually("it stands still") {
            try TestFolder.contents(of: "/proc/\(id)/status").contains("State:\tT")
        }
    }

    /// How long each of the calls named `stopped` has taken, in seconds.
    private func waits(in stand: GatewayStand) -> [Double] {
        stand.gateway.log.split(separator: "\n").compactMap { line in
            guard let entry = try? JSON(parsing: Array(line.utf8)), entry["request_id"] == "stopped" else { return nil }
            switch entry["duration_s"] {
            case .double(let seconds): return seconds
            case .int(let seconds): return Double(seconds)
            default: return nil
            }
        }
    }

    @Test("A second process takes over from a stopped one: after the first few calls all are answered")
    func secondProcess() async throws {
        try await GatewayStand.run(gateway: ["STRIDE_GATEWAY_ANSWER_SECONDS": "2"], progressProcesses: 2) { stand in
            let phone = try stand.phone()
            #expect(try await phone.send("GET", "/v1/workouts").status == 200)
            try await stop(stand.progress)
            var answered = 0
            for _ in 0..<40 { answered += try await phone.send("GET", "/v1/workouts").status == 200 ? 1 : 0 }
            #expect(answered >= 20)
            stand.progress.signal(SIGCONT)
        }
    }

    @Test("H5: a head that is begun and not ended is closed in silence, however slowly it goes on")
    func stalledHeads() async throws {
        try await GatewayStand.run { stand in
            let (silent, slow) = (
                try await HTTPLine.open(stand.gateway.port, on: stand.stores.loop),
                try await HTTPLine.open(stand.gateway.port, on: stand.stores.loop)
            )
            try await silent.send("GET /v1/plan HTTP/1.1\r\nHost: a\r\n")
            try await slow.send("GET /v1/plan HTTP/1.1\r\n")
            let drip = Task {
                for number in 0..<120 {
                    try await slow.send("F\(number): 1\r\n")
                    try await Task.sleep(for: .milliseconds(500))
                }
            }
            #expect(try await silent.ends(within: .seconds(60)))
            #expect(try await slow.ends(within: .seconds(60)))
            drip.cancel()
            #expect(try await stand.phone().send("GET", "/v1/plan_templates").status == 200)
        }
    }
}
