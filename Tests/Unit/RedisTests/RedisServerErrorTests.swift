import Redis
import Testing

@Suite("Errors of the server are told apart by their first word")
struct RedisServerErrorTests {
    static let table: [(String, RedisServerError.Kind, RedisDisposition)] = [
        ("LOADING Redis is loading the dataset in memory", .loading, .unavailable),
        ("OOM command not allowed when used memory > 'maxmemory'.", .oom, .unavailable),
        ("READONLY You can't write against a read only replica.", .readOnly, .unavailable),
        ("MISCONF Redis is configured to save RDB snapshots", .misconf, .unavailable),
        ("MASTERDOWN Link with MASTER is down", .masterDown, .unavailable),
        ("NOREPLICAS Not enough good replicas to write.", .noReplicas, .unavailable),
        ("NOSCRIPT No matching script. Please use EVAL.", .noScript, .unavailable),
        ("NOAUTH Authentication required.", .noAuth, .misconfigured),
        ("WRONGPASS invalid username-password pair or user is disabled.", .wrongPass, .misconfigured),
        ("NOPERM this user has no permissions to run the 'get' command", .noPerm, .misconfigured),
        ("BUSY Redis is busy running a script.", .busy, .unavailable),
        ("BUSYKEY Target key name already exists.", .other(prefix: "BUSYKEY"), .defect),
        ("CLUSTERDOWN Hash slot not served", .clusterDown, .unavailable),
        ("TRYAGAIN Multiple keys request during rehashing of slot", .tryAgain, .unavailable),
        ("CROSSSLOT Keys in request don't hash to the same slot", .crossSlot, .defect),
        ("WRONGTYPE Operation against a key", .wrongType, .defect),
        ("ERR max number of clients reached", .tooManyClients, .unavailable),
        ("ERR unknown command 'hallo'", .other(prefix: "ERR"), .defect),
        ("MOVED 3999 127.0.0.1:6381", .moved(slot: 3999, host: "127.0.0.1", port: 6381), .redirected),
        ("MOVED 0 ::1:7000", .moved(slot: 0, host: "::1", port: 7000), .redirected),
        ("MOVED 16383 :7000", .moved(slot: 16383, host: "", port: 7000), .redirected),
        ("ASK 12 node-2.example:6379", .ask(slot: 12, host: "node-2.example", port: 6379), .redirected),
        ("MOVED 16384 127.0.0.1:6381", .other(prefix: "MOVED"), .defect),
        ("MOVED 1 127.0.0.1:0", .other(prefix: "MOVED"), .defect),
        ("MOVED 1 127.0.0.1:65536", .other(prefix: "MOVED"), .defect),
        ("MOVED 1 nowhere", .other(prefix: "MOVED"), .defect),
        ("ASK", .other(prefix: "ASK"), .defect),
        ("", .other(prefix: "ERR"), .defect),
        ("user:51 is secret", .other(prefix: "ERR"), .defect),
    ]

    @Test("the kind and what to do about it", arguments: table)
    func kinds(text: String, kind: RedisServerError.Kind, disposition: RedisDisposition) {
        let error = RedisServerError(replyText: Array(text.utf8))
        #expect(error.kind == kind)
        #expect(error.disposition == disposition)
    }

    @Test("the description holds nothing that a client sent, the debug description is cut to 200 bytes")
    func descriptions() {
        let error = RedisServerError(replyText: Array("ERR unknown command 'tok3n'".utf8))
        #expect(!"\(error)".contains("tok3n"))
        #expect(error.debugDescription.contains("tok3n"))
        let long = RedisServerError(replyText: [UInt8](repeating: 0x41, count: 5000))
        #expect(long.serverText.utf8.count == 200)
        #expect(long.kind == .other(prefix: "ERR"))
    }

    @Test(
        "bytes that are no text are still an error", arguments: [[0xFF, 0xFE], [0x4F, 0x4F, 0x4D, 0xFF], [UInt8]()])
    func invalidText(bytes: [UInt8]) {
        #expect(RedisServerError(replyText: bytes).kind == .other(prefix: "ERR"))
    }

    @Test("errors of the connection say what to do")
    func connectionErrors() {
        for error: RedisError in [
            .notConnected, .timedOut, .overloaded, .connectionLost(outcomeUnknown: true),
            .connectionLost(outcomeUnknown: false), .protocolViolation(.malformed), .server(.loading),
        ] { #expect(error.disposition == .unavailable) }
        #expect(RedisError.cancelled.disposition == .abandoned)
        #expect(RedisError.server(.wrongPass).disposition == .misconfigured)
    }
}
