import Synchronization
import Telemetry
import Testing

private final class Flag: Sendable {
    let value = Atomic(false)
}

@Suite("Metrics of several writers")
struct MetricShardTests {
    @Test("no update is lost: loops with a shard each, and threads without one, add up")
    func totals() async throws {
        let registry = MetricRegistry()
        let counter = try registry.counter("a_total", help: "H.")
        let gauge = try registry.gauge("b_depth", help: "H.")
        let histogram = try registry.histogram("c_bytes", help: "H.", bounds: [10])
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                let shard = registry.makeShard()
                group.addTask {
                    for step in 0..<20_000 {
                        counter.increment(in: shard)
                        gauge.add(0.5, in: shard)
                        histogram.observe(Double(step % 20), in: shard)
                    }
                }
                group.addTask {
                    for step in 0..<20_000 {
                        counter.increment(by: 2)
                        gauge.add(-0.25)
                        histogram.observe(Double(step % 20))
                    }
                }
            }
        }
        let page = MetricPageTests.page(registry)
        #expect(page.contains("a_total 240000\n"))
        #expect(page.contains("b_depth 20000\n"))
        #expect(page.contains("c_bytes_bucket{le=\"10\"} 88000\n"))
        #expect(page.contains("c_bytes_bucket{le=\"+Inf\"} 160000\n"))
        #expect(page.contains("c_bytes_sum 1520000\n"))
    }

    @Test("a gauge is the sum of its parts, or the worst of them where it says so")
    func gauges() throws {
        let registry = MetricRegistry()
        let connections = try registry.gauge("connections_open", help: "H.")
        let age = try registry.gauge("oldest_seconds", help: "H.", merge: .maximum)
        let shards = (0..<3).map { _ in registry.makeShard() }
        for (index, shard) in shards.enumerated() {
            connections.set(Double(index + 1), in: shard)
            age.set(Double(index) / 2, in: shard)
        }
        #expect(MetricPageTests.page(registry).contains("connections_open 6\n"))
        #expect(MetricPageTests.page(registry).contains("oldest_seconds 1\n"))
        connections.set(10)
        connections.add(-1, in: shards[0])
        age.set(0, in: shards[2])
        #expect(MetricPageTests.page(registry).contains("connections_open 15\n"))
        #expect(MetricPageTests.page(registry).contains("oldest_seconds 0.5\n"))
    }

    @Test("a page read during updates never shows a counter or bucket going back")
    func monotone() async throws {
        let registry = MetricRegistry()
        let counter = try registry.counter("a_total", help: "H.")
        let histogram = try registry.histogram("b_seconds", help: "H.", bounds: [1])
        let shard = registry.makeShard()
        let isDone = Flag()
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for _ in 0..<200_000 {
                    counter.increment(in: shard)
                    histogram.observe(0.5, in: shard)
                }
                isDone.value.store(true, ordering: .relaxed)
            }
            group.addTask {
                var last: [String: Int] = [:]
                repeat {
                    for line in MetricPageTests.page(registry).split(separator: "\n") where !line.hasPrefix("#") {
                        let parts = line.split(separator: " ")
                        let value = Int(Double(parts[1]) ?? -1)
                        #expect(value >= last[String(parts[0]), default: 0])
                        last[String(parts[0])] = value
                    }
                } while !isDone.value.load(ordering: .relaxed)
            }
        }
        #expect(MetricPageTests.page(registry).contains("a_total 200000\n"))
    }
}
