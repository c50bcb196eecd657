import EventLoops
import Glibc
import StrideTestSupport
import Testing

@testable import TLS

@Suite(.serialized) struct CrowdTests {
    @Test("500 handshakes at once succeed, each with its own answer")
    func crowd() async throws {
        let material = try await Material.shared()
        try await onLoop { loop in
            let server = try EchoServer(TLSServerFiles(identity: material.server), loop: loop)
            let trust = try TLSContext(client: TLSClientFiles(authority: material.authority))
            let answered = try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<500 {
                    group.addTask { @Sendable in
                        try await loop.run {
                            let stream = try await dial(server.port, trusting: trust, on: loop)
                            let collector = Collector()
                            stream.delegate = collector
                            stream.resumeReading()
                            stream.write(Array("caller \(number)".utf8))
                            try await eventually(loop, "the echo") { collector.text == "caller \(number)" }
                            stream.close()
                            return true
                        }
                    }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(answered == 500 && server.most > 100)
            try await eventually(loop, "all have gone") { server.open == 0 }
            #expect(server.handshakes.count == 500 && server.handshakes.allSatisfy { $0 == nil })
            server.close()
        }
    }

    @Test("2 000 connections that come and go, some of them broken, leave no descriptor behind")
    func leaks() async throws {
        let material = try await Material.shared()
        try await onLoop { loop in
            let server = try EchoServer(TLSServerFiles(identity: material.server), loop: loop)
            let trust = try TLSContext(client: TLSClientFiles(authority: material.authority))
            let scratch = TLSScratch()
            func come(_ number: Int) async throws {
                if number.isMultiple(of: 4) {
                    let plain = try await dial(server.port, on: loop)
                    plain.write(Array("GET / HTTP/1.1\r\n\r\n".utf8))
                    return plain.close()
                }
                let stream = try await dial(server.port, trusting: trust, on: loop, scratch: scratch)
                let collector = Collector()
                stream.delegate = collector
                stream.resumeReading()
                stream.write(Array("x".utf8))
                if number.isMultiple(of: 3) { return stream.reset() }
                try await eventually(loop, "the echo") { collector.text == "x" }
                stream.close()
            }
            for number in 0..<300 { try await come(number) }
            try await eventually(loop, "all have gone") { server.open == 0 }
            let descriptors = openDescriptors()
            for number in 0..<2000 { try await come(number) }
            try await eventually(loop, "all have gone") { server.open == 0 }
            // Other suites in this process have theirs.
            try await eventually(loop, "descriptors are given back") { openDescriptors() < descriptors + 500 }
            server.close()
        }
    }
}

private func openDescriptors() -> Int {
    guard let folder = opendir("/proc/self/fd") else { return 0 }
    defer { closedir(folder) }
    var count = 0
    while readdir(folder) != nil { count += 1 }
    return count
}
