import EventLoops
import Testing

@testable import HTTP

@Suite("Draining")
struct DrainTests {
    private static let get = "GET /v1/things HTTP/1.1\r\nHost: a\r\n\r\n"

    @Test("A drain lets the running request end, says so to its client, and accepts nobody new")
    func finishesWhatRuns() async throws {
        try await TestServer.run { running async throws in
            async let answer = running.exchange("GET /held HTTP/1.1\r\nHost: a\r\n\r\n" + Self.get)
            while running.record.calls.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
            async let drained: Void = running.server.drain(timeout: .seconds(60))
            while (try? RawClient(port: running.port)) != nil { try await Task.sleep(for: .milliseconds(5)) }
            running.record.release()
            await drained
            let responses = RawResponse.all(in: try await answer ?? "")
            #expect(responses.map(\.status) == [200])
            #expect(responses.first?["Connection"] == "close")
            #expect(try await running.loop.run { running.server.connectionCount } == 0)
            #expect(throws: RawClient.Failure.self) { try RawClient(port: running.port) }
        }
    }

    @Test("An idle connection still gets an answer to a request under way, then it is closed")
    func givesIdleConnectionsAMoment() async throws {
        var limits = HTTPLimits.quick
        limits.drainGrace = .seconds(8)
        try await TestServer.run(limits: limits) { running async throws in
            let busy = try Shared(RawClient(port: running.port))
            let idle = try Shared(RawClient(port: running.port))
            try await offLoop {
                for client in [busy.value, idle.value] {
                    client.send(Self.get)
                    _ = client.receive(until: "list\"")
                }
            }
            async let drained: Void = running.server.drain(timeout: .seconds(30))
            try await Task.sleep(for: .milliseconds(50))
            let last = try await offLoop {
                busy.value.send(Self.get)
                return busy.value.receiveAll()
            }
            #expect(RawResponse.all(in: last ?? "").first?["Connection"] == "close")
            #expect(try await offLoop { idle.value.receiveAll() } == "")
            await drained
        }
    }

    @Test("What does not end in time is reset")
    func resetsAtTheTimeout() async throws {
        try await TestServer.run { running async throws in
            let client = try Shared(RawClient(port: running.port))
            client.value.send("GET /held HTTP/1.1\r\nHost: a\r\n\r\n")
            while running.record.calls.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
            async let drained: Void = running.server.drain(timeout: .milliseconds(100))
            #expect(try await offLoop { client.value.receiveAll() } == nil)
            running.record.release()
            await drained
            // A second call waits for the same end, which has come.
            await running.server.drain(timeout: .seconds(1))
            while running.record.inFlight > 0 { try await Task.sleep(for: .milliseconds(20)) }
        }
    }
}
