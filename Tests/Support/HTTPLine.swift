package import EventLoops
package import TLS

/// One connection of a test's client, plain or over TLS: sends exactly the bytes it is given and reads answers one by one.
///
/// Confined to its loop; the public entries go there by themselves, hence `@unchecked Sendable`.
package final class HTTPLine: ByteStreamDelegate, @unchecked Sendable {
    private let loop: EventLoop
    private let stream: any ByteStream
    private var buffer: [UInt8] = []
    private var hasEnded = false
    private var isClosed = false
    private var waiter: CheckedContinuation<Void, Never>?

    /// Connects to a port of this machine; with `trust` over TLS, as `localhost`.
    package static func open(
        _ port: UInt16, on loop: EventLoop, trust: TLSContext? = nil
    ) async throws -> HTTPLine {
        try await loop.run {
            guard let address = SocketAddress(ip: "127.0.0.1", port: port) else { throw NoAnswer("no address") }
            do {
                let stream = try await TCPStream.connect(to: address, loop: loop, timeout: .seconds(20))
                guard let trust else { return HTTPLine(stream, loop) }
                let secured = try await TLSStream.connect(
                    over: stream, context: trust, serverName: "localhost", scratch: TLSScratch(),
                    timeout: .seconds(60))
                return HTTPLine(secured, loop)
            } catch {
                throw NoAnswer("cannot connect: \(error)", wasSent: false)
            }
        }
    }

    private init(_ stream: any ByteStream, _ loop: EventLoop) {
        self.stream = stream
        self.loop = loop
        stream.delegate = self
        stream.resumeReading()
    }

    /// Sends bytes.
    package func send(_ bytes: [UInt8]) async throws {
        try await loop.run {
            guard !self.isClosed, !self.hasEnded else { throw NoAnswer("the server has closed", wasSent: false) }
            self.stream.write(bytes)
        }
    }

    /// Sends text.
    package func send(_ text: String) async throws { try await send(Array(text.utf8)) }

    /// The next answer.
    package func answer(hasBody: Bool = true, within patience: Duration = .seconds(60)) async throws -> HTTPAnswer {
        try await loop.run {
            let deadline = self.loop.now.advanced(by: patience)
            while true {
                if let answer = try HTTPAnswer.take(from: &self.buffer, hasBody: hasBody) { return answer }
                guard !self.isClosed, !self.hasEnded else { throw NoAnswer("the server closed without an answer") }
                guard self.loop.now < deadline else { throw NoAnswer("no answer within \(patience)") }
                await self.change(until: deadline)
            }
        }
    }

    /// Sends one request and reads its answer.
    package func exchange(_ call: HTTPCall, within patience: Duration = .seconds(60)) async throws -> HTTPAnswer {
        try await send(call.bytes)
        return try await answer(hasBody: call.method != "HEAD", within: patience)
    }

    /// Whether the server closes within a time, having sent nothing more.
    package func ends(within patience: Duration = .seconds(20)) async throws -> Bool {
        try await loop.run {
            let deadline = self.loop.now.advanced(by: patience)
            while !self.isClosed, !self.hasEnded, self.loop.now < deadline { await self.change(until: deadline) }
            return (self.isClosed || self.hasEnded) && self.buffer.isEmpty
        }
    }

    /// Whether it can still be used, as far as this side knows.
    package func isUsable() async throws -> Bool {
        try await loop.run { !self.isClosed && !self.hasEnded && self.buffer.isEmpty }
    }

    /// Closes.
    package func close() { loop.execute { self.stream.close() } }

    /// Closes so that the server sees a reset.
    package func reset() { loop.execute { self.stream.reset() } }

    private func change(until deadline: MonotonicInstant) async {
        let timer = LoopTimer(loop: loop) { self.wake() }
        timer.schedule(after: loop.now.duration(to: deadline))
        await withCheckedContinuation { waiter = $0 }
        timer.close()
    }

    private func wake() {
        waiter?.resume()
        waiter = nil
    }

    /// Bytes have come.
    package func streamReceived(_ bytes: Span<UInt8>) {
        buffer.reserveCapacity(buffer.count + bytes.count)
        for index in bytes.indices { buffer.append(bytes[index]) }
        wake()
    }
    /// The server sends no more.
    package func streamReceivedEnd() {
        hasEnded = true
        stream.close()
        wake()
    }
    /// Nothing to do.
    package func streamDrained() {}
    /// The connection is gone.
    package func streamClosed(_ error: StreamError?) {
        isClosed = true
        wake()
    }
}

/// A client with connections that are kept alive.
///
/// Confined to its loop like its lines, hence `@unchecked Sendable`.
package final class HTTPClient: @unchecked Sendable {
    private let loop: EventLoop
    private var idle: [UInt16: [HTTPLine]] = [:]

    /// A client on a loop.
    package init(loop: EventLoop) { self.loop = loop }

    /// Sends one request to a port of this machine; a kept connection that the server has closed is replaced before
    /// anything is sent.
    package func send(
        _ call: HTTPCall, to port: UInt16, within patience: Duration = .seconds(60)
    ) async throws -> HTTPAnswer {
        let line = try await line(to: port)
        do {
            let answer = try await line.exchange(call, within: patience)
            if answer.isLast { line.close() } else { try await keep(line, port) }
            return answer
        } catch {
            line.close()
            throw error
        }
    }

    /// Closes what is kept, so that a draining service need not wait for it.
    package func closeIdle() async {
        try? await loop.run {
            for line in self.idle.values.joined() { line.close() }
            self.idle = [:]
        }
    }

    private func line(to port: UInt16) async throws -> HTTPLine {
        while let line = try await loop.run({ self.idle[port]?.popLast() }) {
            if try await line.isUsable() { return line }
            line.close()
        }
        return try await HTTPLine.open(port, on: loop)
    }

    private func keep(_ line: HTTPLine, _ port: UInt16) async throws {
        try await loop.run { self.idle[port, default: []].append(line) }
    }
}
