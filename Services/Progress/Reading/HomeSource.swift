import Models
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

    /// How often a caller looks again after coming too late for somebody else's snapshot.
    private static let rounds = 3

    init(cache: HomeCache, fills: HomeFills, metrics: ProgressMetrics) {
        self.cache = cache
        self.fills = fills
        self.metrics = metrics
    }

    /// A user's home as it stands now, with everything that was acknowledged before the call.
    func home(of user: UserID) async throws(ReadRefusal) -> (home: HomeData, source: ReadSource) {
        for _ in 0..<Self.rounds {
            if let home = await cached(user) { return (home, .cache) }
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

    private func cached(_ user: UserID) async -> HomeData? {
        do throws(RedisError) {
            let home = try await cache.read(user)
            metrics.readCache(home == nil ? .miss : .hit)
            return home
        } catch {
            metrics.readCache(.error)
            return nil
        }
    }
}
