import Foundation
import Postgres
import ServiceKit
import Storage

/// What the leaderboard is told, beyond what every service is.
struct LeaderboardConfiguration: Sendable {
    /// Addresses, stores, tokens, limits.
    var service: ServiceConfiguration
    /// `STRIDE_LEADERBOARD_RATE_PER_MINUTE` (60) and `STRIDE_LEADERBOARD_BURST` (60): calls of one user that change something.
    var budget: RateBudget
    /// `STRIDE_LEADERBOARD_STATEMENT_MS` (3000): the longest that one trip to PostgreSQL takes.
    var statementTimeout: Duration
    /// `STRIDE_LEADERBOARD_READS` (32): reads of one loop that PostgreSQL answers at once; more are refused.
    var reads: Int
    /// `STRIDE_LEADERBOARD_QUEUE` (20000): changes of one loop that wait for their transaction; more are refused.
    var queue: Int
    /// `STRIDE_LEADERBOARD_QUEUE_MS` (2000): the longest that a change waits before its transaction begins.
    var queuePatience: Duration

    /// Reads the settings.
    ///
    /// - Throws: `Settings.Fault` with every fault at once.
    init(from settings: inout Settings) throws(Settings.Fault) {
        budget = RateBudget(
            perMinute: settings.integer("STRIDE_LEADERBOARD_RATE_PER_MINUTE", default: 60, in: 1...60_000_000),
            burst: settings.integer("STRIDE_LEADERBOARD_BURST", default: 60, in: 1...1_000_000))
        statementTimeout = settings.milliseconds("STRIDE_LEADERBOARD_STATEMENT_MS", default: 3000, in: 100...60_000)
        reads = settings.integer("STRIDE_LEADERBOARD_READS", default: 32, in: 1...10_000)
        queue = settings.integer("STRIDE_LEADERBOARD_QUEUE", default: 20_000, in: 1...10_000_000)
        queuePatience = settings.milliseconds("STRIDE_LEADERBOARD_QUEUE_MS", default: 2000, in: 1...60_000)
        service = try ServiceConfiguration(
            name: "leaderboard", defaultPort: 8084, from: &settings,
            cores: ProcessInfo.processInfo.activeProcessorCount)
        service.postgres.lockTimeout = statementTimeout
        service.postgres.statementTimeout = statementTimeout
    }
}
