import Telemetry
import Testing

@Suite("Registering metrics")
struct MetricRegistrationTests {
    @Test(
        "refuses names that the checker of Prometheus objects to",
        arguments: [
            "", "1_total", "a-b_total", "a.b_total", "a b_total", "A_total", "requestCount_total", "a:b_total",
            "ä_total",
            "a\n_total", "requests", "wait_milliseconds_total", "wait_ms_total", "sent_kilobytes_total",
            "calls_counter_total", "_total_sum",
        ])
    func counterNames(name: String) {
        #expect(throws: MetricError.self) { try MetricRegistry().counter(name, help: "H.") }
    }

    @Test(
        "refuses a counter's name, another type's suffix or a missing unit for a gauge",
        arguments: ["a_total", "a_count", "a_sum", "a_bucket", "a_info", "age_ms", "cpu_percent", "a_gauge"])
    func gaugeNames(name: String) {
        #expect(throws: MetricError.self) { try MetricRegistry().gauge(name, help: "H.") }
    }

    @Test("refuses a metric without help")
    func help() {
        #expect(throws: MetricError.invalidName("a_total", reason: "no help text")) {
            try MetricRegistry().counter("a_total", help: "")
        }
    }

    @Test("refuses label names that are reserved, malformed or double")
    func labels() {
        let registry = MetricRegistry()
        #expect(throws: MetricError.invalidLabel("__name__", metric: "a_total")) {
            try registry.counter("a_total", help: "H.", labels: ["__name__": "x"])
        }
        #expect(throws: MetricError.invalidLabel("user-id", metric: "a_total")) {
            try registry.counter("a_total", help: "H.", labels: ["user-id": "x"])
        }
        #expect(throws: MetricError.invalidLabel("", metric: "a_total")) {
            try registry.counter("a_total", help: "H.", labels: ["": "x"])
        }
        #expect(throws: MetricError.invalidLabel("m", metric: "a_total")) {
            try registry.counter("a_total", help: "H.", labels: ["m": "x", "m": "y"])
        }
        #expect(throws: MetricError.invalidLabel("le", metric: "a_seconds")) {
            try registry.histogram("a_seconds", help: "H.", labels: ["le": "1"], bounds: [1])
        }
        #expect(registry.render().isEmpty)
    }

    @Test(
        "refuses bounds that are missing, not rising or not finite",
        arguments: [[], [1, 1], [2, 1], [1, .infinity], [.nan], [.nan, 1], [-.infinity, 0]] as [[Double]])
    func bounds(bounds: [Double]) {
        #expect(throws: MetricError.invalidBounds(metric: "a_seconds")) {
            try MetricRegistry().histogram("a_seconds", help: "H.", bounds: bounds)
        }
    }

    @Test("gives the same series to all who register it alike, and refuses those who do not")
    func sameSeries() throws {
        let registry = MetricRegistry()
        let first = try registry.counter("a_total", help: "H.", labels: ["m": "x"])
        let again = try registry.counter("a_total", help: "H.", labels: ["m": "x"])
        first.increment()
        again.increment()
        #expect(MetricPageTests.page(registry).hasSuffix("a_total{m=\"x\"} 2\n"))
        #expect(throws: MetricError.conflict(metric: "a_total")) {
            try registry.counter("a_total", help: "Other.", labels: ["m": "x"])
        }
        #expect(throws: MetricError.conflict(metric: "a_total")) {
            try registry.counter("a_total", help: "H.", labels: ["n": "x"])
        }
        #expect(throws: MetricError.conflict(metric: "a_total")) { try registry.counter("a_total", help: "H.") }
        _ = try registry.gauge("b_depth", help: "H.")
        #expect(throws: MetricError.conflict(metric: "b_depth")) {
            try registry.gauge("b_depth", help: "H.", merge: .maximum)
        }
        #expect(throws: MetricError.conflict(metric: "b_depth")) {
            try registry.histogram("b_depth", help: "H.", bounds: [1])
        }
        #expect(throws: MetricError.conflict(metric: "b_depth")) {
            try registry.sampledGauge("b_depth", help: "H.") { 1 }
        }
        try registry.sampledGauge("c_depth", help: "H.") { 1 }
        #expect(throws: MetricError.conflict(metric: "c_depth")) {
            try registry.sampledGauge("c_depth", help: "H.") { 2 }
        }
    }

    @Test("ends when all slots are given out, and what was registered goes on")
    func full() throws {
        let registry = MetricRegistry(capacity: 5)
        let histogram = try registry.histogram("a_seconds", help: "H.", bounds: [1, 2])
        let counter = try registry.counter("b_total", help: "H.", labels: ["m": "1"])
        #expect(throws: MetricError.full(metric: "b_total")) {
            try registry.counter("b_total", help: "H.", labels: ["m": "2"])
        }
        histogram.observe(3.0)
        counter.increment(in: registry.makeShard())
        let page = MetricPageTests.page(registry)
        #expect(page.contains("a_seconds_count 1\n") && page.contains("b_total{m=\"1\"} 1\n"))
    }
}
