internal import CUV
internal import Glibc

/// A listening socket of one loop; several loops and processes may listen on the same port (`SO_REUSEPORT`).
///
/// When the process has no descriptor left, accepting pauses for 100 ms and goes on by itself; who waits stays in the
/// system's backlog.
package final class TCPListener {
    /// The bound address, with the real port when 0 was asked for.
    package let localAddress: SocketAddress

    private let loop: EventLoop
    private let descriptor: Int32
    private let watcher: DescriptorWatcher
    private var retry: LoopTimer?
    private let onAccept: (TCPStream) -> Void
    private var isPaused = false
    private var isClosed = false

    /// Binds and listens.
    ///
    /// In the loop only.
    ///
    /// - Throws: `EventLoopError` with the system's words, such as "address already in use".
    package init(
        loop: EventLoop, address: SocketAddress, backlog: Int32 = 1024, onAccept: @escaping (TCPStream) -> Void
    ) throws(EventLoopError) {
        loop.preconditionInLoop()
        self.loop = loop
        self.onAccept = onAccept
        (descriptor, localAddress) = try TCPListener.listen(on: address, backlog: backlog)
        watcher = try DescriptorWatcher(loop: loop, descriptor: descriptor)
        watcher.watch(.readable) { [weak self] _ in self?.acceptWaiting() }
    }

    /// Leaves new connections in the system's backlog.
    package func pauseAccepting() {
        isPaused = true
        watcher.watch([])
    }

    /// Accepts again.
    package func resumeAccepting() {
        guard !isClosed else { return }
        isPaused = false
        watcher.watch(.readable)
    }

    /// Stops listening; connections already accepted live on.
    ///
    /// Those that wait in the system's backlog are accepted first, because closing the socket would reset them.
    package func close() {
        guard !isClosed else { return }
        for _ in 0..<Self.lastRounds where acceptWaiting() {}
        isClosed = true
        retry?.close()
        watcher.close()
        Glibc.close(descriptor)
    }

    /// At the close: rounds of 64, so that a flood ends too.
    private static let lastRounds = 64

    /// Accepts what waits, at most 64 at once so that other sockets get their turn; says whether more may wait.
    @discardableResult
    private func acceptWaiting() -> Bool {
        for _ in 0..<64 where !isPaused && !isClosed {
            let connection = accept4(descriptor, nil, nil, Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue))
            guard connection >= 0 else {
                let code = errno
                if code == EMFILE || code == ENFILE || code == ENOMEM || code == ENOBUFS { backOff() }
                return false
            }
            if let stream = try? TCPStream(loop: loop, descriptor: connection) { onAccept(stream) }
        }
        return !isPaused
    }

    private func backOff() {
        watcher.watch([])
        let timer =
            retry
            ?? LoopTimer(loop: loop) { [weak self] in
                guard let self, !isPaused, !isClosed else { return }
                watcher.watch(.readable)
            }
        retry = timer
        timer.schedule(after: .milliseconds(100))
    }

    private static func listen(
        on address: SocketAddress, backlog: Int32
    ) throws(EventLoopError) -> (Int32, SocketAddress) {
        let family = address.ip.contains(":") ? AF_INET6 : AF_INET
        let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = socket(family, type, 0)
        guard descriptor >= 0 else { throw EventLoopError(operation: "socket", systemCode: errno) }
        var one: Int32 = 1
        let size = socklen_t(MemoryLayout<Int32>.size)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, size)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEPORT, &one, size)
        let status = unsafe address.withStorage { unsafe bind(descriptor, $0, $1) }
        guard status == 0, Glibc.listen(descriptor, backlog) == 0 else {
            let code = errno
            Glibc.close(descriptor)
            throw EventLoopError(operation: "listen on \(address)", systemCode: code)
        }
        return (descriptor, boundAddress(of: descriptor) ?? address)
    }

    private static func boundAddress(of descriptor: Int32) -> SocketAddress? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return unsafe withUnsafeMutablePointer(to: &storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe getsockname(descriptor, address, &length) == 0 ? SocketAddress(UnsafePointer(address)) : nil
            }
        }
    }
}
