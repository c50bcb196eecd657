/// Labels of one series, in the order in which they are written.
package typealias MetricLabels = KeyValuePairs<String, String>

extension MetricRegistry {
    /// The counter with these labels.
    ///
    /// - Parameters:
    ///   - name: lower-case words, ending in `_total`.
    ///   - help: one sentence for those who read the page.
    ///   - labels: names and values; all series of one name carry the same names in the same order.
    /// - Throws: `MetricError`, always a mistake in the caller.
    package func counter(_ name: String, help: String, labels: MetricLabels = [:]) throws(MetricError) -> Counter {
        let family = Family(name: name, help: help, kind: .counter, labels: labels)
        return Counter(slot: try register(family, labels: Array(labels), slots: 1), common: common)
    }

    /// The gauge with these labels; `merge` says how the loops' values become one.
    ///
    /// - Throws: `MetricError`, always a mistake in the caller.
    package func gauge(
        _ name: String, help: String, labels: MetricLabels = [:], merge: Gauge.Merge = .sum
    ) throws(MetricError) -> Gauge {
        let family = Family(name: name, help: help, kind: .gauge, labels: labels, merge: merge)
        return Gauge(slot: try register(family, labels: Array(labels), slots: 1), common: common)
    }

    /// A gauge whose value is read at each scrape, for what something else already counts.
    ///
    /// - Parameter read: called on the scraping thread, outside the registry's lock; must not block.
    /// - Throws: `MetricError`, also when the series exists, since one of two sources would be silently ignored.
    package func sampledGauge(
        _ name: String, help: String, labels: MetricLabels = [:], read: @escaping @Sendable () -> Double
    ) throws(MetricError) {
        let family = Family(name: name, help: help, kind: .gauge, labels: labels, isSampled: true)
        _ = try register(family, labels: Array(labels), slots: 0, sample: read)
    }

    /// The histogram with these labels.
    ///
    /// - Parameter bounds: the buckets' upper bounds, rising and finite; the same for all series of one name.
    /// - Throws: `MetricError`, always a mistake in the caller.
    package func histogram(
        _ name: String, help: String, labels: MetricLabels = [:], bounds: [Double]
    ) throws(MetricError) -> Histogram {
        try MetricName.check(bounds: bounds, metric: name)
        let family = Family(name: name, help: help, kind: .histogram, labels: labels, bounds: bounds)
        let slot = try register(family, labels: Array(labels), slots: bounds.count + 2)
        return Histogram(bounds: bounds, slot: slot, common: common)
    }
}

extension MetricRegistry.Family {
    fileprivate init(
        name: String, help: String, kind: MetricKind, labels: MetricLabels, bounds: [Double] = [],
        merge: Gauge.Merge = .sum, isSampled: Bool = false
    ) {
        self.init(
            name: name, help: help, kind: kind, labelNames: labels.map(\.key), bounds: bounds, merge: merge,
            isSampled: isSampled)
    }
}
