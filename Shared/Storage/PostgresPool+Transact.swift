package import EventLoops
package import Postgres

extension PostgresPool {
    /// Lends a connection for a transaction, and again while nothing was written and another try may well succeed.
    ///
    /// A transaction that loses against another one is tried three times in all. A session that turns out to have ended is
    /// one less in the pool: when a server ends them all, each may be met once, and the next one is new.
    ///
    /// In the loop only.
    ///
    /// - Throws: the last error; never repeated when it is not known whether the transaction was committed, because only
    ///   the caller's key can find out.
    package func transact<Value>(
        _ urgency: QueueAdmission.Urgency = .live, _ body: (PostgresConnection) async throws(PostgresError) -> Value
    ) async throws(PostgresError) -> Value {
        var (lostRaces, lostSessions) = (0, 0)
        while true {
            do throws(PostgresError) {
                return try await withConnection(urgency, body)
            } catch {
                guard !error.isOutcomeUnknown else { throw error }
                switch error.disposition {
                case .retry where lostRaces < 2: lostRaces += 1
                case .reconnect where lostSessions < maximum:
                    lostSessions += 1
                    continue
                case .retry, .reconnect, .shed, .fail: throw error
                }
            }
            try? await loop.sleep(for: .milliseconds(Int.random(in: 1...10) << lostRaces))
        }
    }
}

extension PostgresError {
    /// Nothing was written, and the same again would fail again: a fault of ours.
    package var isFault: Bool { disposition == .fail && !isOutcomeUnknown && code != .cancelled && code != .closed }
}
