import Models
import Postgres
import Redis
import Storage

/// Where an answer came from: what `X-Stride-Source` says.
enum ReadSource: String {
    /// From Redis alone.
    case cache
    /// PostgreSQL was asked, for all of it or a part.
    case database
}

/// The homes of users: from the cache in one round trip, else from PostgreSQL.
///
/// Redis away: PostgreSQL answers. PostgreSQL away: whoever is in the cache gets an answer, the others 503.
/// Confined to its loop, hence `@unchecked Sendable`.
final class HomeSource: @unchecked Sendable {
    private let cache: HomeCache
    private let fills: HomeFills
    private let metrics: ProgressMetrics
    private var recent = HomeCache.Selection(days: DaySpan(start: Day(number: 0), count: 0))

    /// How often a caller looks again after coming too late for somebody else's snapshot.
    private static let rounds = 3

    init(cache: HomeCache, fills: HomeFills, metrics: ProgressMetrics) {
        self.cache = cache
        self.fills = fills
        self.metrics = metrics
    }

    /// A user's home as it stands now, with everything that was acknowledged before the call.
    ///
    /// - Parameter days: the only days that are needed; nil for all.
    func home(
        of user: UserID, days: DaySpan? = nil
    ) async throws(PostgresError) -> (home: HomeData, source: ReadSource) {
        let selection = days.map(select)
        for _ in 0..<Self.rounds {
            do throws(RedisError) {
                let home = try await cache.read(user, selection)
                metrics.readCache(home == nil ? .miss : .hit)
                if let home { return (home, .cache) }
            } catch {
                metrics.readCache(.error)
            }
            switch await fills.home(of: user) {
            case .home(let home): return (home, .database)
            case .lookAgain: continue
            case .refused(let refusal):
                metrics.readCache(.refused)
                throw refusal
            }
        }
        metrics.readCache(.refused)
        throw .overload
    }

    /// Made once a day for all users.
    private func select(_ days: DaySpan) -> HomeCache.Selection {
        if recent.days != days { recent = HomeCache.Selection(days: days) }
        return recent
    }
}
