import Testing

@testable import Redis

@Suite("What is sent on every connect")
struct RedisHandshakeTests {
    static func handshake(_ url: String, scripts: [RedisScript] = [], name: String = "stride") throws -> RedisHandshake
    {
        var configuration = try RedisConfiguration(url: url)
        configuration.clientName = name
        return RedisHandshake(configuration: configuration, scripts: RedisScriptTable(scripts))
    }

    @Test("only what the configuration asks for")
    func commands() throws {
        #expect(try Self.handshake("redis://h").commands == [RedisCommand("CLIENT", "SETNAME", "stride")])
        let all = try Self.handshake("redis://u:p@h/4", scripts: [RedisScript("return 1")], name: "in gest\n1")
        #expect(
            all.commands == [
                RedisCommand("AUTH", "u", "p"), RedisCommand("SELECT", "4"),
                RedisCommand("CLIENT", "SETNAME", "in-gest-1"),
                RedisCommand("SCRIPT", "LOAD", "return 1"),
            ])
        #expect(try Self.handshake("redis://:p@h").commands.first == RedisCommand("AUTH", "p"))
    }

    @Test("a refusal that matters ends it, a missing right to name or load does not")
    func judgement() throws {
        let ok = RESPValue.simple(Array("OK".utf8))
        let all = try Self.handshake("redis://u:p@h/4", scripts: [RedisScript("return 1")])
        let sha = RESPText.bulk("e0e1f9fabfc9d4800c877a703b823ac0578ff8db")
        #expect(all.failure(in: [ok, ok, ok, sha]) == nil)
        #expect(all.scriptReplies(in: [ok, ok, ok, sha]) == [sha])
        let noPerm = RESPText.error("NOPERM no")
        #expect(all.failure(in: [ok, ok, noPerm, noPerm]) == nil)
        #expect(all.failure(in: [RESPText.error("WRONGPASS x"), noPerm, noPerm, noPerm]) == .server(.wrongPass))
        #expect(
            all.failure(in: [ok, RESPText.error("ERR DB index is out of range"), ok, sha])
                == .server(.other(prefix: "ERR")))
        #expect(all.failure(in: [ok, ok, ok, RESPText.error("LOADING x")]) == .server(.loading))
        #expect(try Self.handshake("redis://h").failure(in: [RESPText.error("NOAUTH x")]) == .server(.noAuth))
    }
}
