extension MetricRegistry {
    /// The media type of what `render` gives.
    package static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    /// All metrics in the Prometheus text format, version 0.0.4.
    ///
    /// HELP and TYPE come once per name, with all series of the name behind them. May be called from any thread; the
    /// lock is held only to copy the list of series. Source: Prometheus, "Exposition formats".
    package func render() -> [UInt8] {
        let snapshot = snapshot()
        var page = MetricPage()
        for family in snapshot.families {
            page.begin(family)
            for series in family.series {
                switch family.kind {
                case .counter:
                    let total = snapshot.shards.reduce(0 as UInt64) { $0 &+ $1.read(series.slot) }
                    page.line(family.name, series.labels, value: "\(total)")
                case .gauge:
                    let value = series.sample.map { $0() } ?? snapshot.gauge(series, merge: family.merge)
                    page.line(family.name, series.labels, value: MetricPage.text(value))
                case .histogram:
                    render(series, of: family, from: snapshot.shards, to: &page)
                }
            }
        }
        return page.bytes
    }

    private func render(_ series: Series, of family: Family, from shards: [MetricShard], to page: inout MetricPage) {
        var count: UInt64 = 0
        for index in 0...family.bounds.count {
            for shard in shards { count &+= shard.read(series.slot + 1 + index) }
            let bound = index < family.bounds.count ? MetricPage.text(family.bounds[index]) : "+Inf"
            page.line(family.name + "_bucket", series.labels + [("le", bound)], value: "\(count)")
        }
        let sum = shards.reduce(0.0) { $0 + Double(bitPattern: $1.read(series.slot)) }
        page.line(family.name + "_sum", series.labels, value: MetricPage.text(sum))
        page.line(family.name + "_count", series.labels, value: "\(count)")
    }
}

extension MetricRegistry.State {
    func gauge(_ series: MetricRegistry.Series, merge: Gauge.Merge) -> Double {
        let values = shards.map { Double(bitPattern: $0.read(series.slot)) }
        return switch merge {
        case .sum: values.reduce(0, +)
        case .maximum: values.reduce(0) { max($0, $1) }
        }
    }
}
