import EventLoops
import Storage
import Telemetry

/// Shows the days of a commit in the cache, before its callers are answered.
///
/// A cache that cannot be reached costs its callers nothing but this wait: the rows are safe, and the commit's mark stays,
/// by which the cache is mended later. Confined to its loop, hence `@unchecked Sendable`.
final class CacheDays: @unchecked Sendable {
    private let cache: HomeCache
    private let marks: MarkBook
    private let metrics: IngestMetrics
    private let logger: Logger

    init(cache: HomeCache, marks: MarkBook, metrics: IngestMetrics, logger: Logger) {
        self.cache = cache
        self.marks = marks
        self.metrics = metrics
        self.logger = logger
    }

    /// Shows days; the marks of their commits are forgotten only when that has worked.
    func show(_ days: [DayTotalsRow], marks: [CacheMark]) async {
        #if DEBUG
            FaultPoint.beforeRedis.reach()
        #endif
        do {
            try await cache.show(days)
            for mark in marks { self.marks.forget(mark) }
        } catch {
            metrics.cacheWriteFailed()
            logger.warning("cache_not_written", ["error": .describing(error), "days": .number(days.count)])
        }
    }
}
