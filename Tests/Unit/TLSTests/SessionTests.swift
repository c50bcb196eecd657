import StrideTestSupport
import Testing

@testable import TLS

@Suite struct SessionTests {
    @Test("Two sessions agree on TLS 1.3, and everything said arrives on the other side, then the end")
    func conversation() async throws {
        let pair = try SessionPair(try await .shared())
        pair.carry()
        #expect(pair.bothAreOpen && pair.client.version == "TLSv1.3" && pair.server.version == "TLSv1.3")
        let question = [UInt8]((0..<100_000).map { UInt8(truncatingIfNeeded: $0 / 7) })
        #expect(pair.client.write(question.span) == nil)
        #expect(pair.server.write(Array("answer".utf8).span) == nil)
        pair.carry()
        #expect(pair.serverPlaintext == question)
        #expect(pair.clientPlaintext == Array("answer".utf8))
        pair.client.endWriting()
        pair.carry()
        #expect(pair.serverEvents.last == .ended && pair.failures.isEmpty)
        // The other direction is still open.
        #expect(pair.server.write(Array("late".utf8).span) == nil)
        pair.carry()
        #expect(pair.clientPlaintext == Array("answerlate".utf8))
        pair.server.endWriting()
        pair.carry()
        #expect(pair.clientEvents.last == .ended)
    }

    @Test("A handshake cut at every offset of every flight succeeds, and so does one of single bytes")
    func cuts() async throws {
        let material = try await Material.shared()
        try await onLoop { _ in
            var longest = 0
            try SessionPair(material).carry { bytes, _ in
                longest = max(longest, bytes.count)
                return [bytes]
            }
            #expect(longest > 500)
            for offset in 1..<longest {
                let pair = try SessionPair(material)
                pair.carry { bytes, _ in
                    offset < bytes.count ? [Array(bytes[..<offset]), Array(bytes[offset...])] : [bytes]
                }
                #expect(pair.bothAreOpen && pair.failures.isEmpty, "cut at \(offset)")
            }
            let pair = try SessionPair(material)
            pair.carry { bytes, _ in bytes.map { [$0] } }
            #expect(pair.bothAreOpen && pair.failures.isEmpty)
            #expect(pair.client.write(Array("word".utf8).span) == nil)
            pair.carry { bytes, _ in bytes.map { [$0] } }
            #expect(pair.serverPlaintext == Array("word".utf8))
        }
    }

    @Test("Flights with a changed byte never trap, hang or let altered words through (seeded)")
    func mutations() async throws {
        let material = try await Material.shared()
        try await onLoop { _ in
            var generator = SeededGenerator(seed: 20_261_130)
            var refused = 0
            for _ in 0..<600 {
                let pair = try SessionPair(material)
                var flightsLeft = Int.random(in: 0..<5, using: &generator)
                pair.carry { bytes, _ in
                    flightsLeft -= 1
                    return [flightsLeft == -1 ? Self.mutate(bytes, using: &generator) : bytes]
                }
                _ = pair.client.write(Array("word".utf8).span)
                pair.carry()
                #expect(pair.serverPlaintext.isEmpty || pair.serverPlaintext == Array("word".utf8))
                if !pair.failures.isEmpty { refused += 1 }
            }
            #expect(refused > 100)
        }
    }

    @Test("A changed record is refused: no byte of it is handed out, and what came before is")
    func changedRecords() async throws {
        let material = try await Material.shared()
        for offset in 0..<27 {
            let pair = try SessionPair(material)
            pair.carry()
            #expect(pair.client.write(Array("first".utf8).span) == nil)
            pair.carry()
            // Header 5, the word 5, its kind 1, the tag 16.
            #expect(pair.client.write(Array("wrong".utf8).span) == nil)
            var record = pair.client.takeOutgoing()
            #expect(record.count == 27)
            record[offset] ^= 0x20
            pair.give([record, Array(repeating: 0, count: 20_000)], toServer: true)
            #expect(pair.serverPlaintext == Array("first".utf8), "offset \(offset)")
            #expect(pair.failures.count == 1, "offset \(offset)")
        }
    }

    @Test("Garbage is refused at once, whatever it looks like, and a session after it works")
    func garbage() async throws {
        let material = try await Material.shared()
        let context = try TLSContext(server: TLSServerFiles(identity: material.server))
        let trust = try TLSContext(client: TLSClientFiles(authority: material.authority))
        var generator = SeededGenerator(seed: 7)
        var heads: [[UInt8]] = [
            Array("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8), Array("CONNECT h:1 HTTP/1.1\r\n\r\n".utf8),
            Array("*1\r\n$4\r\nPING\r\n".utf8), [0x16, 3, 1, 0xFF, 0xFF], [0x16, 3, 1, 0, 0], [0x80, 0x2E, 1, 0, 2],
        ]
        for _ in 0..<300 { heads.append((0..<40).map { _ in UInt8.random(in: 0...255, using: &generator) }) }
        for head in heads {
            let pair = try SessionPair(client: trust, server: context)
            pair.give([head, Array(repeating: 0, count: 70_000)], toServer: true)
            #expect(pair.failures.count == 1, "\(head)")
        }
        let plain = try SessionPair(client: trust, server: context)
        plain.give([heads[0]], toServer: true)
        #expect(plain.failures == [.notTLS] && plain.server.takeOutgoing().isEmpty)
        let healthy = try SessionPair(client: trust, server: context)
        healthy.carry()
        #expect(healthy.bothAreOpen)
    }

    @Test("The failure of one session is not read as another's: no entry is left in OpenSSL's queue")
    func errorQueue() async throws {
        let material = try await Material.shared()
        let healthy = try SessionPair(material)
        healthy.carry()
        let broken = try SessionPair(material)
        broken.give([Array("GET / HTTP/1.1\r\n\r\n".utf8)], toServer: true)
        #expect(broken.failures == [.notTLS])
        #expect(throws: TLSError.file(.certificate)) {
            try TLSContext(server: TLSServerFiles(identity: TLSIdentityFiles(certificate: "/none", key: "/none")))
        }
        #expect(healthy.client.write(Array("still here".utf8).span) == nil)
        healthy.carry()
        #expect(healthy.serverPlaintext == Array("still here".utf8) && healthy.failures.isEmpty)
    }

    /// One changed, removed, doubled or inserted byte.
    private static func mutate(_ bytes: [UInt8], using generator: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        case 1: bytes.remove(at: place)
        case 2: bytes.insert(UInt8.random(in: 0...255, using: &generator), at: place)
        default: bytes.removeSubrange(place...)
        }
        return bytes
    }
}
