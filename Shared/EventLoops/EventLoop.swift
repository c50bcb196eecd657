internal import CUV
internal import Glibc
internal import Synchronization

/// One libuv loop on one thread, which is also a Swift executor.
///
/// A task that prefers this loop starts on its thread and is back on it after every `await`, so a request is read,
/// decided and answered without a lock or a hop between threads. State of the loop is confined to that thread: it is
/// touched only by code for which `isInLoop` holds.
///
/// A turn of the loop is: timers, ready jobs, the poll for I/O with its callbacks, ready jobs, end-of-turn hooks.
///
/// - Note: The class is `@unchecked Sendable` because everything but the inbox is confined to the thread (checked by
///   `preconditionInLoop`), and the inbox is guarded by a mutex.
@safe package final class EventLoop: TaskExecutor, SerialExecutor, @unchecked Sendable {
    /// What the thread and the logs call this loop.
    package let name: String

    // Confined to the thread.
    let raw: UnsafeMutablePointer<uv_loop_t>
    let readBuffer: UnsafeMutableRawBufferPointer
    var ready: [UnownedJob] = []
    var running: [UnownedJob] = []
    var hooks: [any EndOfTurn] = []
    var runningHooks: [any EndOfTurn] = []
    var blockingWorkInFlight = 0
    var sleepers: [ObjectIdentifier: Sleeper] = [:]
    /// How long the turn before this one took, without the poll: so long may what comes now have waited unseen.
    package private(set) var lastTurn = Duration.zero
    private let wakeHandle: UnsafeMutablePointer<uv_async_t>
    private let prepareHandle: UnsafeMutablePointer<uv_prepare_t>
    private let checkHandle: UnsafeMutablePointer<uv_check_t>

    // Shared with other threads.
    private let thread = Atomic<pthread_t>(0)
    private let inbox = Mutex(Inbox())
    private let inboxHasJobs = Atomic<Bool>(false)
    private let hasEnded = Atomic<Bool>(false)
    private let ended = Mutex<Ending>(.running([]))

    /// Jobs from other threads; none is taken once the loop has ended.
    @safe private struct Inbox {
        var jobs: [UnownedJob] = []
        var isClosed = false
    }

    private enum Ending {
        case running([CheckedContinuation<Void, Never>])
        case ended
    }

    /// Starts a loop on a thread of its own.
    ///
    /// - Parameter name: at most 15 characters are shown by the system's tools.
    /// - Throws: `EventLoopError` when the system has no descriptor or thread left.
    package static func start(name: String) throws(EventLoopError) -> EventLoop {
        let loop = try EventLoop(name: name)
        try loop.startThread()
        return loop
    }

    private init(name: String) throws(EventLoopError) {
        self.name = name
        unsafe raw = .allocate(capacity: 1)
        unsafe readBuffer = .allocate(byteCount: 64 * 1024, alignment: 16)
        unsafe wakeHandle = .allocate(capacity: 1)
        unsafe prepareHandle = .allocate(capacity: 1)
        unsafe checkHandle = .allocate(capacity: 1)
        try EventLoopError.check("uv_loop_init", unsafe uv_loop_init(raw))
        try EventLoopError.check("uv_async_init", unsafe uv_async_init(raw, wakeHandle) { _ in })
        unsafe uv_prepare_init(raw, prepareHandle)
        unsafe uv_check_init(raw, checkHandle)
        let own = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe prepareHandle.pointee.data = own
        unsafe checkHandle.pointee.data = own
        unsafe uv_prepare_start(prepareHandle) { handle in
            guard let data = unsafe handle?.pointee.data else { return }
            unsafe Unmanaged<EventLoop>.fromOpaque(data).takeUnretainedValue().turnBeforePoll()
        }
        unsafe uv_check_start(checkHandle) { handle in
            guard let data = unsafe handle?.pointee.data else { return }
            unsafe Unmanaged<EventLoop>.fromOpaque(data).takeUnretainedValue().turn()
        }
    }

    private func startThread() throws(EventLoopError) {
        // The thread keeps the loop alive until it has ended.
        let own = unsafe Unmanaged.passRetained(self)
        var started = pthread_t()
        let status = unsafe pthread_create(
            &started, nil,
            { argument in
                guard let argument = unsafe argument else { return nil }
                unsafe Unmanaged<EventLoop>.fromOpaque(argument).takeRetainedValue().runThread()
                return nil
            }, own.toOpaque())
        guard status == 0 else {
            unsafe own.release()
            throw EventLoopError(operation: "pthread_create", systemCode: status)
        }
        unsafe pthread_setname_np(started, String(name.prefix(15)))
        pthread_detach(started)
    }

    private func runThread() {
        thread.store(pthread_self(), ordering: .relaxed)
        unsafe uv_run(raw, UV_RUN_DEFAULT)
        // Nobody wakes a loop that is closed, or libuv would abort: from here on jobs go elsewhere.
        let late = inbox.withLock { inbox in
            inbox.isClosed = true
            return inbox.jobs
        }
        thread.store(0, ordering: .relaxed)
        hasEnded.store(true, ordering: .releasing)
        unsafe uv_loop_close(raw)
        for job in ready + late { Self.runElsewhere(job) }
        ready = []
        let waiting = ended.withLock { state -> [CheckedContinuation<Void, Never>] in
            guard case .running(let waiting) = state else { return [] }
            state = .ended
            return waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    deinit {
        unsafe raw.deallocate()
        unsafe readBuffer.deallocate()
        unsafe wakeHandle.deallocate()
        unsafe prepareHandle.deallocate()
        unsafe checkHandle.deallocate()
    }
}

extension EventLoop {
    /// Whether the caller runs on this loop's thread.
    ///
    /// Cost: one comparison. A thread sees what it has written itself, so it need not be ordered with anything.
    package var isInLoop: Bool { pthread_self() == thread.load(ordering: .relaxed) }

    /// Traps when the caller is not on this loop's thread, which can only be a fault of ours.
    ///
    /// What a task does after its loop has ended touches nothing that lives.
    package func preconditionInLoop() {
        precondition(
            isInLoop || isOver, "state of loop \(name) was touched from another thread")
    }

    /// Whether the loop has ended; what comes now runs elsewhere.
    var isOver: Bool { hasEnded.load(ordering: .acquiring) }

    /// The loop's monotonic clock, read once a turn.
    ///
    /// In the loop only.
    package var now: MonotonicInstant { unsafe MonotonicInstant(milliseconds: uv_now(raw)) }

    /// A monotonic clock in nanoseconds, read with each call, for measuring what takes less than a turn.
    ///
    /// Cost: one call without a switch to the kernel; a third of `ContinuousClock.now` and a difference of two of its instants.
    package var nanoseconds: UInt64 { uv_hrtime() }

    private func turnBeforePoll() {
        turn()
        // `uv_now` was read when the last poll returned.
        lastTurn = .nanoseconds(max(0, unsafe Int64(uv_hrtime()) - Int64(uv_now(raw)) * 1_000_000))
    }

    /// Closes every handle that is still open, ends the thread and returns when it has ended.
    ///
    /// Owners should have closed their streams before. Never call it from a task that runs on this loop: such a task
    /// would wait for its own end.
    package func stop() async {
        await withCheckedContinuation { continuation in
            let isRunning = ended.withLock { state -> Bool in
                guard case .running(var waiting) = state else { return false }
                waiting.append(continuation)
                state = .running(waiting)
                return true
            }
            guard isRunning else { return continuation.resume() }
            execute { self.closeHandles() }
        }
    }

    private func closeHandles() {
        for sleeper in sleepers.values { sleeper.end() }
        unsafe uv_walk(
            raw,
            { handle, _ in
                guard let handle = unsafe handle, unsafe uv_is_closing(handle) == 0 else { return }
                switch unsafe uv_handle_get_type(handle) {
                case UV_ASYNC, UV_PREPARE, UV_CHECK: unsafe uv_close(handle, nil)
                default:
                    guard let data = unsafe handle.pointee.data else { return }
                    unsafe Unmanaged<LoopHandle>.fromOpaque(data).takeUnretainedValue().close()
                }
            }, nil)
    }
}

extension EventLoop {
    /// Adds a job from another thread and wakes the loop once for all jobs that came since it last looked.
    ///
    /// A job that comes after the loop's end runs on the shared pool, so that its task can end.
    func enqueueFromOutside(_ job: UnownedJob) {
        let isTaken = inbox.withLock { inbox in
            guard !inbox.isClosed else { return false }
            inbox.jobs.append(job)
            if !inboxHasJobs.exchange(true, ordering: .acquiringAndReleasing) { wake() }
            return true
        }
        if !isTaken { Self.runElsewhere(job) }
    }

    private static func runElsewhere(_ job: UnownedJob) { globalConcurrentExecutor.enqueue(ExecutorJob(job)) }

    /// Moves what came from other threads behind the ready jobs; costs one atomic read when nothing came.
    func takeInbox() {
        guard inboxHasJobs.load(ordering: .relaxed) else { return }
        _ = inboxHasJobs.exchange(false, ordering: .acquiringAndReleasing)
        inbox.withLock { inbox in
            ready.append(contentsOf: inbox.jobs)
            inbox.jobs.removeAll(keepingCapacity: true)
        }
    }

    /// Keeps the next poll from sleeping.
    ///
    /// Callable from any thread.
    func wake() { unsafe uv_async_send(wakeHandle) }
}
