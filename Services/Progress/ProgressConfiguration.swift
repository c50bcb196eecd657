import Foundation
import Postgres
import ServiceKit
import Storage

/// What progress is told, beyond what every service is.
struct ProgressConfiguration: Sendable {
    /// Addresses, stores, tokens, limits.
    var service: ServiceConfiguration
    /// `STRIDE_PROGRESS_FILLS` (8): users of one loop whose home is read from PostgreSQL at once.
    var fills: Int
    /// `STRIDE_PROGRESS_FILL_QUEUE` (500): users of one loop that wait for that; more are refused at once.
    var fillQueue: Int
    /// `STRIDE_PROGRESS_FILL_QUEUE_MS` (2000): the longest that a user waits before the read begins.
    var fillPatience: Duration
    /// `STRIDE_PROGRESS_STATEMENT_MS` (3000): the longest that one trip to PostgreSQL takes.
    var statementTimeout: Duration
    /// `STRIDE_PROGRESS_CHECK_MS` (1000): how often a loop compares a user's cache with PostgreSQL; 0 never.
    var checkInterval: Duration
    /// `STRIDE_PROGRESS_EXPORTS` (16): exports of one loop at once; more are refused.
    var exports: Int
    /// `STRIDE_PROGRESS_READ_URL` (or `_FILE`): a standby that answers what it has whole; nil without one.
    var replica: PostgresConfiguration?
    /// How long a difference must last to be one; the promise of `docs/consistency.md`.
    var checkPatience = Duration.seconds(5)

    /// Reads the settings.
    ///
    /// - Throws: `Settings.Fault` with every fault at once.
    init(from settings: inout Settings) throws(Settings.Fault) {
        fills = settings.integer("STRIDE_PROGRESS_FILLS", default: 8, in: 1...1000)
        fillQueue = settings.integer("STRIDE_PROGRESS_FILL_QUEUE", default: 500, in: 0...1_000_000)
        fillPatience = settings.milliseconds("STRIDE_PROGRESS_FILL_QUEUE_MS", default: 2000, in: 1...60_000)
        statementTimeout = settings.milliseconds("STRIDE_PROGRESS_STATEMENT_MS", default: 3000, in: 100...60_000)
        checkInterval = settings.milliseconds("STRIDE_PROGRESS_CHECK_MS", default: 1000, in: 0...3_600_000)
        exports = settings.integer("STRIDE_PROGRESS_EXPORTS", default: 16, in: 1...10_000)
        let replicaURL = settings.text("STRIDE_PROGRESS_READ_URL", default: "")
        service = try ServiceConfiguration(
            name: "progress", defaultPort: 8083, from: &settings, cores: ProcessInfo.processInfo.activeProcessorCount)
        // Two beyond the fills, so that pages, repairs and the look at the servers never wait for fills.
        service.postgresConnections = max(service.postgresConnections, fills + 2)
        service.postgres.lockTimeout = statementTimeout
        service.postgres.statementTimeout = statementTimeout
        do {
            replica =
                replicaURL.isEmpty
                ? nil : try settings.postgres(url: replicaURL, name: "stride-progress")
        } catch {
            throw Settings.Fault(faults: ["STRIDE_PROGRESS_READ_URL: \(error)"])
        }
        replica?.statementTimeout = statementTimeout
    }

    /// The standby of a loop, if one is named.
    func makeReplica(_ resources: LoopResources) -> ReadReplica? {
        replica.map { replica in
            ReadReplica(
                pool: PostgresPool(
                    configuration: replica, limits: PostgresPoolState.Limits(maximum: fills + 2), loop: resources.loop),
                primary: resources.postgres, generation: resources.generation, timeout: .milliseconds(500))
        }
    }
}
