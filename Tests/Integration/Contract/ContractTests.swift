import Models
import StrideTestSupport
import Testing

/// docs/openapi.yaml: whether it is one, and whether the services do what it says.
@Suite(.serialized) struct ContractTests {
    @Test(
        "docs/openapi.yaml is valid, its examples keep its own rules, and it names every call of the API and no other")
    func document() async throws {
        let folder = try TestFolder()
        let check = try ChildProcess(
            TestRun.pythonFolder() + "/python", ["Tests/Contract/check.py", "docs/openapi.yaml"],
            log: folder.path + "/calls")
        #expect(try await check.wait(within: .seconds(120)) == .exited(0), "\(check.log)")
        let calls = APIContract.paths.flatMap { path in path.methods.map { "\($0) \(path.template)" } }
        let described = check.log.split(separator: "\n").map(String.init)
        #expect(Set(described).count == described.count)
        #expect(Set(described) == Set(calls))
    }

    @Test("Behind the gateway the services answer what docs/openapi.yaml says, whatever is sent to them")
    func services() async throws {
        let wide = ["STRIDE_LEADERBOARD_RATE_PER_MINUTE": "6000000", "STRIDE_LEADERBOARD_BURST": "1000000"]
        let gateway = ["STRIDE_GATEWAY_RATE_PER_MINUTE": "600000", "STRIDE_GATEWAY_BURST": "100000"]
        try await GatewayStand.run(gateway: gateway, services: wide, withLeaderboard: true) { stand in
            let token = try stand.stores.tokens.token(for: newRequestID(), scopes: ["leaderboard:write"])
            let run = try ChildProcess(
                TestRun.pythonFolder() + "/schemathesis",
                [
                    "--config-file", "Tests/Contract/schemathesis.toml", "run", "docs/openapi.yaml",
                    "--url", "http://127.0.0.1:\(stand.gateway.port)",
                ],
                environment: ["STRIDE_TOKEN": token, "PYTHONPATH": "Tests/Contract", "HOME": stand.stores.folder.path],
                log: stand.stores.folder.path + "/schemathesis.log")
            let ending = try await run.wait(within: .seconds(900))
            #expect(ending == .exited(0), "\(run.log)")
            let cases = run.log.firstMatch(of: #/(\d+) generated, (\d+) passed/#)
            #expect(cases.map { $0.1 == $0.2 } == true && Int(cases?.1 ?? "") ?? 0 > 1_000, "\(run.log.suffix(2_000))")
            for process in [stand.ingest, stand.plan, stand.progress, stand.leaderboard] {
                #expect(await process?.isReady() == true)
            }
        }
    }
}
