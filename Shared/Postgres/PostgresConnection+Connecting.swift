package import EventLoops

extension PostgresConnection {
    /// Opens a session with the first server that gives one of the wanted role.
    ///
    /// Hosts are tried in order, each address of each, with an equal share of what is left of the time (at most
    /// `connectTimeout`). A refusal that another host would repeat (password, role, database) ends the search.
    ///
    /// - Parameter timeout: for everything, names included.
    /// - Throws: `connectFailed`, `server` (with the SQLSTATE of the refusal), `cancelled` or `configuration`.
    package static func connect(
        _ configuration: PostgresConfiguration, loop: EventLoop, timeout: Duration
    ) async throws(PostgresError) -> PostgresConnection {
        loop.preconditionInLoop()
        let deadline = loop.now.advanced(by: timeout)
        let candidates = try await candidates(configuration, loop: loop, deadline: deadline)
        var failure = PostgresError.lateConnect
        for (index, candidate) in candidates.enumerated() {
            let left = loop.now.duration(to: deadline)
            guard left > .zero else { break }
            do throws(PostgresError) {
                let session = try await attempt(
                    configuration.keywords(host: candidate.host, address: candidate.address, role: candidate.role),
                    loop: loop, timeout: min(left / (candidates.count - index), configuration.connectTimeout))
                return try PostgresConnection(
                    loop: loop, session: session.handle, usesNamedStatements: configuration.usesNamedStatements)
            } catch {
                failure = error
                if error.endsSearch { throw error }
            }
        }
        throw failure
    }

    private struct Candidate {
        var host: PostgresHost
        var address: String?
        var role: PostgresConfiguration.TargetSessionAttributes
    }

    /// Every address of every host; twice for `prefer-standby`, first as standbys, then as they are.
    private static func candidates(
        _ configuration: PostgresConfiguration, loop: EventLoop, deadline: MonotonicInstant
    ) async throws(PostgresError) -> [Candidate] {
        var found: [Candidate] = []
        var failure = PostgresError.lateConnect
        for host in configuration.hosts {
            do throws(PostgresError) {
                for address in try await addresses(of: host, loop: loop, deadline: deadline) {
                    found.append(Candidate(host: host, address: address, role: configuration.targetSessionAttributes))
                }
            } catch {
                // One name that cannot be looked up does not keep the other hosts from being tried.
                failure = error
                if error.code == .cancelled { throw error }
            }
        }
        guard !found.isEmpty else { throw failure }
        guard configuration.targetSessionAttributes == .preferStandby else { return found }
        return [.standby, .any].flatMap { role in
            found.map { Candidate(host: $0.host, address: $0.address, role: role) }
        }
    }

    private static func addresses(
        of host: PostgresHost, loop: EventLoop, deadline: MonotonicInstant
    ) async throws(PostgresError) -> [String?] {
        if host.isUnixSocket { return [nil] }
        if let address = host.address { return [address] }
        let wait = LoopWait<[SocketAddress]>(loop: loop)
        loop.submit {
            do throws(StreamError) {
                wait.resume(.success(try await resolve(host: host.name, port: host.port, loop: loop)))
            } catch {
                wait.resume(
                    .failure(
                        PostgresError(.connectFailed, "a PostgreSQL host could not be looked up", detail: host.name)))
            }
        }
        let left = loop.now.duration(to: deadline)
        return try await wait.value(timeout: left, late: .lateConnect) { _ in }.map { $0.ip }
    }

    private static func attempt(
        _ keywords: [(keyword: String, value: String)], loop: EventLoop, timeout: Duration
    ) async throws(PostgresError) -> OpenedSession {
        let wait = LoopWait<OpenedSession>(loop: loop)
        let attempt = ConnectAttempt(loop: loop)
        attempt.start(keywords: keywords, timeout: timeout) { outcome in
            wait.resume(outcome.map { OpenedSession(handle: $0) })
        }
        // The attempt ends itself at its deadline; the wait's own only guards against its never ending.
        return try await wait.value(timeout: timeout + .seconds(1), late: .lateConnect) { attempt.abandon($0) }
    }
}

/// Carries a session from the loop to the task on the same loop.
///
/// - Note: `@unchecked Sendable`: made, resumed and received on one loop.
private struct OpenedSession: @unchecked Sendable {
    let handle: SessionHandle
}

extension PostgresError {
    /// Whether the refusal would be the same on every host, as libpq judges it: the session was reached and refused.
    fileprivate var endsSearch: Bool {
        switch code {
        case .cancelled: true
        case .server(let state): ["28", "3D", "42"].contains(state.conditionClass)
        default: false
        }
    }
}
