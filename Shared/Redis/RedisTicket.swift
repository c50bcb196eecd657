/// One caller that waits for an exchange: who is resumed, and where in the queue the exchange stands.
///
/// Confined to its connection's loop, as the connection is; `Sendable` only so that a cancellation handler may carry
/// it to the loop. It lets go of the continuation with the first answer, so no caller is resumed twice.
@safe final class RedisTicket: @unchecked Sendable {
    private var continuation: UnsafeContinuation<RedisConnection.Outcome, Never>?
    /// Nil until the exchange has its place.
    var id: RedisPipelineState<RedisTicket>.ExchangeID?

    /// Keeps who is to be resumed.
    func wait(_ continuation: UnsafeContinuation<RedisConnection.Outcome, Never>) {
        unsafe self.continuation = unsafe continuation
    }

    /// Answers the caller; later answers do nothing.
    func resume(_ outcome: RedisConnection.Outcome) {
        guard let continuation = unsafe continuation else { return }
        unsafe self.continuation = nil
        unsafe continuation.resume(returning: outcome)
    }
}
