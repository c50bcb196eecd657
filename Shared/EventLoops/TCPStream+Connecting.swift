internal import CUV

extension TCPStream {
    /// Connects, with Nagle's algorithm off.
    ///
    /// - Throws: `StreamError`: `refused`, `timedOut` or `connectFailed`.
    package static func connect(
        to address: SocketAddress, loop: EventLoop, timeout: Duration
    ) async throws(StreamError) -> TCPStream {
        let attempt = ConnectAttempt(stream: TCPStream(loop: loop))
        let error = await withCheckedContinuation { attempt.begin(address, timeout: timeout, continuation: $0) }
        if let error { throw error }
        return attempt.stream
    }
}

/// One connection attempt, confined to the stream's loop.
private final class ConnectAttempt {
    let stream: TCPStream
    private var timer: LoopTimer?
    private var continuation: CheckedContinuation<StreamError?, Never>?

    init(stream: TCPStream) { self.stream = stream }

    func begin(_ address: SocketAddress, timeout: Duration, continuation: CheckedContinuation<StreamError?, Never>) {
        self.continuation = continuation
        let request = UnsafeMutablePointer<uv_connect_t>.allocate(capacity: 1)
        unsafe request.pointee.data = Unmanaged.passRetained(self).toOpaque()
        let status = unsafe address.withStorage { storage, _ in
            unsafe uv_tcp_connect(request, stream.tcp, storage) { request, status in
                guard let request = unsafe request, let data = unsafe request.pointee.data else { return }
                let attempt = unsafe Unmanaged<ConnectAttempt>.fromOpaque(data).takeRetainedValue()
                unsafe request.deallocate()
                attempt.finish(status < 0 ? ConnectAttempt.error(status) : nil)
            }
        }
        if let status, status == 0 {
            let timer = LoopTimer(loop: stream.loop) { self.finish(StreamError(.timedOut)) }
            timer.schedule(after: timeout)
            self.timer = timer
        } else {
            unsafe Unmanaged.passUnretained(self).release()
            unsafe request.deallocate()
            finish(ConnectAttempt.error(status ?? UV_EINVAL.rawValue))
        }
    }

    private func finish(_ error: StreamError?) {
        timer?.close()
        timer = nil
        guard let continuation else { return }
        self.continuation = nil
        if error == nil { unsafe uv_tcp_nodelay(stream.tcp, 1) } else { stream.close() }
        continuation.resume(returning: error)
    }

    private static func error(_ status: Int32) -> StreamError {
        switch status {
        case UV_ECONNREFUSED.rawValue: StreamError(.refused, systemCode: -status)
        case UV_ETIMEDOUT.rawValue: StreamError(.timedOut, systemCode: -status)
        default: StreamError(.connectFailed, systemCode: -status)
        }
    }
}
