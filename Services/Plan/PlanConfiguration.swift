import Foundation
import Postgres
import ServiceKit
import Storage

/// What the plan service is told, beyond what every service is.
struct PlanConfiguration: Sendable {
    /// Addresses, stores, tokens, limits.
    var service: ServiceConfiguration
    /// `STRIDE_PLAN_RATE_PER_MINUTE` (60) and `STRIDE_PLAN_BURST` (60): calls of one user that change something.
    var budget: RateBudget
    /// `STRIDE_PLAN_STATEMENT_MS`: the longest that one trip to PostgreSQL takes.
    var statementTimeout: Duration

    /// Reads the settings.
    ///
    /// - Throws: `Settings.Fault` with every fault at once.
    init(from settings: inout Settings) throws(Settings.Fault) {
        budget = RateBudget(
            perMinute: settings.integer("STRIDE_PLAN_RATE_PER_MINUTE", default: 60, in: 1...60_000_000),
            burst: settings.integer("STRIDE_PLAN_BURST", default: 60, in: 1...1_000_000))
        statementTimeout = settings.milliseconds("STRIDE_PLAN_STATEMENT_MS", default: 2000, in: 100...60_000)
        service = try ServiceConfiguration(
            name: "plan", defaultPort: 8082, from: &settings, cores: ProcessInfo.processInfo.activeProcessorCount)
        // A user whose row stays locked keeps connections from the others for no longer.
        service.postgres.lockTimeout = min(.milliseconds(500), statementTimeout)
        service.postgres.statementTimeout = statementTimeout
    }
}
