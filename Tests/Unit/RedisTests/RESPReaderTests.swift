import Redis
import Testing

@Suite("Replies are read from bytes")
struct RESPReaderTests {
    static let samples: [(String, RESPValue)] = [
        ("+OK\r\n", .simple([0x4F, 0x4B])),
        ("+\r\n", .simple([])),
        (":0\r\n", .integer(0)),
        (":-42\r\n", .integer(-42)),
        (":9223372036854775807\r\n", .integer(.max)),
        (":-9223372036854775808\r\n", .integer(.min)),
        ("$0\r\n\r\n", .bulk([])),
        ("$5\r\na\r\nb\0\r\n", .bulk([0x61, 0x0D, 0x0A, 0x62, 0x00])),
        ("$-1\r\n", .null),
        ("*-1\r\n", .null),
        ("*0\r\n", .array([])),
        ("*2\r\n:1\r\n$1\r\nx\r\n", .array([.integer(1), .bulk([0x78])])),
        ("*3\r\n*0\r\n*1\r\n$-1\r\n:7\r\n", .array([.array([]), .array([.null]), .integer(7)])),
        ("-ERR no\r\n", RESPText.error("ERR no")),
        ("*2\r\n-WRONGTYPE x\r\n+a\r\n", .array([RESPText.error("WRONGTYPE x"), .simple([0x61])])),
    ]

    @Test("each kind of reply has its value", arguments: samples)
    func kinds(text: String, value: RESPValue) throws {
        #expect(try readAll(text) == [value])
    }

    @Test("a stream cut at every offset gives the same replies")
    func truncation() throws {
        let stream = Self.samples.flatMap { Array($0.0.utf8) }
        let expected = Self.samples.map(\.1)
        for cut in 0...stream.count {
            #expect(try readAll([Array(stream[..<cut]), Array(stream[cut...])]) == expected, "cut at \(cut)")
        }
        #expect(try readAll(stream.map { [$0] }) == expected)
    }

    @Test("no reply is reported before its last byte", arguments: samples)
    func incomplete(text: String, value: RESPValue) throws {
        let bytes = Array(text.utf8)
        for end in 0..<bytes.count { #expect(try readAll([Array(bytes[..<end])]) == []) }
    }

    @Test(
        "what is no reply is malformed",
        arguments: [
            "hello\r\n", "HTTP/1.1 400 Bad Request\r\n", "\0", ":\r\n", ":1a\r\n", ":9223372036854775808\r\n",
            "$x\r\n", "$-2\r\n", "$99999999999999999999\r\n", "*x\r\n", "*-2\r\n", "*4294967296\r\n",
            "$1\r\nabc", "$1\r\na\n\r", "_\r\n", "%1\r\n", "#t\r\n", "*1\r\nhello",
        ])
    func malformed(text: String) {
        #expect(throws: RESPError.malformed) { try readAll(text) }
    }

    @Test("replies before the bad byte are reported, and the error repeats")
    func poisoned() throws {
        let reader = try RESPReader()
        var replies: [RESPValue] = []
        let bytes = Array(":1\r\n:2\r\n!".utf8)
        #expect(throws: RESPError.malformed) { try reader.read(bytes.span) { replies.append($0) } }
        #expect(replies == [.integer(1), .integer(2)])
        let good = Array(":3\r\n".utf8)
        #expect(throws: RESPError.malformed) { try reader.read(good.span) { replies.append($0) } }
        #expect(replies.count == 2)
    }
}
