/// Where a server listens.
package struct RedisPlace: Hashable, Sendable {
    /// Name or address, IPv6 without brackets.
    package let host: String
    /// TCP port.
    package let port: UInt16

    /// Names a place.
    package init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }
}

/// How many servers there are, and how the one for a key is found.
package enum RedisTopology: Equatable, Sendable {
    /// One server, at `host` and `port` of the configuration.
    case single
    /// A Redis Cluster; any of these servers tells where the slots are.
    case cluster(seeds: [RedisPlace])
    /// One master and its replicas; the sentinels tell which one is the master now.
    case sentinel(master: String, sentinels: [RedisPlace])
}
