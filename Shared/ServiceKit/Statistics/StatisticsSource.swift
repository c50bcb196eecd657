package import Telemetry

/// What happened between two looks at the metrics of a service; a pure value.
///
/// Nothing is counted for the statistics alone: they are differences of what `/metrics` shows.
package struct StatisticsSource: Sendable {
    private let service: String

    /// - Parameter service: `ingest`; its metrics are called `stride_ingest_…`.
    package init(service: String) { self.service = service }

    /// The figures of the time from one reading to the next.
    ///
    /// - Parameter span: that time in milliseconds.
    package func record(from earlier: MetricReading, to now: MetricReading, span: Int64) -> StatisticsRecord {
        let change = Change(earlier: earlier, now: now)
        var record = StatisticsRecord()
        record[.span] = span
        addRequests(change, to: &record)
        addWorkouts(change, to: &record)
        addCache(change, to: &record)
        addStores(change, to: &record)
        return record
    }

    private struct Change {
        let earlier: MetricReading
        let now: MetricReading

        func count(_ name: String, where isWanted: (MetricReading.Series) -> Bool = { _ in true }) -> Int64 {
            Int64(now.sum(name, where: isWanted) - earlier.sum(name, where: isWanted))
        }

        /// Nil for a service without this counter.
        func count(_ name: String, _ label: String, _ values: String...) -> Int64? {
            guard now.has(name) else { return nil }
            return count(name) { series in series.label(label).map { values.contains($0) } ?? false }
        }

        func histogram(_ name: String) -> HistogramReading? {
            now.histogram(name)?.since(earlier.histogram(name))
        }

        func gauge(_ name: String) -> Int64? { now.has(name) ? Int64(now.sum(name)) : nil }
    }

    private func addRequests(_ change: Change, to record: inout StatisticsRecord) {
        let name = "http_server_request_duration_seconds"
        func calls(_ isWanted: (Int) -> Bool) -> Int64 {
            func sum(_ reading: MetricReading) -> UInt64 {
                reading.series(name).reduce(0) { total, series in
                    let status = series.label("http_response_status_code").flatMap { Int($0) } ?? 0
                    return isWanted(status) ? series.buckets.reduce(total, &+) : total
                }
            }
            return Int64(sum(change.now) &- sum(change.earlier))
        }
        record[.requests] = calls { _ in true }
        record[.accepted] = calls { (200..<400).contains($0) }
        // 501 answers a method that nobody knows: the client's mistake.
        record[.faulty] = calls { (400..<500).contains($0) && $0 != 429 || $0 == 501 }
        record[.failed] = calls { $0 >= 500 && $0 != 501 && $0 != 503 }
        let reasons = ["user_rate", "overload", "store_unavailable", "draining"]
        for (field, reason) in zip(StatisticsField.refusals, reasons) {
            record[field] = change.count("stride_refused_requests_total", "reason", reason) ?? 0
        }
        // Its series are made by the first calls.
        let times = change.histogram(name) ?? HistogramReading(bounds: [], counts: [])
        record.setTimes(times, median: .requestMedian, high: .requestHigh)
    }

    /// Ingest tells of workouts, of which a call may hold many.
    private func addWorkouts(_ change: Change, to record: inout StatisticsRecord) {
        let name = "stride_\(service)_workouts_total"
        if change.now.has(name) {
            record[.accepted] = change.count(name, "result", "created", "updated")
            record[.duplicates] = change.count(name, "result", "duplicate")
            record[.faulty] = change.count(name, "result", "faulty", "conflict")
            let reasons = ["user_rate", "overload", "store_unavailable", "draining"]
            for (field, reason) in zip(StatisticsField.refusals, reasons) {
                record[field] = change.count(name, "result", reason)
            }
        }
        let batches = "stride_\(service)_batch_size"
        if let sizes = change.histogram(batches) {
            let rows = change.now.sum(batches) - change.earlier.sum(batches)
            record[.batches] = Int64(sizes.count)
            record[.batchSize] = sizes.count > 0 ? Int64((rows / Double(sizes.count)).rounded()) : 0
        }
        record[.queued] = change.gauge("stride_\(service)_queued_workouts")
        record.setTimes(
            change.histogram("stride_\(service)_queue_duration_seconds"), median: .queueMedian, high: .queueHigh)
        record.setTimes(
            change.histogram("stride_\(service)_commit_duration_seconds"), median: .commitMedian, high: .commitHigh)
    }

    private func addCache(_ change: Change, to record: inout StatisticsRecord) {
        let name = "stride_\(service)_cache_reads_total"
        record[.cacheHits] = change.count(name, "result", "hit")
        record[.cacheMisses] = change.count(name, "result", "miss", "behind", "refused")
        record[.cacheErrors] = change.count(name, "result", "error")
        let leases = "stride_\(service)_fleet_leases_total"
        if change.now.has(leases) { record[.leases] = change.count(leases) }
        record[.localDecisions] = change.count("stride_\(service)_limiter_decisions_total", "mode", "local")
    }

    private func addStores(_ change: Change, to record: inout StatisticsRecord) {
        record[.loops] = change.gauge("stride_loops")
        record[.redisConnected] = change.gauge("stride_redis_connected")
        record[.postgresConnections] = change.gauge("stride_postgres_connections")
        record[.postgresIdle] = change.gauge("stride_postgres_idle_connections")
        record[.postgresWaiting] = change.gauge("stride_postgres_waiting")
        record.setTimes(change.histogram("stride_redis_exchange_duration_seconds"), high: .redisHigh)
        record.setTimes(change.histogram("stride_postgres_loan_duration_seconds"), high: .postgresHigh)
    }
}

extension StatisticsRecord {
    /// Percentiles in microseconds; 0 where nothing happened, absent where there is no such metric.
    fileprivate mutating func setTimes(
        _ times: HistogramReading?, median: StatisticsField? = nil, high: StatisticsField
    ) {
        guard let times else { return }
        func microseconds(_ share: Double) -> Int64 { Int64(((times.quantile(share) ?? 0) * 1e6).rounded()) }
        if let median { self[median] = microseconds(0.5) }
        self[high] = microseconds(0.99)
    }
}
