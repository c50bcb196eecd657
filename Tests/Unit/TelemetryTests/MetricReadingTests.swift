import Telemetry
import Testing

@Suite("A reading of all metrics")
struct MetricReadingTests {
    @Test("adds up the loops, series by series, and leaves out what nobody registered")
    func sums() throws {
        let registry = MetricRegistry()
        let written = try registry.counter("a_total", help: "A.", labels: ["result": "created"])
        let known = try registry.counter("a_total", help: "A.", labels: ["result": "duplicate"])
        let open = try registry.gauge("b", help: "B.")
        let (one, other) = (registry.makeShard(), registry.makeShard())
        written.increment(by: 3, in: one)
        written.increment(by: 4, in: other)
        known.increment(in: other)
        open.set(2, in: one)
        open.set(5, in: other)
        let reading = registry.read()
        #expect(reading.sum("a_total") == 8)
        #expect(reading.sum("a_total") { $0.label("result") == "created" } == 7)
        #expect(reading.sum("b") == 7)
        #expect(reading.has("b") && !reading.has("c"))
        #expect(reading.sum("c") == 0)
        #expect(reading.histogram("a_total") == nil)
    }

    @Test("a percentile lies within its bucket as far as its rank goes, only what came since counts")
    func percentiles() throws {
        let registry = MetricRegistry()
        let shard = registry.makeShard()
        let times = try registry.histogram("t_seconds", help: "T.", bounds: [0.1, 0.2, 0.4])
        for _ in 0..<50 { times.observe(3.0, in: shard) }
        let earlier = registry.read()
        // Ten up to 0.1, eighty up to 0.2, ten up to 0.4.
        for (value, count) in [(0.05, 10), (0.15, 80), (0.3, 10)] {
            for _ in 0..<count { times.observe(value, in: shard) }
        }
        let now = try #require(registry.read().histogram("t_seconds"))
        let since = now.since(earlier.histogram("t_seconds"))
        #expect(since.counts == [10, 80, 10, 0])
        // The 50th of 100 is the 40th of the 80 between 0.1 and 0.2.
        #expect(abs((since.quantile(0.5) ?? 0) - 0.15) < 1e-9)
        // The 99th is the 9th of the 10 between 0.2 and 0.4.
        #expect(abs((since.quantile(0.99) ?? 0) - 0.38) < 1e-9)
        // With the fifty above the last bound, nothing better than that bound is known.
        #expect(now.quantile(0.99) == 0.4)
        #expect(now.since(now).quantile(0.5) == nil)
    }
}

@Suite("Counting different things")
struct DistinctTests {
    /// Evenly spread, as the digests are that user ids are made of.
    private func hash(_ number: UInt64) -> UInt64 {
        var mixed = number &+ 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    @Test("is close to the truth from none to many, and repeats count once", arguments: [0, 1, 10, 300, 5000, 200_000])
    func close(count: Int) {
        var sketch = DistinctSketch()
        for _ in 0..<2 {
            for number in 0..<UInt64(count) { sketch.insert(hash(number)) }
        }
        // Four times the average error.
        #expect(abs(Double(sketch.estimate) - Double(count)) <= Double(count) * 0.13 + 0.5, "\(sketch.estimate)")
    }

    @Test("two sketches joined count whom both have seen once")
    func joined() {
        var (one, other, all) = (DistinctSketch(), DistinctSketch(), DistinctSketch())
        for number in 0..<UInt64(2000) {
            if number < 1500 { one.insert(hash(number)) }
            if number >= 500 { other.insert(hash(number)) }
            all.insert(hash(number))
        }
        one.merge(other)
        #expect(one == all)
        #expect(DistinctSketch(one.registers) == one)
        #expect(DistinctSketch([UInt8](repeating: 0, count: 3)) == nil)
        #expect(DistinctSketch([UInt8](repeating: 99, count: DistinctSketch.size)) == nil)
    }

    @Test("a window forgets after a minute whom nobody has seen again")
    func window() {
        let window = DistinctWindow()
        func seen(at milliseconds: UInt64) -> Int64 {
            var sketch = DistinctSketch()
            window.add(to: &sketch, at: milliseconds)
            return sketch.estimate
        }
        #expect(seen(at: 0) == 0)
        window.see(hash(1), at: 1_000)
        window.see(hash(1), at: 2_000)
        window.see(hash(2), at: 31_000)
        #expect(seen(at: 31_000) == 2)
        // Also the first of a minute that has just ended are in it: the first ten seconds are shown up to the seventieth.
        #expect(seen(at: 60_000) == 2)
        #expect(seen(at: 69_999) == 2)
        #expect(seen(at: 70_000) == 1)
        #expect(seen(at: 99_999) == 1)
        #expect(seen(at: 100_000) == 0)
        // The piece of the first ten seconds is used again eighty seconds later.
        window.see(hash(3), at: 81_000)
        #expect(seen(at: 81_000) == 2)
        #expect(seen(at: 200_000) == 0)
    }
}
