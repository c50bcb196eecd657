internal import CUV
internal import Glibc

extension TCPStream {
    /// Sends bytes: what the socket takes goes at once, the rest is queued in order.
    ///
    /// Cost: one system call and no copy when the socket takes everything, which is the rule.
    package func write(_ bytes: [UInt8]) {
        loop.preconditionInLoop()
        guard !isClosing, !bytes.isEmpty else { return }
        var sent = 0
        if unsentBytes == 0 {
            let status = unsafe bytes.withUnsafeBytes { buffer -> Int32 in
                var part = unsafe TCPStream.part(of: UnsafeMutableRawBufferPointer(mutating: buffer))
                return unsafe uv_try_write(asStream, &part, 1)
            }
            if status >= 0 {
                sent = Int(status)
            } else if status != UV_EAGAIN.rawValue {
                return failLater(status)
            }
        }
        if sent < bytes.count { queue(bytes[sent...]) }
    }

    /// Lets the system take at most 64 KiB ahead of what the peer's window admits.
    package func followReader() {
        loop.preconditionInLoop()
        let handle = unsafe UnsafeMutableRawPointer(tcp).assumingMemoryBound(to: uv_handle_t.self)
        var descriptor = uv_os_fd_t()
        guard !isClosing, unsafe uv_fileno(handle, &descriptor) == 0 else { return }
        var bytes: Int32 = 65_536
        unsafe setsockopt(
            descriptor, Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT, &bytes, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Half-closes after everything queued has been sent.
    package func shutdownWriting() {
        loop.preconditionInLoop()
        guard !isClosing else { return }
        let request = UnsafeMutablePointer<uv_shutdown_t>.allocate(capacity: 1)
        let status = unsafe uv_shutdown(request, asStream) { request, _ in unsafe request?.deallocate() }
        if status < 0 { unsafe request.deallocate() }
    }

    private func queue(_ bytes: ArraySlice<UInt8>) {
        let pending = unsafe PendingWrite.make(bytes, stream: self)
        var part = unsafe TCPStream.part(of: pending.pointee.bytes)
        unsentBytes += bytes.count
        let status = unsafe uv_write(&pending.pointee.request, asStream, &part, 1) { request, status in
            guard let request = unsafe request else { return }
            unsafe PendingWrite.finish(
                UnsafeMutableRawPointer(request).assumingMemoryBound(to: PendingWrite.self), status)
        }
        if status < 0 { unsafe PendingWrite.finish(pending, status) }
    }

    /// The write failed in the caller's own call; the delegate hears of it later, never inside `write`.
    private func failLater(_ status: Int32) { fail(TCPStream.writeError(status)) }

    fileprivate func finishedWriting(_ count: Int, status: Int32) {
        unsentBytes -= count
        guard status >= 0 else { return fail(TCPStream.writeError(status)) }
        if unsentBytes == 0 { delegate?.streamDrained() }
    }

    private static func writeError(_ status: Int32) -> StreamError {
        let isReset = status == UV_ECONNRESET.rawValue || status == UV_EPIPE.rawValue
        return StreamError(isReset ? .reset : .io, systemCode: -status)
    }

    private static func part(of bytes: UnsafeMutableRawBufferPointer) -> uv_buf_t {
        unsafe uv_buf_init(
            bytes.baseAddress?.assumingMemoryBound(to: CChar.self), UInt32(clamping: bytes.count))
    }
}

/// Bytes that wait for the socket, with libuv's request.
///
/// The request is the first member: one address for both.
@safe private struct PendingWrite {
    var request: uv_write_t
    let bytes: UnsafeMutableRawBufferPointer
    let stream: TCPStream

    static func make(_ bytes: ArraySlice<UInt8>, stream: TCPStream) -> UnsafeMutablePointer<PendingWrite> {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
        unsafe copy.copyBytes(from: bytes)
        let pending = UnsafeMutablePointer<PendingWrite>.allocate(capacity: 1)
        unsafe pending.initialize(to: PendingWrite(request: uv_write_t(), bytes: copy, stream: stream))
        return unsafe pending
    }

    static func finish(_ pending: UnsafeMutablePointer<PendingWrite>, _ status: Int32) {
        let stream = unsafe pending.pointee.stream
        let bytes = unsafe pending.pointee.bytes
        unsafe pending.deinitialize(count: 1)
        unsafe pending.deallocate()
        stream.finishedWriting(bytes.count, status: status)
        unsafe bytes.deallocate()
    }
}
