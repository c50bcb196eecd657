import Testing

@testable import Redis

@Suite("Commands become bytes")
struct RedisCommandTests {
    static func wire(_ command: RedisCommand, _ table: RedisScriptTable = RedisScriptTable([])) -> String {
        let wire = RedisWireCommand(command, scripts: table)
        var output = Array("before".utf8)
        wire.encode(into: &output)
        #expect(output.count == 6 + wire.encodedByteCount)
        return String(decoding: output.dropFirst(6), as: UTF8.self)
    }

    @Test("name and arguments, each with its length")
    func plain() {
        #expect(Self.wire(RedisCommand("PING")) == "*1\r\n$4\r\nPING\r\n")
        #expect(Self.wire(RedisCommand("SET", "k", "")) == "*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$0\r\n\r\n")
        var command = RedisCommand("SET")
        command.append("ü")
        command.append([0, 13, 10])
        command.append(Int64.min)
        #expect(Self.wire(command) == "*4\r\n$3\r\nSET\r\n$2\r\nü\r\n$3\r\n\0\r\n\r\n$20\r\n-9223372036854775808\r\n")
    }

    @Test(
        "the size is known before, at every border of a digit", arguments: [0, 1, 9, 10, 99, 100, 999, 1000, 100_000])
    func sizes(length: Int) {
        var command = RedisCommand("X")
        command.append([UInt8](repeating: 0x61, count: length))
        #expect(Self.wire(command).utf8.count == 4 + 7 + 5 + String(length).count + length)
    }

    @Test("many arguments", arguments: [8, 9, 10, 99, 100, 1500])
    func manyArguments(count: Int) throws {
        var command = RedisCommand("MGET")
        for index in 0..<count { command.append(index) }
        let text = Self.wire(command)
        #expect(text.hasPrefix("*\(count + 1)\r\n$4\r\nMGET\r\n$1\r\n0\r\n"))
        let elements = try #require(try readAll(text).first?.elements)
        #expect(elements.dropFirst().map(\.number) == (0..<count).map { Int64($0) })
    }

    @Test("a script travels in full until its digest is known, then by the digest")
    func scripts() {
        let script = RedisScript("return 1")
        let other = RedisScript("return 2")
        var table = RedisScriptTable([script])
        let call = RedisCommand(script, keys: ["{u}a", "{u}b"], values: ["5"])
        let tail = "$1\r\n2\r\n$4\r\n{u}a\r\n$4\r\n{u}b\r\n$1\r\n5\r\n"
        #expect(Self.wire(call, table) == "*6\r\n$4\r\nEVAL\r\n$8\r\nreturn 1\r\n" + tail)
        #expect(table.loadCommands == [RedisCommand("SCRIPT", "LOAD", "return 1")])
        table.loaded([RESPText.bulk("e0e1f9fabfc9d4800c877a703b823ac0578ff8db")])
        let sha = "$40\r\ne0e1f9fabfc9d4800c877a703b823ac0578ff8db\r\n"
        #expect(Self.wire(call, table) == "*6\r\n$7\r\nEVALSHA\r\n" + sha + tail)
        #expect(Self.wire(RedisCommand(other, keys: []), table) == "*3\r\n$4\r\nEVAL\r\n$8\r\nreturn 2\r\n$1\r\n0\r\n")
        table.loaded([RESPText.error("NOPERM no")])
        #expect(Self.wire(call, table) == "*6\r\n$4\r\nEVAL\r\n$8\r\nreturn 1\r\n" + tail)
    }

    @Test("a command prints how many arguments it has and none of them")
    func description() {
        #expect("\(RedisCommand("SET", "user:7", "secret"))" == "Redis command with 3 arguments")
    }
}
