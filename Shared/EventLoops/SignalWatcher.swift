internal import CUV
internal import Glibc

/// Calls back on the loop when the process gets a signal.
///
/// In the loop only.
package final class SignalWatcher: LoopHandle {
    private let onSignal: () -> Void

    /// Watches one signal number (`SIGTERM`, `SIGHUP` …), which then no longer has its default effect.
    ///
    /// - Throws: `EventLoopError` when the signal cannot be watched.
    package init(loop: EventLoop, signal: Int32, onSignal: @escaping () -> Void) throws(EventLoopError) {
        self.onSignal = onSignal
        let handle = UnsafeMutablePointer<uv_signal_t>.allocate(capacity: 1)
        unsafe uv_signal_init(loop.raw, handle)
        unsafe super.init(loop: loop, adopting: UnsafeMutableRawPointer(handle))
        let status = unsafe uv_signal_start(
            handle,
            { handle, _ in
                unsafe LoopHandle.object(of: handle?.pointee.data, as: SignalWatcher.self)?.onSignal()
            }, signal)
        guard status == 0 else {
            close()
            throw EventLoopError(operation: "uv_signal_start", systemCode: -status)
        }
    }

    /// Makes writes to closed pipes and sockets answer `EPIPE` in place of ending the process.
    ///
    /// Call first in `main`.
    package static func ignoreBrokenPipes() { _ = signal(SIGPIPE, SIG_IGN) }
}
