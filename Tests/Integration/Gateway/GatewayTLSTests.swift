import Glibc
import StrideTestSupport
import TLS
import Testing

/// The gateway over TLS, towards the public and towards the services, with authorities of the test.
@Suite(.serialized) struct GatewayTLSTests {
    private static let walk = workout(from: "2025-06-10T08:00:00Z", to: "2025-06-10T09:00:00Z", steps: 7)

    @Test("Over TLS on both sides a workout goes in and comes out; a service under another name is not talked to")
    func bothSides() async throws {
        let folder = try TestFolder()
        let authority = try await TestAuthority(in: folder, name: "public")
        let inner = try await TestAuthority(in: folder, name: "inner")
        let shown = try await authority.issue("gateway")
        // leaderboard has this certificate too, which does not name it.
        let names = ["DNS:ingest", "DNS:plan", "DNS:progress", "IP:127.0.0.1"]
        let services = try await inner.issue("services", for: names)
        let client = try await inner.issue("client", .clientOnly)
        let settings = Self.settings(shown).merging([
            "STRIDE_GATEWAY_SERVICES_CA_FILE": inner.file,
            "STRIDE_GATEWAY_SERVICES_CERTIFICATE_FILE": client.certificate,
            "STRIDE_GATEWAY_SERVICES_KEY_FILE": client.key,
        ]) { $1 }
        let inside = [
            "STRIDE_TLS_CERTIFICATE_FILE": services.certificate, "STRIDE_TLS_KEY_FILE": services.key,
            "STRIDE_TLS_CLIENT_CA_FILE": inner.file,
        ]
        try await GatewayStand.run(gateway: settings, services: inside, withLeaderboard: true) { stand in
            let curl = Curl(folder: folder, port: stand.gateway.port, trusting: authority.file)
            let token = try stand.stores.tokens.token(for: "walker")
            let posted = try await curl.ask("/v1/workouts", ["--http2"], token: token, body: Self.walk)
            #expect(posted.status == 201 && posted.version == "2")
            let list = "/v1/workouts?start_time=\(instant("2025-06-10T00:00:00Z"))"
            let read = try await curl.ask(list, ["--http1.1"], token: token)
            #expect(read.status == 200 && read.version == "1.1")
            #expect(try JSON(parsing: Array(read.body.utf8)).elements.map { $0["steps"] } == [7])
            #expect(read.head.contains("strict-transport-security: max-age=31536000"))
            let other = try await curl.ask("/v1/athletes")
            #expect(other.status == 503 && other.body.contains("TRY_AGAIN_LATER"))
            #expect(stand.gateway.log.contains("upstream SSL certificate does not match \"leaderboard\""))
            // Who does not know the authority does not talk, and who talks plain text is told so as everybody is.
            let stranger = try await Curl(folder: folder, port: curl.port, trusting: inner.file).ask("/v1/athletes")
            #expect(stranger.status == 0)
            let plain = try await stand.call("GET", "/v1/athletes")
            #expect(plain.status == 400 && plain.json["code"] == "INVALID_REQUEST")
        }
    }

    @Test("Services whose authority the gateway does not know are 503 TRY_AGAIN_LATER, and get no request")
    func strangeServices() async throws {
        let folder = try TestFolder()
        let inner = try await TestAuthority(in: folder, name: "inner")
        let other = try await TestAuthority(in: folder, name: "other")
        let services = try await other.issue("services", for: ["DNS:ingest", "DNS:plan", "DNS:progress"])
        let inside = [
            "STRIDE_TLS_CERTIFICATE_FILE": services.certificate, "STRIDE_TLS_KEY_FILE": services.key,
        ]
        let settings = ["STRIDE_GATEWAY_SERVICES_CA_FILE": inner.file]
        try await GatewayStand.run(gateway: settings, services: inside) { stand in
            for _ in 0..<3 {
                let answer = try await stand.phone().post(Self.walk)
                #expect(answer.status == 503 && answer.json["code"] == "TRY_AGAIN_LATER")
            }
            #expect(stand.gateway.log.contains("upstream SSL certificate verify error"))
            #expect(try await stand.stores.database.number("select count(*) from workouts") == 0)
        }
    }

    @Test("A certificate that was replaced is shown after SIGHUP, without a restart")
    func replaced() async throws {
        let folder = try TestFolder()
        let (old, new) = (
            try await TestAuthority(in: folder, name: "old"), try await TestAuthority(in: folder, name: "new")
        )
        let shown = try await old.issue("gateway")
        let next = try await new.issue("next")
        try await TestStores.run { stores in
            let redirect = try FreePort()
            let settings = Self.settings(shown).merging(["STRIDE_GATEWAY_REDIRECT_PORT": "\(redirect.number)"]) { $1 }
            let gateway = try await GatewayProcess.start(stores, settings)
            let before = Curl(folder: folder, port: gateway.port, trusting: old.file)
            let after = Curl(folder: folder, port: gateway.port, trusting: new.file)
            #expect(try await before.ask("/v1").status == 404)
            #expect(try await after.ask("/v1").status == 0)
            rename(next.key, shown.key)
            rename(next.certificate, shown.certificate)
            gateway.reload()
            try await eventually("the new one is shown") { try await after.ask("/v1").status == 404 }
            // Workers with the old one may take connections until they have ended.
            try await eventually("the old one is not") { try await before.ask("/v1").status == 0 }
            let led = try await stores.client.send(HTTPCall("GET", "/v1/athletes?limit=2"), to: redirect.number)
            #expect(led.status == 308 && led["Location"] == "https://stride.test/v1/athletes?limit=2")
            await stores.client.closeIdle()
            try await gateway.end()
        }
    }

    @Test(
        "Settings of TLS that do not fit together, or name no file, keep the gateway from starting",
        arguments: [
            ["TLS_KEY_FILE": "/dev/null"], ["TLS_CERTIFICATE_FILE": "/dev/null"],
            ["TLS_CERTIFICATE_FILE": "/nowhere/c.pem", "TLS_KEY_FILE": "/dev/null"],
            ["SERVICES_CERTIFICATE_FILE": "/dev/null", "SERVICES_KEY_FILE": "/dev/null"],
            ["SERVICES_CA_FILE": "authority.pem"], ["REDIRECT_PORT": "8080"],
        ])
    func wrongSettings(wrong: [String: String]) async throws {
        let folder = try TestFolder()
        let words = ["GATEWAY_RATE_PER_MINUTE", "GATEWAY_BURST", "GATEWAY_CONNECTIONS", "GATEWAY_ANSWER_SECONDS"]
        let addresses = ["INGEST", "PLAN", "PROGRESS", "LEADERBOARD"].map { $0 + "_ADDRESS" }
        var settings = Dictionary(
            uniqueKeysWithValues: (words + addresses + ["BIND", "GATEWAY_PORT", "WEB_SIGN_IN_SCOPE"]).map {
                ("STRIDE_" + $0, "1")
            })
        for (name, value) in wrong { settings["STRIDE_GATEWAY_" + name] = value }
        let render = try ChildProcess(
            "Scripts/render-gateway.sh", environment: settings, log: folder.path + "/render.log")
        #expect(try await render.wait(within: .seconds(60)) == .exited(1))
        #expect(wrong.keys.contains { render.log.contains("STRIDE_GATEWAY_\($0)") } || render.log.contains("KEY_FILE"))
    }

    private static func settings(_ shown: TLSIdentityFiles) -> [String: String] {
        ["STRIDE_GATEWAY_TLS_CERTIFICATE_FILE": shown.certificate, "STRIDE_GATEWAY_TLS_KEY_FILE": shown.key]
    }
}

/// A client that is not ours, which trusts one authority.
private struct Curl {
    let folder: TestFolder
    let port: UInt16
    let authority: String

    init(folder: TestFolder, port: UInt16, trusting authority: String) {
        self.folder = folder
        self.port = port
        self.authority = authority
    }

    /// What came back; status 0 when there was no connection to be trusted.
    struct Answer {
        var status = 0
        var version = ""
        var head = ""
        var body = ""
    }

    func ask(
        _ path: String, _ options: [String] = [], token: String? = nil, body: JSON? = nil
    ) async throws -> Answer {
        let name = "\(folder.path)/curl-\(UInt32.random(in: 0...UInt32.max))"
        var words = ["-s", "--noproxy", "*", "--max-time", "60", "--cacert", authority, "-D", name + ".head"]
        words += ["-o", name + ".body", "-w", "%{http_code} %{http_version}"] + options
        if let token { words += ["-H", "Authorization: Bearer \(token)"] }
        if let body { words += ["-H", "Content-Type: application/json", "--data-binary", body.text] }
        let process = try ChildProcess("curl", words + ["https://localhost:\(port)\(path)"], log: name)
        guard try await process.wait(within: .seconds(90)) == .exited(0) else { return Answer() }
        let figures = process.log.split(separator: " ").map(String.init)
        return Answer(
            status: figures.first.flatMap { Int($0) } ?? 0, version: figures.last ?? "",
            head: try TestFolder.contents(of: name + ".head").lowercased(),
            body: try TestFolder.contents(of: name + ".body"))
    }
}
