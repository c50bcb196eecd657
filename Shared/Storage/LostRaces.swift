internal import EventLoops
package import Postgres

extension PostgresPool {
    /// Lends a connection for a transaction, and again, up to three times in all, while the transaction loses against another
    /// one or its session is gone before anything was written.
    ///
    /// In the loop only.
    ///
    /// - Throws: the last error; never repeated when it is not known whether the transaction was committed, because only
    ///   the caller's key can find out.
    package func transact<Value>(
        _ body: (PostgresConnection) async throws(PostgresError) -> Value
    ) async throws(PostgresError) -> Value {
        var attempt = 1
        while true {
            do throws(PostgresError) {
                return try await withConnection(timeout: .seconds(1), body)
            } catch {
                guard error.mayRepeat, attempt < 3 else { throw error }
            }
            try? await loop.sleep(for: .milliseconds(Int.random(in: 1...10) << (attempt - 1)))
            attempt += 1
        }
    }
}

extension PostgresError {
    /// Nothing was written, and the same again may well succeed.
    fileprivate var mayRepeat: Bool {
        switch disposition {
        case .retry, .reconnect: !isOutcomeUnknown
        case .shed, .fail: false
        }
    }

    /// Nothing was written, and the same again would fail again: a fault of ours.
    package var isFault: Bool { disposition == .fail && !isOutcomeUnknown }
}
