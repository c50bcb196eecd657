import Telemetry
import Testing

@Suite("The metrics page")
struct MetricPageTests {
    static func page(_ registry: MetricRegistry) -> String { String(decoding: registry.render(), as: UTF8.self) }

    @Test("shows every type as the text format 0.0.4 wants it")
    func wholePage() throws {
        let registry = MetricRegistry()
        let posted = try registry.counter(
            "stride_calls_total", help: "Calls.", labels: ["method": "POST", "route": "/v1"])
        let depth = try registry.gauge("stride_queue_depth", help: "Waiting.")
        let time = try registry.histogram(
            "stride_wait_seconds", help: "Wait.", labels: ["to": "db"], bounds: [0.25, 1])
        let fetched = try registry.counter(
            "stride_calls_total", help: "Calls.", labels: ["method": "GET", "route": "/v1"])
        let shard = registry.makeShard()
        posted.increment(in: shard)
        posted.increment(by: 2, in: shard)
        fetched.increment()
        depth.set(2.5, in: shard)
        for value in [0.25, 0.5, 7] { time.observe(value, in: shard) }
        #expect(
            Self.page(registry) == """
                # HELP stride_calls_total Calls.
                # TYPE stride_calls_total counter
                stride_calls_total{method="POST",route="/v1"} 3
                stride_calls_total{method="GET",route="/v1"} 1
                # HELP stride_queue_depth Waiting.
                # TYPE stride_queue_depth gauge
                stride_queue_depth 2.5
                # HELP stride_wait_seconds Wait.
                # TYPE stride_wait_seconds histogram
                stride_wait_seconds_bucket{to="db",le="0.25"} 1
                stride_wait_seconds_bucket{to="db",le="1"} 2
                stride_wait_seconds_bucket{to="db",le="+Inf"} 3
                stride_wait_seconds_sum{to="db"} 7.75
                stride_wait_seconds_count{to="db"} 3

                """)
    }

    @Test("is empty without metrics")
    func empty() { #expect(MetricRegistry().render().isEmpty) }

    @Test("escapes backslash and line feed in help, and the quotation mark too in label values")
    func escaping() throws {
        let registry = MetricRegistry()
        _ = try registry.counter("a_total", help: "one \\ two\n\"three\"", labels: ["path": "C:\\x\n\"é\""])
        #expect(
            Self.page(registry)
                == "# HELP a_total one \\\\ two\\n\"three\"\n# TYPE a_total counter\n"
                + "a_total{path=\"C:\\\\x\\n\\\"é\\\"\"} 0\n")
    }

    @Test(
        "writes numbers so that the scraper reads them back",
        arguments: [
            (0.0, "0"), (-0.0, "0"), (1, "1"), (-17, "-17"), (0.1, "0.1"), (0.0005, "0.0005"), (1e-05, "1e-05"),
            (1e300, "1e+300"), (9_007_199_254_740_991, "9007199254740991"), (.infinity, "+Inf"), (-.infinity, "-Inf"),
            (.nan, "NaN"),
        ])
    func numbers(value: Double, text: String) throws {
        let registry = MetricRegistry()
        try registry.sampledGauge("a_gauged_value", help: "A.") { value }
        #expect(Self.page(registry).hasSuffix("\na_gauged_value \(text)\n"))
    }

    @Test("a bucket includes its upper bound, and what is no number is not counted")
    func buckets() throws {
        let registry = MetricRegistry()
        let sizes = try registry.histogram("size_bytes", help: "S.", bounds: [-1, 0, 1])
        for value in [-1.0, -0.5, 0, 0.0000001, 1, 1.0000001, 1e9, .nan, .infinity, -.infinity] { sizes.observe(value) }
        let page = Self.page(registry)
        #expect(page.contains("size_bytes_bucket{le=\"-1\"} 1\n"))
        #expect(page.contains("size_bytes_bucket{le=\"0\"} 3\n"))
        #expect(page.contains("size_bytes_bucket{le=\"1\"} 5\n"))
        #expect(page.contains("size_bytes_bucket{le=\"+Inf\"} 7\n"))
        #expect(page.contains("size_bytes_count 7\n"))
    }

    @Test("time is shown in seconds")
    func seconds() throws {
        let registry = MetricRegistry()
        let shard = registry.makeShard()
        let time = try registry.histogram("t_seconds", help: "T.", bounds: [0.001, 1])
        time.observe(.milliseconds(1), in: shard)
        time.observe(.milliseconds(1500))
        let page = Self.page(registry)
        #expect(page.contains("t_seconds_bucket{le=\"0.001\"} 1\n"))
        #expect(page.contains("t_seconds_sum 1.501\n"))
    }
}
