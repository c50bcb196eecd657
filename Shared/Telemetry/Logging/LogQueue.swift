internal import Glibc

/// The lines that wait for the writing thread: bounded, and never a wait for those who log.
///
/// Lines are kept as one run of bytes; the writer takes the whole run at once. When a line would go over the bound it is refused.
///
/// `@unchecked Sendable`: the mutable state is touched only with `mutex` held; mutex and conditions have a fixed address
/// for the object's life.
@safe final class LogQueue: @unchecked Sendable {
    private let capacity: Int
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let changed: UnsafeMutablePointer<pthread_cond_t>
    private var pending: [UInt8] = []
    private var isWriting = false
    private var isClosed = false
    private var isFinished = false

    init(capacity: Int) {
        self.capacity = capacity
        unsafe mutex = .allocate(capacity: 1)
        unsafe changed = .allocate(capacity: 1)
        unsafe pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        unsafe pthread_condattr_init(&attributes)
        unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        unsafe pthread_cond_init(changed, &attributes)
        unsafe pthread_condattr_destroy(&attributes)
    }

    deinit {
        unsafe pthread_cond_destroy(changed)
        unsafe pthread_mutex_destroy(mutex)
        unsafe changed.deallocate()
        unsafe mutex.deallocate()
    }

    /// Adds a line, or says no: the queue is full or closed.
    func append(_ line: [UInt8]) -> Bool {
        locked {
            guard !isClosed, pending.count + line.count <= capacity else { return false }
            let wasEmpty = pending.isEmpty
            pending.append(contentsOf: line)
            if wasEmpty { unsafe pthread_cond_broadcast(changed) }
            return true
        }
    }

    /// What the writer does next.
    enum Next: Equatable {
        case write([UInt8])
        /// Nothing came within the time given.
        case idle
        /// Closed and empty.
        case end
    }

    /// Waits for lines; called by the writer, which by calling it says that the last run is written.
    func next(within limit: Duration) -> Next {
        locked {
            isWriting = false
            unsafe pthread_cond_broadcast(changed)
            let deadline = Self.deadline(after: limit)
            while pending.isEmpty {
                if isClosed { return .end }
                if !wait(until: deadline) { return .idle }
            }
            isWriting = true
            var run: [UInt8] = []
            swap(&run, &pending)
            return .write(run)
        }
    }

    /// Takes no more lines; the writer ends when it has written what is there.
    func close() {
        locked {
            isClosed = true
            unsafe pthread_cond_broadcast(changed)
        }
    }

    /// The writer is through.
    func finish() {
        locked {
            isFinished = true
            isWriting = false
            unsafe pthread_cond_broadcast(changed)
        }
    }

    /// Waits until everything is written, or the time is over; says which.
    func waitUntilWritten(within limit: Duration) -> Bool {
        waitUntil(within: limit) { pending.isEmpty && !isWriting }
    }

    /// Waits until the writer has ended, or the time is over; says which.
    func waitUntilFinished(within limit: Duration) -> Bool { waitUntil(within: limit) { isFinished } }

    private func waitUntil(within limit: Duration, _ condition: () -> Bool) -> Bool {
        locked {
            let deadline = Self.deadline(after: limit)
            while !condition() {
                if !wait(until: deadline) { return condition() }
            }
            return true
        }
    }

    private func locked<Result>(_ body: () -> Result) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return body()
    }

    /// False when the deadline has passed.
    private func wait(until deadline: timespec) -> Bool {
        var deadline = deadline
        return unsafe pthread_cond_timedwait(changed, mutex, &deadline) != ETIMEDOUT
    }

    private static func deadline(after limit: Duration) -> timespec {
        var now = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &now)
        let (seconds, attoseconds) = max(limit, .zero).components
        let nanoseconds = now.tv_nsec + Int(attoseconds / 1_000_000_000)
        return timespec(
            tv_sec: now.tv_sec + Int(min(seconds, 1 << 30)) + nanoseconds / 1_000_000_000,
            tv_nsec: nanoseconds % 1_000_000_000)
    }
}
