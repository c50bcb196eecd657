import EventLoops

extension RedisClient {
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
            backoff.reset()
            meter.counters.connects += 1
        } catch {
            if case .closed = state { return }
            lastConnectError = error
            meter.counters.failedConnects += 1
            pause()
        }
    }

    private func lost() {
        guard case .ready = state else { return }
        meter.counters.losses += 1
        lastConnectError = .connectionLost(outcomeUnknown: false)
        pause()
    }

    private func pause() {
        state = .pausing
        var generator = SystemRandomNumberGenerator()
        pauseTimer?.schedule(after: backoff.next(using: &generator))
    }

    /// Name, connection and handshake within one time budget.
    private func establish() async throws(RedisError) -> RedisConnection {
        let deadline = loop.now.advanced(by: configuration.connectTimeout)
        let stream = try await connectAny(deadline: deadline)
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
            throw error
        }
        return connection
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
        if let address = SocketAddress(ip: configuration.host, port: configuration.port) { return [address] }
        do throws(StreamError) {
            return try await resolve(host: configuration.host, port: configuration.port, loop: loop)
        } catch {
            throw .notConnected
        }
    }
}
