package import HTTP
internal import Models
package import Telemetry

/// Counts requests under OpenTelemetry's names.
///
/// One for each loop.
///
/// A series is made for each route, method and status when it is first seen; all three come from closed sets, so random
/// paths and methods make no new series.
///
/// Confined to its loop: the HTTP server calls it there; hence `@unchecked Sendable`.
package final class RequestMetrics: HTTPObserver, @unchecked Sendable {
    private struct Series: Hashable {
        let method: String
        let route: String
        let status: Int
    }

    private let registry: MetricRegistry
    private let shard: MetricShard
    private let service: String
    private let active: Gauge?
    /// By reason.
    private var refusals: [String: Counter] = [:]
    private var durations: [Series: Histogram] = [:]
    /// The series of the last request, which mostly is that of the next one.
    private var last: (series: Series, histogram: Histogram)?

    /// Makes the metrics of one loop.
    package init(registry: MetricRegistry, shard: MetricShard, service: String) {
        self.registry = registry
        self.shard = shard
        self.service = service
        active = try? registry.gauge(
            "http_server_active_requests", help: "Requests that are being answered.", labels: ["service": service])
        for reason in Problem.Reason.allCases {
            refusals[reason.rawValue] = try? registry.counter(
                "stride_refused_requests_total", help: "Requests whose client is to come again, by the reason.",
                labels: ["service": service, "reason": reason.rawValue])
        }
    }

    /// One more request is in flight.
    package func requestStarted() { active?.add(1, in: shard) }

    /// One less is in flight, and its duration is counted.
    package func requestFinished(_ exchange: HTTPExchange) {
        active?.add(-1, in: shard)
        if let reason = exchange.refusalReason { refusals[reason]?.increment(in: shard) }
        let series = Series(
            method: exchange.method.map { $0.isImplemented ? $0.name : "_OTHER" } ?? "_OTHER",
            route: exchange.route ?? "", status: exchange.status.code)
        if let last, last.series == series { return last.histogram.observe(exchange.duration, in: shard) }
        if let known = durations[series] {
            last = (series, known)
            return known.observe(exchange.duration, in: shard)
        }
        let made = try? registry.histogram(
            "http_server_request_duration_seconds", help: "From the last byte of a request to its answer.",
            labels: [
                "service": service, "http_request_method": series.method, "http_route": series.route,
                "http_response_status_code": String(series.status),
            ], bounds: Histogram.secondsBounds)
        guard let made else { return }
        durations[series] = made
        made.observe(exchange.duration, in: shard)
    }
}
