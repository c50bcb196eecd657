internal import CUV

/// Runs work that blocks (files, libpq's cancel) in libuv's pool, bounded so that it can never pile up.
package enum BlockingPool {
    /// How many pieces of work one loop may have outside at once.
    package static let limitPerLoop = 64

    /// The bound was reached; nothing was started.
    package struct Full: Error, Sendable {}

    /// Runs `body` on another thread and comes back to the loop.
    ///
    /// In the loop only.
    ///
    /// - Throws: `Full` at once when `limitPerLoop` pieces are under way.
    package static func run<Result: Sendable>(
        on loop: EventLoop, _ body: @escaping @Sendable () -> Result
    ) async throws(Full) -> Result {
        loop.preconditionInLoop()
        guard loop.blockingWorkInFlight < limitPerLoop else { throw Full() }
        loop.blockingWorkInFlight += 1
        let outcome = Outcome<Result>()
        let result = await withCheckedContinuation { (continuation: CheckedContinuation<Result, Never>) in
            BlockingWork(
                body: { outcome.value = body() },
                done: { if let value = outcome.value { continuation.resume(returning: value) } }
            ).start(on: loop)
        }
        loop.blockingWorkInFlight -= 1
        return result
    }

    /// What the pool's thread leaves for the loop, which libuv lets look only afterwards; hence `@unchecked Sendable`.
    private final class Outcome<Value>: @unchecked Sendable {
        var value: Value?
    }
}

/// One piece of work with libuv's request; lives from `start` until its callback on the loop.
@safe private final class BlockingWork {
    private let body: () -> Void
    private let done: () -> Void
    private let request = UnsafeMutablePointer<uv_work_t>.allocate(capacity: 1)

    init(body: @escaping () -> Void, done: @escaping () -> Void) {
        self.body = body
        self.done = done
    }

    func start(on loop: EventLoop) {
        unsafe request.pointee.data = Unmanaged.passRetained(self).toOpaque()
        // Fails only for a missing callback, which is given.
        unsafe uv_queue_work(
            loop.raw, request,
            { request in
                guard let data = unsafe request?.pointee.data else { return }
                unsafe Unmanaged<BlockingWork>.fromOpaque(data).takeUnretainedValue().body()
            },
            { request, _ in
                guard let data = unsafe request?.pointee.data else { return }
                let work = unsafe Unmanaged<BlockingWork>.fromOpaque(data).takeRetainedValue()
                unsafe work.request.deallocate()
                work.done()
            })
    }
}
