import EventLoops
import Testing

@testable import HTTP

/// H5: nobody holds a connection by being slow.
///
/// Who is cut off is what counts. A wait that a late client would fall into is a second at least; the others are short.
@Suite("Deadlines")
struct DeadlineTests {
    private static let get = "GET /v1/things HTTP/1.1\r\nHost: a\r\n\r\n"

    /// The quick limits with one wait shortened.
    private func limits(_ change: (inout HTTPLimits) -> Void) -> HTTPLimits {
        var limits = HTTPLimits.quick
        change(&limits)
        return limits
    }

    @Test("H5: the defaults are those of the contract")
    func hasTheContractsDefaults() {
        let limits = HTTPLimits()
        #expect(limits.headTimeout == .seconds(10))
        #expect(limits.bodyTimeout == .seconds(30))
        #expect(limits.idleTimeout == .seconds(75))
        #expect(limits.responseTimeout == .seconds(30))
    }

    @Test("H5: a head that does not end in time is 408, also when a byte comes now and then")
    func cutsSlowHeads() async throws {
        try await TestServer.run(limits: limits { $0.headTimeout = .seconds(1) }) { running async throws in
            let answer = try await offLoop { [port = running.port] in
                let client = try RawClient(port: port)
                client.send("GET /v1/things HTTP/1.1\r\nHost: a\r\nX: ")
                // Longer in all than the deadline: bytes do not move it.
                for _ in 0..<15 {
                    guard client.send("a") else { break }
                    pause(milliseconds: 100)
                }
                return client.receiveAll() ?? "no end"
            }
            #expect(RawResponse.all(in: answer).map(\.status) == [408])
            #expect(running.record.calls.isEmpty)
        }
    }

    @Test("H5: a new connection that says nothing is closed without a word")
    func cutsSilentConnections() async throws {
        try await TestServer.run(limits: limits { $0.headTimeout = .milliseconds(100) }) { running async throws in
            #expect(try await running.exchange("") == "")
            #expect(try await running.exchange("\r\n") == "")
        }
    }

    @Test("H5: a body that does not end in time is 408")
    func cutsSlowBodies() async throws {
        try await TestServer.run(limits: limits { $0.bodyTimeout = .milliseconds(150) }) { running async throws in
            let head = "POST /v1/things HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
            for body in ["Content-Length: 5\r\n\r\nhe", "Transfer-Encoding: chunked\r\n\r\n5\r\nhe"] {
                #expect(try await running.responses(to: head + body).map(\.status) == [408])
            }
            #expect(running.record.calls.isEmpty)
        }
    }

    @Test("H5: an idle connection is closed after its time, and not before while requests come")
    func cutsIdleConnections() async throws {
        try await TestServer.run(limits: limits { $0.idleTimeout = .seconds(2) }) { running async throws in
            let answer = try await offLoop { [port = running.port] in
                let client = try RawClient(port: port)
                var all = ""
                for _ in 0..<4 {
                    client.send(Self.get)
                    all += client.receive(until: "list\"") ?? "gone"
                    pause(milliseconds: 700)
                }
                return all + (client.receiveAll() ?? "no end")
            }
            #expect(RawResponse.all(in: answer).map(\.status) == [200, 200, 200, 200])
            #expect(!answer.contains("gone") && !answer.contains("no end"))
        }
    }

    @Test("H5: a request that begins on an idle connection has the time of a head, not of the idle wait")
    func cutsSlowHeadsOnKeptConnections() async throws {
        let short = limits {
            $0.headTimeout = .seconds(1)
            $0.idleTimeout = .seconds(60)
        }
        try await TestServer.run(limits: short) { running async throws in
            #expect(try await running.responses(to: Self.get + "GET / HT").map(\.status) == [200, 408])
        }
    }

    @Test("H5: a client that does not read its answer is reset")
    func cutsUnreadAnswers() async throws {
        try await TestServer.run(limits: limits { $0.responseTimeout = .milliseconds(200) }) { running async throws in
            let client = try Shared(RawClient(port: running.port, receiveBuffer: 4096))
            client.value.send("GET /big?bytes=16000000 HTTP/1.1\r\nHost: a\r\n\r\n")
            while try await running.loop.run({ running.server.connectionCount }) > 0 || running.record.exchanges.isEmpty
            {
                try await Task.sleep(for: .milliseconds(10))
            }
            // What had been sent may be read; then comes the reset in place of the end.
            #expect(try await offLoop { client.value.receiveAll() } == nil)
            #expect(try await running.responses(to: "GET / HTTP/1.0\r\n\r\n").map(\.status) == [404])
        }
    }

    @Test("While an answer waits for a slow reader nothing else is read; when it has left, all goes on")
    func waitsForSlowReaders() async throws {
        try await TestServer.run { running async throws in
            let client = try Shared(RawClient(port: running.port, receiveBuffer: 4096))
            client.value.send("GET /big?bytes=8000000 HTTP/1.1\r\nHost: a\r\n\r\n" + Self.get)
            while running.record.exchanges.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
            try await Task.sleep(for: .milliseconds(100))
            #expect(running.record.calls == ["GET /big"])
            let answer = try await offLoop {
                let all = client.value.receive(until: "list\"") ?? ""
                client.value.endWriting()
                return all
            }
            #expect(RawResponse.all(in: answer).map(\.body.utf8.count) == [8_000_000, 6])
        }
    }

    @Test("No deadline of the connection cuts a handler that takes its time")
    func leavesHandlersAlone() async throws {
        let short = limits {
            $0.headTimeout = .seconds(1)
            $0.bodyTimeout = .seconds(1)
            $0.idleTimeout = .seconds(1)
            $0.responseTimeout = .seconds(1)
        }
        try await TestServer.run(limits: short) { running async throws in
            let responses = try await running.responses(
                to: "GET /slow?ms=1500 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            #expect(responses.map(\.status) == [200])
        }
    }
}
