package import TLS

/// Where Redis is, who signs in, and how long and how much a caller waits for it.
package struct RedisConfiguration: Equatable, Sendable {
    /// Name or address of the server, IPv6 without brackets.
    package var host: String
    /// TCP port.
    package var port: UInt16
    /// One server, or how the right one is found.
    package var topology = RedisTopology.single
    /// What the sentinels want to hear; nil: nobody signs in there.
    package var sentinelPassword: RedisPassword?
    /// User of the access list (Redis 6 and later); nil means the default user.
    package var user: String?
    /// Nil: nobody signs in.
    package var password: RedisPassword?
    /// Whom to trust when the connection is protected (`rediss://`); nil: it is not.
    ///
    /// The server's certificate must have `host` among its names. The files are read for each connection, so that a new
    /// authority or certificate counts from the next one on.
    package var tls: TLSClientFiles?
    /// The numbered database; 0 is the only one that a cluster has.
    package var database: Int
    /// How this connection is called in `CLIENT LIST`; printable ASCII without spaces, anything else becomes `-`.
    package var clientName = "stride"

    /// For the name, the connection and the handshake together with its scripts; default 1 s.
    package var connectTimeout: Duration = .seconds(1)
    /// For one exchange that names no deadline of its own; default 200 ms.
    package var commandTimeout: Duration = .milliseconds(200)
    /// A connection that gives no reply for this long while one is due is closed; default 1 s.
    package var stallTimeout: Duration = .seconds(1)
    /// The first pause before connecting again; default 50 ms.
    ///
    /// It doubles up to `maximumBackoff`; each pause is drawn from the upper half of its step.
    package var minimumBackoff: Duration = .milliseconds(50)
    /// The longest pause before connecting again; default 2 s.
    package var maximumBackoff: Duration = .seconds(2)
    /// Bytes of commands that have no reply yet; default 8 MiB.
    ///
    /// An exchange that would pass it is refused at once, so a single one may not be larger either.
    package var maximumPendingBytes = 8 << 20
    /// What one reply may take.
    package var replyLimits = RESPLimits()

    /// A server without a password.
    package init(host: String, port: UInt16 = 6379, database: Int = 0) {
        self.host = host
        self.port = port
        self.database = database
    }
}

/// Why an address of Redis cannot be used; never repeats the address, which may hold a password.
package enum RedisConfigurationError: Error, Equatable, Sendable {
    /// Not `redis://`, `redis-cluster://` or `redis-sentinel://`, nor one of them with `rediss`.
    case unknownScheme
    /// No host, or one with characters that no host has.
    case invalidHost
    /// The port is not a number from 1 to 65535.
    case invalidPort
    /// The part behind the slash is not a number from 0 to 16383, or not 0 with a cluster.
    case invalidDatabase
    /// Sentinels without the name of a master, or with one that has other characters than letters, digits, `.`, `-` and `_`.
    case invalidMaster
    /// User or password has a broken percent escape or is not UTF-8, or there is a user without a password.
    case invalidCredentials
    /// There is a query or a fragment; options stand in configuration keys of their own.
    case unexpectedPart
}
