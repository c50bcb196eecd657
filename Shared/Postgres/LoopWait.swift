internal import EventLoops

/// One suspended caller on a loop: resumed once, by whoever comes first of the result, the deadline and cancellation.
///
/// - Note: `@unchecked Sendable`: confined to its loop; other threads only pass it to `loop.execute`.
final class LoopWait<Value: Sendable>: @unchecked Sendable {
    typealias Outcome = Result<Value, PostgresError>

    private let loop: EventLoop
    private var continuation: CheckedContinuation<Outcome, Never>?
    private var outcome: Outcome?
    private var timer: LoopTimer?
    /// Called in the loop when the wait ends by the deadline or by cancellation rather than by `resume`.
    private var onAbandon: ((PostgresError) -> Void)?

    init(loop: EventLoop) { self.loop = loop }

    /// Suspends until `resume`, the deadline or cancellation.
    ///
    /// `onAbandon` runs in the loop in the last two cases.
    func value(
        timeout: Duration, late: PostgresError, onAbandon: @escaping (PostgresError) -> Void
    ) async throws(PostgresError) -> Value {
        self.onAbandon = onAbandon
        let end = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Outcome, Never>) in
                if let outcome { return continuation.resume(returning: outcome) }
                self.continuation = continuation
                let timer = LoopTimer(loop: loop) { self.abandon(late) }
                timer.schedule(after: timeout)
                self.timer = timer
            }
        } onCancel: {
            loop.execute { self.abandon(.cancelledWait) }
        }
        return try end.get()
    }

    /// Gives the result.
    ///
    /// False when the caller has gone, so that the result can be put elsewhere.
    @discardableResult func resume(_ outcome: Outcome) -> Bool {
        guard self.outcome == nil else { return false }
        self.outcome = outcome
        onAbandon = nil
        timer?.close()
        timer = nil
        continuation?.resume(returning: outcome)
        continuation = nil
        return true
    }

    private func abandon(_ error: PostgresError) {
        let onAbandon = self.onAbandon
        if resume(.failure(error)) { onAbandon?(error) }
    }
}

extension PostgresError {
    static let cancelledWait = PostgresError(.cancelled, "the caller was cancelled")
}
