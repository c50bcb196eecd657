import EventLoops
import Glibc
import StrideTestSupport
import Testing

@testable import TLS

@Suite struct StreamTests {
    @Test("What is written comes back, then both ends say that it is the end, and nobody reports an error")
    func echo() async throws {
        let material = try await Material.shared()
        try await onLoop { loop in
            let server = try EchoServer(TLSServerFiles(identity: material.server), loop: loop)
            let trust = try TLSContext(client: TLSClientFiles(authority: material.authority))
            let stream = try await dial(server.port, trusting: trust, on: loop)
            let collector = Collector()
            stream.delegate = collector
            stream.resumeReading()
            stream.write(Array("one ".utf8))
            stream.write(Array("two".utf8))
            try await eventually(loop, "the echo") { collector.text == "one two" }
            stream.shutdownWriting()
            try await eventually(loop, "the end") { collector.hasEnded }
            stream.close()
            try await eventually(loop, "both are closed") { !collector.closings.isEmpty && server.open == 0 }
            #expect(collector.closings == [nil] && stream.failure == nil && server.handshakes == [nil])
            server.close()
        }
    }

    @Test("10 MB each way with a receiver that reads in fits: whole, in order, and little waits anywhere")
    func bulk() async throws {
        let material = try await Material.shared()
        try await onLoop { loop in
            let server = try EchoServer(TLSServerFiles(identity: material.server), loop: loop)
            let trust = try TLSContext(client: TLSClientFiles(authority: material.authority))
            let stream = try await dial(server.port, trusting: trust, on: loop)
            let collector = Collector()
            stream.delegate = collector
            let total = 10_000_000
            let data = [UInt8]((0..<total).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 13) })
            var (sent, waits) = (0, 0)
            // Pauses from within the delegate's own call, and goes on later.
            var untilPause = 300_000
            collector.onBytes = {
                if collector.received.count >= untilPause {
                    untilPause += 300_000
                    waits += 1
                    stream.pauseReading()
                }
            }
            stream.resumeReading()
            while collector.received.count < total {
                while sent < total, stream.unsentBytes < 1 << 18 {
                    let end = min(sent + 50_000, total)
                    stream.write(Array(data[sent..<end]))
                    sent = end
                }
                try await loop.sleep(for: .milliseconds(1))
                let before = collector.received.count
                if waits.isMultiple(of: 5) {
                    // Nothing may come while nobody reads.
                    stream.pauseReading()
                    try await loop.sleep(for: .milliseconds(2))
                    #expect(collector.received.count == before)
                }
                stream.resumeReading()
            }
            #expect(collector.received == data)
            #expect(waits > 20)
            // A round of the server's own bound, what one read brings, and the wrapping.
            #expect(server.largestUnsent < 1 << 19)
            stream.close()
            server.close()
        }
    }

    @Test("An end without notice is an error for a client that wants to know, and an end for a server")
    func silentEnd() async throws {
        let material = try await Material.shared()
        try await onLoop { loop in
            var accepted: TCPStream?
            let server = try EchoServer(TLSServerFiles(identity: material.server), loop: loop) { accepted = $0 }
            let trust = try TLSContext(client: TLSClientFiles(authority: material.authority))
            let stream = try await dial(server.port, trusting: trust, on: loop)
            let collector = Collector()
            stream.delegate = collector
            stream.resumeReading()
            stream.write(Array("x".utf8))
            try await eventually(loop, "the echo") { collector.text == "x" }
            // Below the server's TLS, so no notice is sent.
            accepted?.shutdownWriting()
            try await eventually(loop, "the client is told") { !collector.closings.isEmpty }
            #expect(collector.closings == [StreamError(.insecure)] && stream.failure == .truncated)
            #expect(!collector.hasEnded)

            // Towards the server: it answers the end with its own, as to any other.
            let below = try await dial(server.port, on: loop)
            let lenient = try await TLSStream.connect(
                over: below, context: trust, serverName: "localhost", scratch: TLSScratch(), timeout: .seconds(60))
            let second = Collector()
            lenient.delegate = second
            lenient.resumeReading()
            below.shutdownWriting()
            try await eventually(loop, "the server ends too, in order") { second.hasEnded }
            #expect(lenient.failure == nil)
            lenient.close()
            try await eventually(loop, "the server has let go") { server.open == 0 }
            server.close()
        }
    }

    @Test("Plain HTTP, garbage and a connection that ends on the TLS port are closed, and the handshake fails")
    func plain() async throws {
        let material = try await Material.shared()
        try await onLoop { loop in
            let server = try EchoServer(TLSServerFiles(identity: material.server), loop: loop)
            for (number, text) in ["GET / HTTP/1.1\r\nHost: x\r\n\r\n", "\0\0\0\0\0\0\0\0\0\0", ""].enumerated() {
                let stream = try await dial(server.port, on: loop)
                let collector = Collector()
                stream.delegate = collector
                stream.resumeReading()
                if text.isEmpty { stream.shutdownWriting() } else { stream.write(Array(text.utf8)) }
                try await eventually(loop, "closed") { collector.hasEnded || !collector.closings.isEmpty }
                #expect(!collector.text.contains("HTTP"))
                stream.close()
                try await eventually(loop, "counted") { server.handshakes.count == number + 1 }
            }
            #expect(server.handshakes[0] == .notTLS && server.handshakes[2] == .truncated)
            #expect(server.handshakes.allSatisfy { $0 != nil })
            try await eventually(loop, "the server has let go") { server.open == 0 }
            server.close()
        }
    }

    @Test("A client fails with the reason: another name, no TLS there, silence, nobody's authority")
    func refusals() async throws {
        let material = try await Material.shared()
        try await onLoop { loop in
            let server = try EchoServer(TLSServerFiles(identity: material.server), loop: loop)
            let trust = try TLSContext(client: TLSClientFiles(authority: material.authority))
            #expect(await refusal(server.port, trusting: trust, name: "other.test", on: loop) == .untrusted(.wrongName))
            let stranger = try TLSContext(client: TLSClientFiles(authority: material.otherAuthority))
            #expect(await refusal(server.port, trusting: stranger, on: loop) == .untrusted(.unknownAuthority))
            try await eventually(loop, "the server was told why") { server.handshakes.count == 2 }
            // bad_certificate 42 for the name, unknown_ca 48.
            #expect(server.handshakes == [.refused(alert: 42), .refused(alert: 48)])

            guard let address = SocketAddress(ip: "127.0.0.1", port: 0) else { return }
            var answers = true
            var silent: [TCPStream] = []
            let plain = try TCPListener(loop: loop, address: address) { stream in
                if answers { stream.write(Array("-ERR no TLS here\r\n".utf8)) }
                silent.append(stream)
            }
            #expect(await refusal(plain.localAddress.port, trusting: trust, on: loop) == .notTLS)
            answers = false
            let silence = await refusal(
                plain.localAddress.port, trusting: trust, on: loop, within: .milliseconds(200))
            #expect(silence == .timedOut)
            for stream in silent { stream.close() }
            plain.close()
            server.close()
        }
    }

    @Test("A client without a certificate where one is demanded is told so by the first answer")
    func demandedCertificate() async throws {
        let material = try await Material.shared()
        try await onLoop { loop in
            let files = TLSServerFiles(identity: material.server, clientAuthority: material.authority)
            let server = try EchoServer(files, loop: loop)
            for (identity, isLetIn) in [(material.client, true), (nil, false)] {
                let trust = try TLSContext(
                    client: TLSClientFiles(authority: material.authority, identity: identity))
                let stream = try await dial(server.port, trusting: trust, on: loop)
                let collector = Collector()
                stream.delegate = collector
                stream.resumeReading()
                stream.write(Array("hello".utf8))
                try await eventually(loop, "an answer") { collector.text == "hello" || !collector.closings.isEmpty }
                #expect(collector.text == (isLetIn ? "hello" : ""))
                // certificate_required
                #expect(stream.failure == (isLetIn ? nil : .refused(alert: 116)))
                stream.close()
            }
            server.close()
        }
    }

    @Test(
        "OpenSSL's own server is spoken to in TLS 1.2 and 1.3, and not in 1.1",
        arguments: [("-tls1_2", "TLSv1.2"), ("-tls1_3", "TLSv1.3"), ("-tls1_1", nil)] as [(String, String?)])
    func versions(_ option: String, _ version: String?) async throws {
        let material = try await Material.shared()
        try await onLoop { loop in
            let port = try FreePort.likely()
            let server = try ChildProcess(
                "openssl",
                [
                    "s_server", "-accept", "127.0.0.1:\(port)", "-cert", material.server.certificate, "-key",
                    material.server.key, option, "-cipher", "ALL:@SECLEVEL=0", "-rev",
                ], log: "\(material.folder.path)/server\(option).log")
            defer { server.kill() }
            try await eventually(loop, "it listens") { server.log.contains("ACCEPT") || server.ending != nil }
            let trust = try TLSContext(client: TLSClientFiles(authority: material.authority))
            guard let version else {
                #expect(await refusal(port, trusting: trust, on: loop) == .noCommonVersion)
                return
            }
            let stream = try await dial(port, trusting: trust, on: loop)
            #expect(stream.version == version)
            let collector = Collector()
            stream.delegate = collector
            stream.resumeReading()
            stream.write(Array("a word\n".utf8))
            try await eventually(loop, "the word comes back turned round") { collector.text == "drow a\n" }
            stream.close()
        }
    }
}
