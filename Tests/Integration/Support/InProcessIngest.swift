import EventLoops
import Postgres
import Redis
import ServiceKit
import StrideTestSupport
import Telemetry

@testable import IngestService

/// Ingest within the test's own process, put together by the same function as the executable.
///
/// Its stores get bounds that a busy machine does not reach; tests about a bound set their own.
struct InProcessIngest: Sendable {
    /// What runs.
    let service: Service<IngestLoop>
    /// Its figures.
    let registry: MetricRegistry

    var port: UInt16 { service.address.port }
    var adminPort: UInt16 { service.adminAddress.port }

    /// The moment at which these services believe to live.
    static let now = "2025-11-30T12:00:00Z"

    static func start(
        _ stores: TestStores, settings changes: [String: String] = [:], logger: Logger = .discarding,
        tune: (inout IngestConfiguration) -> Void = { _ in }
    ) async throws -> InProcessIngest {
        let patient = [
            "STRIDE_TEST_NOW": String(instant(now)), "STRIDE_INGEST_STATEMENT_MS": "60000",
            "STRIDE_INGEST_QUEUE_MS": "60000", "STRIDE_DRAIN_MS": "5000",
        ]
        var settings = Settings(stores.environment(patient.merging(changes) { _, own in own }))
        var configuration = try IngestConfiguration(from: &settings)
        configuration.service.redis.commandTimeout = .seconds(20)
        configuration.service.redis.stallTimeout = .seconds(20)
        configuration.service.redis.connectTimeout = .seconds(20)
        tune(&configuration)
        let registry = MetricRegistry()
        return InProcessIngest(
            service: try await IngestApplication.start(configuration, logger: logger, registry: registry),
            registry: registry)
    }

    /// Stops it in order.
    func stop() async { await service.drain() }

    /// The value of a series in the Prometheus text; 0 when it was never touched.
    func metric(_ series: String) -> Double {
        let lines = String(decoding: registry.render(), as: UTF8.self).split(separator: "\n")
        return lines.first { $0.hasPrefix(series + " ") }
            .flatMap { Double($0.dropFirst(series.utf8.count + 1)) } ?? 0
    }

    /// Waits until the first connection to Redis is there, so that budgets and days go there from the start.
    func awaitRedis(_ phone: Phone) async throws {
        let series = #"stride_ingest_limiter_decisions_total{mode="fleet"}"#
        try await eventually("the limiter counts in Redis") {
            _ = try await phone.post(.object([:]))
            return metric(series) > 0
        }
    }
}
