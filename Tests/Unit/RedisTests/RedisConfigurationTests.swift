import Redis
import TLS
import Testing

@Suite("The address of Redis is read part by part")
struct RedisConfigurationTests {
    typealias Parts = (host: String, port: UInt16, user: String?, password: String?, database: Int)

    static let good: [(String, Parts)] = [
        ("redis://localhost", ("localhost", 6379, nil, nil, 0)),
        ("REDIS://cache.example:6380/", ("cache.example", 6380, nil, nil, 0)),
        ("redis://10.0.0.7:1/15", ("10.0.0.7", 1, nil, nil, 15)),
        ("redis://:secret@redis_1:65535/3", ("redis_1", 65535, nil, "secret", 3)),
        ("redis://app:secret@h", ("h", 6379, "app", "secret", 0)),
        ("redis://a%40b:p%3A%2F%25%C3%BC@h", ("h", 6379, "a@b", "p:/%ü", 0)),
        ("redis://app:one:two@h", ("h", 6379, "app", "one:two", 0)),
        ("redis://[::1]", ("::1", 6379, nil, nil, 0)),
        ("redis://u:p@[2001:db8::7]:7000/2", ("2001:db8::7", 7000, "u", "p", 2)),
    ]

    @Test("good addresses", arguments: good)
    func parts(url: String, parts: Parts) throws {
        let configuration = try RedisConfiguration(url: url)
        #expect(configuration.host == parts.host)
        #expect(configuration.port == parts.port)
        #expect(configuration.user == parts.user)
        #expect(configuration.password == parts.password.map { RedisPassword($0) })
        #expect(configuration.database == parts.database)
    }

    @Test(
        "bad addresses name the part that is wrong",
        arguments: [
            ("", .unknownScheme), ("localhost:6379", .unknownScheme), ("http://h", .unknownScheme),
            ("rediss://", .invalidHost), ("redis://", .invalidHost), ("redis:///0", .invalidHost),
            ("redis://a b", .invalidHost), ("redis://h\r\n", .invalidHost), ("redis://[::1", .invalidHost),
            ("redis://[::1]x", .invalidHost), ("redis://[g::1]", .invalidHost), ("redis://[]", .invalidHost),
            ("redis://h:", .invalidPort), ("redis://h:0", .invalidPort), ("redis://h:65536", .invalidPort),
            ("redis://h:+1", .invalidPort), ("redis://h:99999999999999999999", .invalidPort),
            ("redis://::1", .invalidHost), ("redis://h/x", .invalidDatabase), ("redis://h/-1", .invalidDatabase),
            ("redis://h/16384", .invalidDatabase), ("redis://h/1/2", .invalidDatabase),
            ("redis://app@h", .invalidCredentials), ("redis://app:@h", .invalidCredentials),
            ("redis://:%4@h", .invalidCredentials), ("redis://:%zz@h", .invalidCredentials),
            ("redis://:%FF@h", .invalidCredentials), ("redis://h?db=1", .unexpectedPart),
            ("redis://h/1#x", .unexpectedPart), ("redis://a,b", .invalidHost),
            ("redis-cluster://a,,b", .invalidHost), ("redis-cluster://a,b:x", .invalidPort),
            ("redis-cluster://a,b/1", .invalidDatabase), ("redis-cluster://", .invalidHost),
            ("redis-cluster://a?x", .unexpectedPart), ("redis-sentinel://a,b", .invalidMaster),
            ("redis-sentinel://a,b/", .invalidMaster), ("redis-sentinel://a/m m", .invalidMaster),
            ("redis-sentinel://a/m/x", .invalidDatabase), ("redis-sentinel://a/m/0/1", .invalidDatabase),
            ("redis-sentinels://a/m", .unknownScheme),
        ] as [(String, RedisConfigurationError)])
    func refusals(url: String, error: RedisConfigurationError) {
        #expect(throws: error) { try RedisConfiguration(url: url) }
    }

    @Test("a cluster is named by some of its servers, a master by its sentinels")
    func topologies() throws {
        let cluster = try RedisConfiguration(url: "redis-cluster://u:p@a,b:7001,[::1]:7002/")
        #expect(
            cluster.topology
                == .cluster(seeds: [
                    RedisPlace(host: "a", port: 6379), RedisPlace(host: "b", port: 7001),
                    RedisPlace(host: "::1", port: 7002),
                ]))
        #expect(cluster.user == "u" && cluster.password == RedisPassword("p") && cluster.tls == nil)
        let sentinel = try RedisConfiguration(url: "rediss-sentinel://s1,s2:5/mymaster/3")
        let places = [RedisPlace(host: "s1", port: 26379), RedisPlace(host: "s2", port: 5)]
        #expect(sentinel.topology == .sentinel(master: "mymaster", sentinels: places))
        #expect(sentinel.database == 3 && sentinel.tls == TLSClientFiles())
        #expect(try RedisConfiguration(url: "rediss-cluster://a").tls == TLSClientFiles())
        #expect(try RedisConfiguration(url: "redis-sentinel://a/m").database == 0)
        #expect(try RedisConfiguration(url: "redis://a").topology == .single)
    }

    @Test("rediss:// asks for TLS, with the authorities of the system; redis:// does not")
    func protection() throws {
        #expect(try RedisConfiguration(url: "rediss://:secret@h:6380/1").tls == TLSClientFiles())
        #expect(try RedisConfiguration(url: "redis://h").tls == nil)
    }

    @Test("the password shows itself in no way of printing")
    func secret() throws {
        let configuration = try RedisConfiguration(url: "redis://app:hunter2@h")
        var dumped = ""
        dump(configuration, to: &dumped)
        for text in ["\(configuration)", String(reflecting: configuration), dumped] {
            #expect(!text.contains("hunter2"))
            #expect(text.contains("***") || text == dumped)
        }
    }

    @Test("the defaults")
    func defaults() {
        let configuration = RedisConfiguration(host: "h")
        #expect(configuration.commandTimeout == .milliseconds(200))
        #expect(configuration.stallTimeout == .seconds(1))
        #expect(configuration.minimumBackoff == .milliseconds(50))
        #expect(configuration.maximumBackoff == .seconds(2))
        #expect(configuration.replyLimits.replyBytes == 67_108_864)
    }
}
