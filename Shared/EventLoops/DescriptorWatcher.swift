internal import CUV

/// Tells when a descriptor that another library owns can be read or written.
///
/// In the loop only.
///
/// Close the watcher before the owner closes the descriptor.
@safe package final class DescriptorWatcher: LoopHandle {
    /// What to wait for, and what has come true.
    package struct Interest: OptionSet, Sendable {
        /// The bits.
        package let rawValue: Int32
        /// From bits.
        package init(rawValue: Int32) { self.rawValue = rawValue }
        /// There is something to read, or the end.
        package static let readable = Interest(rawValue: 1)
        /// There is room to write.
        package static let writable = Interest(rawValue: 2)
    }

    private let poll: UnsafeMutablePointer<uv_poll_t>
    private var onReady: (Interest) -> Void = { _ in }
    private var interest: Interest = []

    /// Makes a watcher that waits for nothing yet.
    ///
    /// - Throws: `EventLoopError` when the descriptor cannot be polled.
    package init(loop: EventLoop, descriptor: Int32) throws(EventLoopError) {
        unsafe poll = .allocate(capacity: 1)
        let status = unsafe uv_poll_init(loop.raw, poll, descriptor)
        guard status == 0 else {
            unsafe poll.deallocate()
            throw EventLoopError(operation: "uv_poll_init", systemCode: -status)
        }
        unsafe super.init(loop: loop, adopting: UnsafeMutableRawPointer(poll))
    }

    /// Replaces the interest; an empty one pauses the watcher.
    ///
    /// An error on the descriptor is reported as whatever was asked for: the owner's next call finds it.
    package func watch(_ interest: Interest, onReady: @escaping (Interest) -> Void) {
        loop.preconditionInLoop()
        guard !isClosing else { return }
        self.onReady = onReady
        watch(interest)
    }

    /// Replaces the interest and keeps the callback.
    package func watch(_ interest: Interest) {
        guard !isClosing, interest != self.interest else { return }
        self.interest = interest
        guard !interest.isEmpty else {
            unsafe uv_poll_stop(poll)
            return
        }
        unsafe uv_poll_start(poll, interest.rawValue) { handle, status, events in
            guard let watcher = unsafe LoopHandle.object(of: handle?.pointee.data, as: DescriptorWatcher.self)
            else { return }
            watcher.onReady(status < 0 ? watcher.interest : Interest(rawValue: events & 3))
        }
    }

    override func didClose() { onReady = { _ in } }
}
