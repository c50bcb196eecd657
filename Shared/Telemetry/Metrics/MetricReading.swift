/// What all metrics of a process say at one moment, for those who compare two moments.
///
/// Cost: a walk over all series and shards, some tens of microseconds; for once a second, on no loop that answers users.
package struct MetricReading: Sendable {
    /// One series of a family.
    package struct Series: Sendable {
        /// Names and values of its labels.
        package let labels: [(String, String)]
        /// The count of a counter, the value of a gauge, or the sum of what a histogram has observed.
        package let value: Double
        /// The observations in each bucket of a histogram, the one above the last bound included; else empty.
        package let buckets: [UInt64]

        /// The value of a label; nil without one.
        package func label(_ name: String) -> String? { labels.first { $0.0 == name }?.1 }
    }

    private var families: [String: (bounds: [Double], series: [Series])] = [:]

    /// Nothing, as before the first observation.
    package init() {}

    /// The series of a family; none when it is not registered.
    package func series(_ name: String) -> [Series] { families[name]?.series ?? [] }

    /// The sum over the values of a family's series, or of those of them that are wanted.
    package func sum(_ name: String, where isWanted: (Series) -> Bool = { _ in true }) -> Double {
        series(name).reduce(0) { isWanted($1) ? $0 + $1.value : $0 }
    }

    /// The observations of all series of a histogram together; nil when it is not registered.
    package func histogram(_ name: String) -> HistogramReading? {
        guard let family = families[name], !family.bounds.isEmpty else { return nil }
        var counts = [UInt64](repeating: 0, count: family.bounds.count + 1)
        for series in family.series {
            for (index, count) in series.buckets.enumerated() { counts[index] &+= count }
        }
        return HistogramReading(bounds: family.bounds, counts: counts)
    }

    /// Whether a family is registered.
    package func has(_ name: String) -> Bool { families[name] != nil }

    mutating func add(_ series: [Series], to name: String, bounds: [Double]) { families[name] = (bounds, series) }
}

/// The observations of a histogram within some time.
package struct HistogramReading: Equatable, Sendable {
    /// The upper bounds of the buckets.
    package let bounds: [Double]
    /// The observations in each bucket, and in the one above.
    package let counts: [UInt64]

    /// Takes bounds and one count more than there are bounds.
    package init(bounds: [Double], counts: [UInt64]) {
        self.bounds = bounds
        self.counts = counts
    }

    /// What came after an earlier reading; everything, if that was of other buckets.
    package func since(_ earlier: HistogramReading?) -> HistogramReading {
        guard let earlier, earlier.bounds == bounds else { return self }
        return HistogramReading(bounds: bounds, counts: zip(counts, earlier.counts).map { $0 &- $1 })
    }

    /// How many observations there are.
    package var count: UInt64 { counts.reduce(0, &+) }

    /// Below which value a share of the observations lies; nil without observations.
    ///
    /// An estimate as Prometheus makes it: values are taken to be spread evenly within a bucket, and what lies above the
    /// last bound counts as that bound.
    package func quantile(_ share: Double) -> Double? {
        let total = count
        guard total > 0, let last = bounds.last else { return nil }
        let rank = share * Double(total)
        var below = 0.0
        for (index, bound) in bounds.enumerated() {
            let here = Double(counts[index])
            if here > 0, below + here >= rank {
                let lower = index == 0 ? min(0, bound) : bounds[index - 1]
                return lower + (bound - lower) * max(0, rank - below) / here
            }
            below += here
        }
        return last
    }
}

extension MetricRegistry {
    /// Reads all metrics; from any thread, as `render`.
    package func read() -> MetricReading {
        let snapshot = snapshot()
        var reading = MetricReading()
        for family in snapshot.families {
            let series = family.series.map { series in
                switch family.kind {
                case .counter:
                    let total = snapshot.shards.reduce(0 as UInt64) { $0 &+ $1.read(series.slot) }
                    return MetricReading.Series(labels: series.labels, value: Double(total), buckets: [])
                case .gauge:
                    let value = series.sample.map { $0() } ?? snapshot.gauge(series, merge: family.merge)
                    return MetricReading.Series(labels: series.labels, value: value, buckets: [])
                case .histogram:
                    let buckets = (0...family.bounds.count).map { index in
                        snapshot.shards.reduce(0 as UInt64) { $0 &+ $1.read(series.slot + 1 + index) }
                    }
                    let sum = snapshot.shards.reduce(0.0) { $0 + Double(bitPattern: $1.read(series.slot)) }
                    return MetricReading.Series(labels: series.labels, value: sum, buckets: buckets)
                }
            }
            reading.add(series, to: family.name, bounds: family.bounds)
        }
        return reading
    }
}
