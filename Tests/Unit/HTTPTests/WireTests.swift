import Testing

@testable import HTTP

/// RFC 9112 and RFC 9110 as a table of bytes: what runs, what is refused, and what becomes of the request behind.
@Suite("Wire")
struct WireTests {
    @Test(
        "H1, H2, H3: over a socket each case has its verdict, and the request behind it runs only where it is in step")
    func answersOverASocket() async throws {
        try await TestServer.run { running async throws in
            for wire in WireCase.all {
                let (before, bodiesBefore) = (running.record.calls.count, running.record.bodies.count)
                let text = try await running.exchange(wire.bytes + WireCase.behind)
                let responses = RawResponse.all(in: text ?? "")
                let calls = Array(running.record.calls.dropFirst(before))
                let bodies = running.record.bodies.dropFirst(bodiesBefore).map { String(decoding: $0, as: UTF8.self) }
                let said = "\(wire.what): \(text ?? "no end")"
                #expect(
                    responses.map { $0["Connection"] == "close" }.firstIndex(of: true) == responses.count - 1, "\(said)"
                )
                let last = ["GET /v1/things/behind"]
                switch wire.verdict {
                case .refused(let status):
                    #expect(responses.map(\.status) == [status], "\(said)")
                    #expect(calls.isEmpty, "\(said)")
                case .runs(let expected, let expectedBodies):
                    #expect(calls == expected + last, "\(said)")
                    #expect(bodies == expectedBodies + [""], "\(said)")
                case .ends(let call, let body):
                    #expect(calls == [call] && bodies == [body], "\(said)")
                }
            }
        }
    }

    @Test("Each case says the same at every split", arguments: WireCase.all)
    func saysTheSameAtEverySplit(_ wire: WireCase) {
        let bytes = wire.bytes + WireCase.behind
        let whole = ParserDriver.transcript(bytes, pieces: [])
        for split in 1..<bytes.count {
            #expect(ParserDriver.transcript(bytes, pieces: [split, bytes.count]) == whole, "split at \(split)")
        }
        #expect(ParserDriver.transcript(bytes, pieces: [1]) == whole)
    }
}
