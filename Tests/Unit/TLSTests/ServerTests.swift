import EventLoops
import HTTP
import StrideTestSupport
import Testing

@testable import TLS

@Suite struct ServerTests {
    /// A server with one route and the given limits.
    private func server(_ loop: EventLoop, _ limits: HTTPLimits) async throws -> (HTTPServer, TLSContext) {
        let material = try await Material.shared()
        let acceptor = TLSAcceptor(context: try TLSContext(server: TLSServerFiles(identity: material.server)))
        guard let address = SocketAddress(ip: "127.0.0.1", port: 0) else { throw Late("no address") }
        let routes = [
            HTTPRoute(.get, "/here") { _, _ in
                HTTPResponse(status: 200, contentType: "text/plain", body: Array("here".utf8))
            }
        ]
        let router = HTTPRouter(routes: routes) { refusal, _ in HTTPResponse(status: refusal.status) }
        let server = try HTTPServer(
            loop: loop, address: address, router: router, limits: limits, secure: { acceptor.secure($0) })
        return (server, try TLSContext(client: TLSClientFiles(authority: material.authority)))
    }

    @Test("Requests one after the other, in one piece and in single bytes, are answered in their order")
    func requests() async throws {
        try await onLoop { loop in
            let (server, trust) = try await server(loop, HTTPLimits())
            let line = try await HTTPLine.open(server.localAddress.port, on: loop, trust: trust)
            for byte in HTTPCall("GET", "/here").bytes { try await line.send([byte]) }
            #expect(try await line.answer().text == "here")
            var pipelined: [UInt8] = []
            for number in 0..<300 { pipelined += HTTPCall("GET", number % 3 == 2 ? "/nowhere" : "/here").bytes }
            try await line.send(pipelined)
            for number in 0..<300 {
                #expect(try await line.answer(within: .seconds(60)).status == (number % 3 == 2 ? 404 : 200))
            }
            try await line.send("GET /here HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            #expect(try await line.answer().isLast)
            #expect(try await line.ends())
            await server.drain(timeout: .seconds(20))
        }
    }

    @Test("A handshake that is silent, cut short or dripping is closed when the time for a first head is over")
    func slowHandshake() async throws {
        try await onLoop { loop in
            var limits = HTTPLimits()
            limits.headTimeout = .seconds(1)
            let (server, _) = try await server(loop, limits)
            // The first bytes of a ClientHello that announces 512.
            let hello: [UInt8] = [0x16, 3, 1, 2, 0, 1, 0, 1, 0xFC, 3, 3]
            for start in [[], hello] {
                let begin = loop.now
                let stream = try await dial(server.localAddress.port, on: loop)
                let collector = Collector()
                stream.delegate = collector
                stream.resumeReading()
                stream.write(start)
                while collector.closings.isEmpty, !collector.hasEnded {
                    // Each byte on its own keeps nothing alive.
                    if !start.isEmpty { stream.write([0]) }
                    try await loop.sleep(for: .milliseconds(20))
                    try #require(begin.duration(to: loop.now) < .seconds(60))
                }
                #expect(begin.duration(to: loop.now) >= .milliseconds(900))
                stream.close()
            }
            try await eventually(loop, "they are gone") { server.connectionCount == 0 }
            await server.drain(timeout: .seconds(20))
        }
    }

    @Test("Handshakes count against the limit of connections")
    func limit() async throws {
        try await onLoop { loop in
            var limits = HTTPLimits()
            limits.connections = 2
            let (server, trust) = try await server(loop, limits)
            let port = server.localAddress.port
            let silent = [try await dial(port, on: loop), try await dial(port, on: loop)]
            try await eventually(loop, "both are accepted") { server.connectionCount == 2 }
            let waiting = Task(executorPreference: loop) {
                let line = try await HTTPLine.open(port, on: loop, trust: trust)
                let answer = try await line.exchange(HTTPCall("GET", "/here"))
                line.close()
                return answer.status
            }
            try await loop.sleep(for: .milliseconds(100))
            #expect(server.connectionCount == 2)
            silent[0].close()
            #expect(try await waiting.value == 200)
            silent[1].close()
            await server.drain(timeout: .seconds(20))
        }
    }
}
