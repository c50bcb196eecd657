internal import CUV

/// A one-shot timer on a loop.
///
/// In the loop only; must be closed before it is dropped.
///
/// Cost: scheduling is a heap operation of libuv, about 0.1 µs; a deadline that moves often is better kept as a value
/// and looked at when the timer fires.
@safe package final class LoopTimer: LoopHandle {
    private let onFire: () -> Void
    private let timer: UnsafeMutablePointer<uv_timer_t>

    /// Makes a timer that is not scheduled yet.
    package init(loop: EventLoop, onFire: @escaping () -> Void) {
        self.onFire = onFire
        unsafe timer = .allocate(capacity: 1)
        unsafe uv_timer_init(loop.raw, timer)
        unsafe super.init(loop: loop, adopting: UnsafeMutableRawPointer(timer))
    }

    /// Fires once after the given time, rounded up to a millisecond; a running schedule is replaced.
    package func schedule(after delay: Duration) {
        loop.preconditionInLoop()
        guard !isClosing else { return }
        unsafe uv_timer_start(
            timer,
            { handle in
                unsafe LoopHandle.object(of: handle?.pointee.data, as: LoopTimer.self)?.onFire()
            }, UInt64(max(0, delay.wholeMilliseconds)), 0)
    }

    /// Takes the schedule back; the timer may be scheduled again.
    package func cancel() {
        loop.preconditionInLoop()
        guard !isClosing else { return }
        unsafe uv_timer_stop(timer)
    }
}

extension EventLoop {
    /// Suspends the calling task without blocking the loop.
    ///
    /// Returns at once when the loop has ended or ends meanwhile.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    package func sleep(for duration: Duration) async throws(CancellationError) {
        let sleeper = Sleeper(loop: self)
        await withTaskCancellationHandler {
            await withCheckedContinuation { sleeper.begin(duration, continuation: $0) }
        } onCancel: {
            execute { sleeper.end() }
        }
        if Task.isCancelled { throw CancellationError() }
    }
}

/// One sleeping task.
///
/// Confined to its loop: both entries are called there, which `LoopTimer` checks.
final class Sleeper: @unchecked Sendable {
    private let loop: EventLoop
    private var timer: LoopTimer?
    private var continuation: CheckedContinuation<Void, Never>?
    private var hasEnded = false

    init(loop: EventLoop) { self.loop = loop }

    func begin(_ duration: Duration, continuation: CheckedContinuation<Void, Never>) {
        guard !loop.isOver else { return continuation.resume() }
        guard loop.isInLoop else {
            return loop.execute { self.begin(duration, continuation: continuation) }
        }
        guard !hasEnded else { return continuation.resume() }
        self.continuation = continuation
        loop.sleepers[ObjectIdentifier(self)] = self
        let timer = LoopTimer(loop: loop) { self.end() }
        timer.schedule(after: duration)
        self.timer = timer
    }

    func end() {
        hasEnded = true
        if loop.isInLoop { loop.sleepers[ObjectIdentifier(self)] = nil }
        timer?.close()
        timer = nil
        continuation?.resume()
        continuation = nil
    }
}
