import Models
import Redis
import Storage
import Telemetry

/// Shows on the board what a commit has changed.
///
/// A cache that cannot be reached costs the caller nothing but this wait: the rows are safe, and the board's revision tells everybody that it is
/// behind. Confined to its loop, hence `@unchecked Sendable`.
final class CacheBoard: @unchecked Sendable {
    private let cache: BoardCache
    private let repair: BoardRepair
    private let metrics: LeaderboardMetrics
    private let logger: Logger

    init(cache: BoardCache, repair: BoardRepair, metrics: LeaderboardMetrics, logger: Logger) {
        self.cache = cache
        self.repair = repair
        self.metrics = metrics
        self.logger = logger
    }

    /// Takes the board on; what another process has committed in between and not shown yet is taken along.
    func show(_ delta: BoardDelta) async {
        do {
            if case .behind = try await cache.show(delta) { try await repair.catchUp(delta.challenge) }
        } catch {
            repair.missed(delta.challenge)
            metrics.failedToShow()
            logger.warning("board_not_written", ["error": .describing("\(error)")])
        }
    }
}
