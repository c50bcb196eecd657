import ServiceKit
import StrideTestSupport
import Testing

/// Prometheus' files, checked by its own tool, and the runbook that they lead to.
@Suite("Alerts") struct AlertTests {
    private static func lines(_ path: String) throws -> [Substring] {
        try TestFolder.contents(of: path).split(separator: "\n")
    }

    /// What stands behind a word at the begin of a line.
    private static func values(_ path: String, after word: String) throws -> [String] {
        try lines(path).compactMap { line in
            let text = line.drop { $0 == " " || $0 == "-" }
            return text.hasPrefix(word) ? String(text.dropFirst(word.count)) : nil
        }
    }

    @Test(
        "O3: promtool finds nothing wrong with rules and configuration, and each alert fires and stays quiet as it should",
        arguments: [
            ["check", "config", "docker/prometheus/prometheus.yml"],
            ["check", "rules", "docker/prometheus/rules.yml", "docker/prometheus/alerts.yml"],
            ["test", "rules", "docker/prometheus/alerts_test.yml"],
        ])
    func promtool(words: [String]) async throws {
        let folder = try TestFolder()
        let tool = try ChildProcess("promtool", words, log: folder.path + "/log")
        #expect(try await tool.wait(within: .seconds(300)) == .exited(0), "\(tool.log)")
    }

    @Test("Each alert has a test in which it fires, one in which it does not, and a section that its annotation names")
    func sections() throws {
        let alerts = try Self.values("docker/prometheus/alerts.yml", after: "alert: ")
        #expect(alerts.count > 10 && Set(alerts).count == alerts.count)
        let sections = try Self.values("docs/runbook.md", after: "## ")
        #expect(sections.sorted() == alerts.sorted())
        let links = try Self.values("docker/prometheus/alerts.yml", after: "runbook_url: ")
        #expect(links == alerts.map { "docs/runbook.md#" + $0.lowercased() })
        var (firing, quiet): (Set<String>, Set<String>) = ([], [])
        var current = ""
        for line in try Self.lines("docker/prometheus/alerts_test.yml") {
            let text = line.drop { $0 == " " || $0 == "-" }
            if text.hasPrefix("alertname: ") { current = String(text.dropFirst("alertname: ".count)) }
            if text.hasPrefix("exp_labels:") { firing.insert(current) }
            if text.hasPrefix("exp_alerts: []") { quiet.insert(current) }
        }
        #expect(firing == Set(alerts))
        #expect(quiet == Set(alerts))
    }

    @Test("Each section says what users feel, where to look, what tells the causes apart, what to do and what not")
    func parts() throws {
        let sections = try TestFolder.contents(of: "docs/runbook.md").split(separator: "\n## ").dropFirst()
        for section in sections {
            for part in ["What users feel.", "**Look first.**", "| likely cause |", "**Do.**", "**Don't.**"] {
                #expect(section.contains(part), "\(section.prefix(40)) has no \(part)")
            }
        }
        // What it links to within itself is there.
        let text = try TestFolder.contents(of: "docs/runbook.md")
        let targets = text.split(separator: "](#").dropFirst().compactMap { $0.split(separator: ")").first }
        let names = Set(sections.map { $0.prefix { $0 != "\n" }.lowercased() })
        for target in targets { #expect(names.contains(String(target)), "#\(target)") }
    }

    @Test("docs/redis.md lists exactly the fields that instances write")
    func fields() throws {
        let text = try TestFolder.contents(of: "docs/redis.md")
        let section = try #require(text.split(separator: "\n## ").first { $0.hasPrefix("Statistics of the fleet") })
        let rows = section.split(separator: "\n").drop { !$0.hasPrefix("| field |") }.dropFirst(2)
        let documented = rows.prefix { $0.hasPrefix("| `") }.compactMap { $0.split(separator: "`").dropFirst().first }
        #expect(documented.map(String.init) == StatisticsField.allCases.map(\.rawValue))
    }
}
