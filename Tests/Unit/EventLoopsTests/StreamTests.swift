import EventLoops
import Glibc
import Synchronization
import Testing

/// TCP on one loop, over real loopback sockets.
@Suite struct StreamTests {
    @Test("Twenty megabytes come back byte for byte, and both ends close once")
    func echo() async throws {
        let loop = try EventLoop.start(name: "test")
        let outcome = try await loop.run { () -> (received: Int, isEqual: Bool, closings: [StreamError?]) in
            let server = try EchoServer(loop: loop)
            let stream = try await TCPStream.connect(to: server.address, loop: loop, timeout: .seconds(5))
            let client = Collector(loop: loop)
            stream.delegate = client
            stream.resumeReading()
            let block = (0..<1_048_576).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
            for _ in 0..<20 { stream.write(block) }
            stream.shutdownWriting()
            try await client.waitForEnd()
            stream.close()
            try await client.waitForClose()
            server.close()
            let isEqual = client.received == Array(repeating: block, count: 20).flatMap(\.self)
            return (client.received.count, isEqual, client.closings)
        }
        #expect(outcome.received == 20 * 1_048_576)
        #expect(outcome.isEqual)
        #expect(outcome.closings == [nil])
        await loop.stop()
    }

    @Test("A reset is told as a reset, and a write after it does no harm")
    func reset() async throws {
        let loop = try EventLoop.start(name: "test")
        let closings = try await loop.run { () -> [StreamError?] in
            let accepted = Accepted()
            let listener = try TCPListener(loop: loop, address: loopback(0)) { accepted.streams.append($0) }
            let stream = try await TCPStream.connect(to: listener.localAddress, loop: loop, timeout: .seconds(5))
            let client = Collector(loop: loop)
            stream.delegate = client
            stream.resumeReading()
            while accepted.streams.isEmpty { try await loop.sleep(for: .milliseconds(1)) }
            accepted.streams.first?.reset()
            try await client.waitForClose()
            stream.write([1, 2, 3])
            stream.close()
            listener.close()
            return client.closings
        }
        #expect(closings.map { $0?.code } == [.reset])
        await loop.stop()
    }

    @Test("A port where nobody listens refuses")
    func refused() async throws {
        let loop = try EventLoop.start(name: "test")
        let code = try await loop.run { () -> StreamError.Code? in
            let listener = try TCPListener(loop: loop, address: loopback(0)) { $0.close() }
            let address = listener.localAddress
            listener.close()
            do {
                _ = try await TCPStream.connect(to: address, loop: loop, timeout: .seconds(5))
                return nil
            } catch let error as StreamError { return error.code }
        }
        #expect(code == .refused)
        await loop.stop()
    }

    @Test("A listener that pauses leaves callers waiting and takes them later")
    func pause() async throws {
        let loop = try EventLoop.start(name: "test")
        let counts = try await loop.run { () -> [Int] in
            let accepted = Accepted()
            let listener = try TCPListener(loop: loop, address: loopback(0)) { accepted.streams.append($0) }
            listener.pauseAccepting()
            let stream = try await TCPStream.connect(to: listener.localAddress, loop: loop, timeout: .seconds(5))
            try await loop.sleep(for: .milliseconds(30))
            let before = accepted.streams.count
            listener.resumeAccepting()
            while accepted.streams.isEmpty { try await loop.sleep(for: .milliseconds(1)) }
            stream.close()
            listener.close()
            return [before, accepted.streams.count]
        }
        #expect(counts == [0, 1])
        await loop.stop()
    }

    @Test("A numeric address is itself, a name is looked up, a wrong name is an error")
    func resolving() async throws {
        let loop = try EventLoop.start(name: "test")
        let addresses = try await loop.run { try await resolve(host: "localhost", port: 7, loop: loop) }
        #expect(addresses.contains { $0.ip == "127.0.0.1" && $0.port == 7 })
        let numeric = try await loop.run { try await resolve(host: "::1", port: 8, loop: loop) }
        #expect(numeric.map(\.description) == ["[::1]:8"])
        await #expect(throws: StreamError.self) {
            try await loop.run { _ = try await resolve(host: "no.such.name.invalid", port: 1, loop: loop) }
        }
        await loop.stop()
    }

    @Test("Blocking work leaves the loop, comes back to it, and is bounded")
    func blockingPool() async throws {
        let loop = try EventLoop.start(name: "test")
        let outside = try await loop.run {
            let outside = try await BlockingPool.run(on: loop) { !loop.isInLoop }
            return outside && loop.isInLoop
        }
        #expect(outside)
        let gate = Gate()
        let refused = try await loop.run {
            await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<(BlockingPool.limitPerLoop + 10) {
                    group.addTask {
                        let work: @Sendable () -> Bool = {
                            while !gate.isOpen.load(ordering: .relaxed) { usleep(1000) }
                            return false
                        }
                        do { return try await BlockingPool.run(on: loop, work) } catch { return true }
                    }
                }
                // The others hold their places until the gate is opened, so refusals are all that can come first.
                var refused = 0
                for _ in 0..<10 where await group.next() == true { refused += 1 }
                gate.isOpen.store(true, ordering: .relaxed)
                return await group.reduce(refused) { $0 + ($1 ? 1 : 0) }
            }
        }
        #expect(refused == 10)
        await loop.stop()
    }
}

/// Holds work back until a test says so.
private final class Gate: Sendable { let isOpen = Atomic(false) }
