import EventLoops
import TLS

extension RedisNode {
    /// Starts one attempt; the states say that there is never a second one beside it.
    func beginAttempt() {
        switch state {
        case .idle, .pausing: state = .connecting
        case .connecting, .handshaking, .ready, .closed: return
        }
        loop.submit { await self.attempt() }
    }

    private func attempt() async {
        do throws(RedisError) {
            let connection = try await establish()
            guard case .handshaking = state else { return connection.close() }
            // It may have ended between its last reply and this job.
            guard !connection.hasEnded else { throw .connectionLost(outcomeUnknown: false) }
            connection.onLoss = { [weak self] in self?.lost() }
            state = .ready(connection)
            isFresh = false
            backoff.reset()
            meter.counters.connects += 1
        } catch {
            if case .closed = state { return }
            lastConnectError = error
            meter.counters.failedConnects += 1
            pause()
        }
    }

    func lost() {
        guard case .ready = state else { return }
        meter.counters.losses += 1
        lastConnectError = .connectionLost(outcomeUnknown: false)
        pause()
    }

    private func pause() {
        state = .pausing
        isFresh = false
        var generator = SystemRandomNumberGenerator()
        pauseTimer?.schedule(after: backoff.next(using: &generator))
        onTrouble?()
    }

    /// Name, connection and handshake within one time budget.
    private func establish() async throws(RedisError) -> RedisConnection {
        let deadline = loop.now.advanced(by: configuration.connectTimeout)
        if let locate { place = try await locate(deadline) }
        let stream = try await protect(connectAny(deadline: deadline), deadline: deadline)
        guard case .connecting = state else {
            stream.close()
            throw .notConnected
        }
        let connection: RedisConnection
        do throws(RESPError) {
            connection = try RedisConnection(stream: stream, configuration: configuration, meter: meter)
        } catch {
            stream.close()
            throw .protocolViolation(error)
        }
        state = .handshaking(connection)
        do throws(RedisError) {
            try await shakeHands(connection, deadline: deadline)
        } catch {
            connection.close()
            // Whether the server takes our certificate shows only now (TLS 1.3).
            if let failure = (stream as? TLSStream)?.failure { throw .insecure(failure) }
            throw error
        }
        return connection
    }

    /// The connection as it is, or TLS over it; a server that cannot be trusted gets nothing to read.
    private func protect(
        _ stream: TCPStream, deadline: MonotonicInstant
    ) async throws(RedisError) -> any ByteStream {
        guard let files = configuration.tls else { return stream }
        do throws(TLSError) {
            let context = try await Self.context(files, on: loop)
            return try await TLSStream.connect(
                over: stream, context: context, serverName: place.host, scratch: TLSScratch(),
                timeout: loop.now.duration(to: deadline))
        } catch {
            stream.close()
            throw .insecure(error)
        }
    }

    /// Reads the files off the loop.
    private static func context(_ files: TLSClientFiles, on loop: EventLoop) async throws(TLSError) -> TLSContext {
        let outcome = try? await BlockingPool.run(on: loop) { () -> Result<TLSContext, TLSError> in
            do throws(TLSError) {
                return .success(try TLSContext(client: files))
            } catch {
                return .failure(error)
            }
        }
        guard let outcome else { throw .library }
        return try outcome.get()
    }

    private func shakeHands(_ connection: RedisConnection, deadline: MonotonicInstant) async throws(RedisError) {
        let handshake = RedisHandshake(configuration: configuration, scripts: scripts)
        let commands = handshake.commands.map { RedisWireCommand(inFull: $0) }
        let replies = try await connection.exchange(commands, deadline: deadline).get()
        if let failure = handshake.failure(in: replies) { throw failure }
        scripts.loaded(handshake.scriptReplies(in: replies))
    }

    /// The first address that answers; each gets its share of the time that is left.
    private func connectAny(deadline: MonotonicInstant) async throws(RedisError) -> TCPStream {
        let addresses = try await addresses()
        for (index, address) in addresses.enumerated() {
            let share = loop.now.duration(to: deadline) / (addresses.count - index)
            guard share > .zero else { break }
            do throws(StreamError) {
                return try await TCPStream.connect(to: address, loop: loop, timeout: share)
            } catch {
                continue
            }
        }
        throw .notConnected
    }

    private func addresses() async throws(RedisError) -> [SocketAddress] {
        if let address = SocketAddress(ip: place.host, port: place.port) { return [address] }
        do throws(StreamError) {
            return try await resolve(host: place.host, port: place.port, loop: loop)
        } catch {
            throw .notConnected
        }
    }
}
