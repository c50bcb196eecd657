internal import EventLoops
package import HTTP
internal import Models
package import Postgres
package import Redis
package import TLS

/// What every service is told.
package struct ServiceConfiguration: Sendable {
    /// Where the service listens, and on which ports; the admin port is not for the public.
    package var bind: String
    /// `STRIDE_<SERVICE>_PORT`.
    package var port: UInt16
    /// `STRIDE_<SERVICE>_ADMIN_PORT`.
    package var adminPort: UInt16
    /// `STRIDE_TLS_CERTIFICATE_FILE` and what goes with it; nil: the public listener speaks plain HTTP.
    package var tls: TLSServerFiles?
    /// `STRIDE_INSTANCE`: what this machine or container is called in the fleet's statistics.
    package var host: String
    /// `STRIDE_LOOPS`: event loops, one a core.
    package var loops: Int
    /// `STRIDE_POSTGRES_URL` (or `_FILE`) and `STRIDE_POSTGRES_POOLER`.
    package var postgres: PostgresConfiguration
    /// `STRIDE_POSTGRES_CONNECTIONS`: the most connections of one loop.
    package var postgresConnections: Int
    /// `STRIDE_POSTGRES_QUEUE_MS`: the longest that a call waits for a connection; who would wait half of it is refused at once.
    package var postgresPatience: Duration
    /// `STRIDE_REDIS_URL` (or `_FILE`).
    package var redis: RedisConfiguration
    /// `STRIDE_BUDGET_REDIS_URL` (or `_FILE`): where budgets are counted; nil for the same Redis as everything else.
    package var budgetRedis: RedisConfiguration?
    /// `STRIDE_TOKEN_SECRET_FILE`: files with HS256 secrets, separated by commas, re-read when they change.
    package var tokenSecretFiles: [String]
    /// `STRIDE_TOKEN_JWKS_FILE`: files with the issuer's public keys, likewise; one of the two kinds is needed.
    package var tokenKeySetFiles: [String]
    /// `STRIDE_TOKEN_ISSUER` and `STRIDE_TOKEN_AUDIENCE`: what a token must name.
    package var tokenPolicy: TokenPolicy
    /// `STRIDE_TOKEN_LIFE_DAYS` (90): the longest life of a token; for as long a user's erasure refuses older ones on every read.
    package var tokenLife: Duration
    /// `STRIDE_DRAIN_MS`: how long a stopping service finishes what it has begun.
    package var drain: Duration
    /// `STRIDE_MAX_CONNECTIONS`: clients of one loop; more wait in the system's backlog.
    package var connections: Int
    /// `STRIDE_TEST_NOW`: fixes the clock, in milliseconds; refused when `STRIDE_ENV` is `production`.
    package var clock: WallClock

    /// Reads the settings of the service called `name` (`ingest`); faults are collected in `settings`.
    ///
    /// - Throws: `Settings.Fault` with every fault at once.
    package init(
        name: String, defaultPort: Int, from settings: inout Settings, cores: Int
    ) throws(Settings.Fault) {
        let prefix = "STRIDE_\(name.uppercased())"
        bind = settings.text("STRIDE_BIND", default: "127.0.0.1")
        if SocketAddress(ip: bind, port: 0) == nil { settings.refuse("STRIDE_BIND must be a numeric address") }
        port = UInt16(settings.integer("\(prefix)_PORT", default: defaultPort, in: 0...65_535))
        adminPort = UInt16(settings.integer("\(prefix)_ADMIN_PORT", default: defaultPort + 1000, in: 0...65_535))
        tls = settings.listenerTLS()
        host = settings.text("STRIDE_INSTANCE", default: HostName.current)
        loops = settings.integer("STRIDE_LOOPS", default: max(1, cores), in: 1...256)
        postgresConnections = settings.integer("STRIDE_POSTGRES_CONNECTIONS", default: 4, in: 1...200)
        postgresPatience = settings.milliseconds("STRIDE_POSTGRES_QUEUE_MS", default: 2000, in: 10...600_000)
        tokenSecretFiles = settings.list("STRIDE_TOKEN_SECRET_FILE")
        tokenKeySetFiles = settings.list("STRIDE_TOKEN_JWKS_FILE")
        if tokenSecretFiles.isEmpty, tokenKeySetFiles.isEmpty {
            settings.refuse("STRIDE_TOKEN_SECRET_FILE or STRIDE_TOKEN_JWKS_FILE is missing")
        }
        tokenPolicy = TokenPolicy(
            issuer: settings.text("STRIDE_TOKEN_ISSUER"), audience: settings.text("STRIDE_TOKEN_AUDIENCE"))
        tokenLife = .seconds(86_400) * settings.integer("STRIDE_TOKEN_LIFE_DAYS", default: 90, in: 1...3650)
        drain = settings.milliseconds("STRIDE_DRAIN_MS", default: 15_000, in: 0...600_000)
        connections = settings.integer("STRIDE_MAX_CONNECTIONS", default: 10_000, in: 1...1_000_000)
        clock = Self.clock(from: &settings)
        let (postgresURL, redisURL) = (settings.text("STRIDE_POSTGRES_URL"), settings.text("STRIDE_REDIS_URL"))
        let budgetURL = settings.text("STRIDE_BUDGET_REDIS_URL", default: "")
        do {
            try settings.finish()
            postgres = try settings.postgres(url: postgresURL, name: "stride-\(name)")
            redis = try settings.redis(url: redisURL)
            budgetRedis = budgetURL.isEmpty ? nil : try settings.redis(url: budgetURL)
        } catch let fault as Settings.Fault {
            throw fault
        } catch {
            throw Settings.Fault(faults: ["\(error)"])
        }
    }

    private static func clock(from settings: inout Settings) -> WallClock {
        guard let text = settings.optionalText("STRIDE_TEST_NOW") else { return WallClock() }
        if settings.optionalText("STRIDE_ENV") == "production" {
            settings.refuse("STRIDE_TEST_NOW is for tests; it is refused while STRIDE_ENV is production")
        }
        guard let milliseconds = Int64(text) else {
            settings.refuse("STRIDE_TEST_NOW must be milliseconds since 1970")
            return WallClock()
        }
        return WallClock(fixed: Timestamp(milliseconds: milliseconds))
    }

    /// The limits of the public listener.
    package var httpLimits: HTTPLimits {
        var limits = HTTPLimits()
        limits.connections = connections
        return limits
    }
}
