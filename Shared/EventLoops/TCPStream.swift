internal import CUV
internal import Glibc

/// A TCP connection on one loop.
///
/// Reading goes through the loop's shared buffer, so an idle connection holds no buffer of its own.
@safe package final class TCPStream: LoopHandle, ByteStream {
    /// Who is told; kept alive until the stream is closed.
    package var delegate: (any ByteStreamDelegate)?
    /// Bytes accepted by `write` that the socket has not taken yet.
    package internal(set) var unsentBytes = 0

    let tcp: UnsafeMutablePointer<uv_tcp_t>
    var isReading = false
    /// Why the stream is being closed, when it is not this side's wish.
    private var failure: StreamError?

    var asStream: UnsafeMutablePointer<uv_stream_t> {
        unsafe UnsafeMutableRawPointer(tcp).assumingMemoryBound(to: uv_stream_t.self)
    }

    init(loop: EventLoop) {
        unsafe tcp = .allocate(capacity: 1)
        unsafe uv_tcp_init(loop.raw, tcp)
        unsafe super.init(loop: loop, adopting: UnsafeMutableRawPointer(tcp))
    }

    /// Takes over a connected socket; on failure the socket is closed.
    init(loop: EventLoop, descriptor: Int32) throws(EventLoopError) {
        unsafe tcp = .allocate(capacity: 1)
        unsafe uv_tcp_init(loop.raw, tcp)
        let status = unsafe uv_tcp_open(tcp, descriptor)
        unsafe super.init(loop: loop, adopting: UnsafeMutableRawPointer(tcp))
        guard status == 0 else {
            Glibc.close(descriptor)
            close()
            throw EventLoopError(operation: "uv_tcp_open", systemCode: -status)
        }
        unsafe uv_tcp_nodelay(tcp, 1)
    }

    /// The peer's address; nil once the connection is gone.
    package var peerAddress: SocketAddress? {
        guard !isClosing else { return nil }
        return unsafe TCPStream.address(of: tcp, by: uv_tcp_getpeername)
    }

    /// Closes with a reset, so that the peer sees an error in place of an end.
    package func reset() {
        guard beginClosing() else { return }
        unsafe uv_tcp_close_reset(tcp, LoopHandle.finish)
    }

    /// Closes because of a failure, which the delegate is told.
    func fail(_ error: StreamError) {
        if failure == nil, !isClosing { failure = error }
        close()
    }

    override func didClose() {
        let delegate = self.delegate
        self.delegate = nil
        delegate?.streamClosed(failure)
    }

    static func address(
        of tcp: UnsafePointer<uv_tcp_t>,
        by ask: (UnsafePointer<uv_tcp_t>?, UnsafeMutablePointer<sockaddr>?, UnsafeMutablePointer<Int32>?) -> Int32
    ) -> SocketAddress? {
        var storage = sockaddr_storage()
        var length = Int32(MemoryLayout<sockaddr_storage>.size)
        return unsafe withUnsafeMutablePointer(to: &storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe ask(tcp, address, &length) == 0 ? SocketAddress(UnsafePointer(address)) : nil
            }
        }
    }
}

extension TCPStream {
    /// Reads; a new stream reads only after this.
    package func resumeReading() {
        loop.preconditionInLoop()
        guard !isReading, !isClosing else { return }
        isReading = true
        unsafe uv_read_start(
            asStream,
            { handle, _, buffer in
                guard let stream = unsafe LoopHandle.object(of: handle?.pointee.data, as: TCPStream.self) else {
                    return
                }
                let shared = unsafe stream.loop.readBuffer
                unsafe buffer?.pointee = unsafe uv_buf_init(
                    shared.baseAddress?.assumingMemoryBound(to: CChar.self), UInt32(shared.count))
            },
            { handle, count, _ in
                unsafe LoopHandle.object(of: handle?.pointee.data, as: TCPStream.self)?.received(count)
            })
    }

    /// Stops reading, so that the peer is held back by its window.
    package func pauseReading() {
        loop.preconditionInLoop()
        guard isReading, !isClosing else { return }
        isReading = false
        unsafe uv_read_stop(asStream)
    }

    private func received(_ count: Int) {
        if count > 0 {
            let bytes = unsafe UnsafeRawBufferPointer(rebasing: loop.readBuffer[..<count])
            let span = unsafe Span<UInt8>(_unsafeBytes: bytes)
            delegate?.streamReceived(span)
        } else if count == Int(UV_EOF.rawValue) {
            pauseReading()
            delegate?.streamReceivedEnd()
        } else if count < 0 {
            let isReset = count == Int(UV_ECONNRESET.rawValue)
            fail(StreamError(isReset ? .reset : .io, systemCode: Int32(-count)))
        }
    }
}
