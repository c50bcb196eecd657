import StrideTestSupport

/// Debian's Prometheus with this repository's configuration, but for addresses and intervals, and the exporters beside it.
final class PrometheusServer: Sendable {
    private let folder: TestFolder
    private let children: [ChildProcess]
    private let port: UInt16

    /// Starts it over services and stores.
    ///
    /// - Parameter targets: the operators' port of each job.
    static func start(_ stores: TestStores, targets: [String: UInt16]) async throws -> PrometheusServer {
        let folder = try TestFolder()
        var all = targets
        var children: [ChildProcess] = []
        let exporters: [(job: String, words: [String], environment: [String: String])] = [
            ("node", [], [:]),
            ("postgres", [], ["DATA_SOURCE_NAME": stores.database.url + "?sslmode=disable"]),
            ("redis", ["--redis.addr=\(stores.redis.url)"], [:]),
        ]
        for (job, words, environment) in exporters {
            let port = try FreePort.likely()
            all[job] = port
            children.append(
                try ChildProcess(
                    "prometheus-\(job)-exporter", ["--web.listen-address=127.0.0.1:\(port)"] + words,
                    environment: environment, log: "\(folder.path)/\(job).log"))
        }
        // The files as they are, with other addresses and a second for every interval.
        var text = try TestFolder.contents(of: "docker/prometheus/prometheus.yml")
        for (job, port) in all {
            text.replace(
                try Regex("dns_sd_configs: \\[\\{ names: \\[\(job)(-exporter)?\\], type: A, port: [0-9]+ \\}\\]"),
                with: "static_configs: [{ targets: ['127.0.0.1:\(port)'] }]")
        }
        for interval in ["15s", "5s"] { text.replace(": \(interval)\n", with: ": 1s\n") }
        try folder.write("prometheus.yml", text)
        var rules = try TestFolder.contents(of: "docker/prometheus/rules.yml")
        rules.replace("interval: 30s", with: "interval: 1s")
        try folder.write("rules.yml", rules)
        try folder.write("alerts.yml", try TestFolder.contents(of: "docker/prometheus/alerts.yml"))
        let port = try FreePort.likely()
        children.append(
            try ChildProcess(
                "prometheus",
                [
                    "--config.file=\(folder.path)/prometheus.yml", "--storage.tsdb.path=\(folder.path)/data",
                    "--web.listen-address=127.0.0.1:\(port)", "--log.level=warn",
                ], log: "\(folder.path)/prometheus.log"))
        let server = PrometheusServer(folder, children, port)
        try await eventually("Prometheus reaches everybody (\(children.map(\.log)))", within: .seconds(120)) {
            for child in children where child.ending != nil { throw Late("ended at its start: \(child.log)") }
            return (try? await server.query("count(up == 1)"))?.first == Double(all.count)
        }
        return server
    }

    private init(_ folder: TestFolder, _ children: [ChildProcess], _ port: UInt16) {
        self.folder = folder
        self.children = children
        self.port = port
    }

    /// Ends everything.
    func end() { for child in children { child.kill() } }

    /// The values that an expression has now; throws where it cannot be read or computed.
    func query(_ expression: String) async throws -> [Double] {
        let answer = try await ask("query", ["query=\(expression)"])
        guard answer["status"] == "success", case .array(let results) = answer["data"]["result"] else {
            throw Late("\(expression): \(answer.text)")
        }
        return results.map { Double($0["value"][1].string ?? "") ?? .nan }
    }

    /// Asks its API.
    func ask(_ path: String, _ parameters: [String] = []) async throws -> JSON {
        let log = "\(folder.path)/answer-\(UInt64.random(in: 0 ... .max))"
        let words = parameters.flatMap { ["--data-urlencode", $0] }
        let options = ["-sS", "-G", "--noproxy", "*", "--max-time", "60"]
        let curl = try ChildProcess("curl", options + words + ["http://127.0.0.1:\(port)/api/v1/\(path)"], log: log)
        guard try await curl.wait(within: .seconds(120)) == .exited(0) else { throw Late("\(path): \(curl.log)") }
        return try JSON(parsing: Array(curl.log.utf8))
    }
}

/// The dashboards of the repository.
enum Dashboards {
    /// Every query for Prometheus, with the panel's title, as Grafana would send it with everything chosen.
    static func queries() throws -> [(panel: String, expression: String)] {
        var queries: [(panel: String, expression: String)] = []
        for file in ["fleet", "stores"] {
            let document = try JSON(parsing: Array(try TestFolder.contents(of: "docker/grafana/\(file).json").utf8))
            guard case .array(let panels) = document["panels"] else { throw Late("\(file).json has no panels") }
            for panel in panels {
                guard case .array(let targets) = panel["targets"] else { continue }
                for target in targets {
                    guard let expression = target["expr"].string else { throw Late("a target without a query") }
                    let sent = expression.replacing("$__rate_interval", with: "20s").replacing("$service", with: ".*")
                        .replacing("$job", with: ".*")
                    queries.append(("\(file): \(panel["title"].string ?? "")", sent))
                }
            }
        }
        return queries
    }

    /// The targets of the dashboard that asks Redis.
    static func redisTargets() throws -> [JSON] {
        let document = try JSON(parsing: Array(try TestFolder.contents(of: "docker/grafana/live.json").utf8))
        guard case .array(let panels) = document["panels"] else { throw Late("live.json has no panels") }
        return panels.flatMap { panel -> [JSON] in
            if case .array(let targets) = panel["targets"] { targets } else { [] }
        }
    }
}
