import Telemetry
import Testing

/// Reads a page line by line the way a scraper does and notes what breaks the format.
private struct PageReader {
    private(set) var faults: [String] = []
    private(set) var samples = 0
    private var seen: Set<String> = []
    private var series: Set<String> = []
    private var name = ""
    private var type = ""
    private var lastBucket: (series: String, count: Double, bound: Double)?

    init(_ page: String) {
        if !page.isEmpty, !page.hasSuffix("\n") { faults.append("the last line has no end") }
        for line in page.split(separator: "\n", omittingEmptySubsequences: false).dropLast() { read(String(line)) }
    }

    private mutating func read(_ line: String) {
        if line.hasPrefix("# HELP ") {
            name = String(line.dropFirst(7).prefix { $0 != " " })
            if !seen.insert(name).inserted { faults.append("\(name) comes twice") }
            type = ""
        } else if line.hasPrefix("# TYPE ") {
            let words = line.split(separator: " ")
            if words.count != 4 || words[2] != name || !type.isEmpty { faults.append("stray TYPE: \(line)") }
            type = words.last.map(String.init) ?? ""
        } else {
            sample(line)
        }
    }

    private mutating func sample(_ line: String) {
        samples += 1
        guard
            let match = line.wholeMatch(
                of: /([a-z_][a-z0-9_]*)(\{(?:[a-z_][a-z0-9_]*="(?:[^"\\\n]|\\[\\"n])*",?)+\})? (\S+)/)
        else {
            return faults.append("no sample: \(line)")
        }
        let suffixes = type == "histogram" ? ["_bucket", "_sum", "_count"] : [""]
        if type.isEmpty || !suffixes.contains(where: { name + $0 == match.1 }) {
            faults.append("stray sample: \(line)")
        }
        if !series.insert(String(match.1) + String(match.2 ?? "")).inserted { faults.append("series twice: \(line)") }
        guard let value = Double(match.3.replacing("Inf", with: "infinity")) else {
            return faults.append("no number: \(line)")
        }
        if type == "histogram" { histogram(String(match.1), String(match.2 ?? ""), value) }
    }

    private mutating func histogram(_ sample: String, _ labels: String, _ value: Double) {
        if sample.hasSuffix("_bucket") {
            guard let bound = labels.firstMatch(of: /le="([^"]*)"\}/) else { return faults.append("no le: \(labels)") }
            let others = labels.replacing(bound.0, with: "")
            let edge = Double(bound.1.replacing("Inf", with: "infinity")) ?? .nan
            if let last = lastBucket, last.series == others {
                if value < last.count || !(edge > last.bound) { faults.append("buckets do not rise: \(labels)") }
            }
            lastBucket = (others, value, edge)
        } else if sample.hasSuffix("_count") {
            if lastBucket?.bound != .infinity || lastBucket?.count != value {
                faults.append("count is not the last bucket")
            }
            lastBucket = nil
        }
    }
}

@Suite("The rules of the metrics page")
struct MetricPageRulesTests {
    @Test("hold for pages of many metrics with many labels and values", arguments: 1...20 as ClosedRange<UInt64>)
    func randomPages(seed: UInt64) throws {
        var state = seed
        func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        let texts = ["", "x", "a b", "\"", "\\", "\n", "é{}=,", "\\n\"\\\"", "# HELP x", "le=\"1\""]
        let registry = MetricRegistry()
        let shards = [registry.makeShard(), registry.makeShard()]
        var expected = 0
        for number in 0..<12 {
            for label in 0..<(1 + next(4)) {
                let labels: MetricLabels = ["kind": "\(label)", "text": texts[next(texts.count)]]
                switch number % 3 {
                case 0:
                    let counter = try registry.counter(
                        "m\(number)_total", help: texts[1 + next(9)] + ".\(number)", labels: labels)
                    counter.increment(by: UInt64(next(1000)), in: shards[next(2)])
                    expected += 1
                case 1:
                    let gauge = try registry.gauge("m\(number)_depth", help: "Depth of \\ and \n.", labels: labels)
                    gauge.add(Double(next(1000)) / 7 - 50, in: shards[next(2)])
                    expected += 1
                default:
                    let bounds = Array(Histogram.secondsBounds.prefix(3 + number))
                    let histogram = try registry.histogram(
                        "m\(number)_seconds", help: "Time.", labels: labels, bounds: bounds)
                    for _ in 0..<next(50) { histogram.observe(Double(next(12_000)) / 1000, in: shards[next(2)]) }
                    expected += bounds.count + 3
                }
                if number % 3 == 0 { break }
            }
        }
        let reader = PageReader(MetricPageTests.page(registry))
        #expect(reader.faults.isEmpty)
        #expect(reader.samples == expected)
    }

    @Test(
        "are broken by pages that break them",
        arguments: [
            "a 1", "# HELP a x\na 1\n", "# HELP a x\n# TYPE a gauge\nb 1\n", "# HELP a x\n# TYPE a gauge\na one\n",
            "# HELP a x\n# TYPE a gauge\na 1\na 2\n", "# HELP a x\n# TYPE a gauge\na{b=\"\"\"} 1\n",
            "# HELP a x\n# TYPE a gauge\n# HELP a x\n# TYPE a gauge\n",
            "# HELP a x\n# TYPE a histogram\na_bucket{le=\"1\"} 2\na_bucket{le=\"+Inf\"} 1\na_count 1\n",
        ])
    func brokenPages(page: String) { #expect(!PageReader(page).faults.isEmpty) }
}
