internal import CUV
internal import Glibc

/// Looks a host name up off the loop, in libuv's own pool.
///
/// - Returns: the addresses in the system's order, each once; a numeric address comes back as it is.
/// - Throws: `StreamError` with `resolveFailed`.
package func resolve(
    host: String, port: UInt16, loop: EventLoop
) async throws(StreamError) -> [SocketAddress] {
    if let numeric = SocketAddress(ip: host, port: port) { return [numeric] }
    let lookup = Lookup(port: port)
    let status = await withCheckedContinuation { lookup.begin(host, loop: loop, continuation: $0) }
    guard status == 0, !lookup.addresses.isEmpty else {
        throw StreamError(.resolveFailed, systemCode: status < 0 ? -status : 0)
    }
    return lookup.addresses
}

/// One lookup, confined to its loop.
private final class Lookup {
    private let port: UInt16
    private(set) var addresses: [SocketAddress] = []
    private var continuation: CheckedContinuation<Int32, Never>?

    init(port: UInt16) { self.port = port }

    func begin(_ host: String, loop: EventLoop, continuation: CheckedContinuation<Int32, Never>) {
        loop.preconditionInLoop()
        self.continuation = continuation
        let request = UnsafeMutablePointer<uv_getaddrinfo_t>.allocate(capacity: 1)
        unsafe request.pointee.data = Unmanaged.passRetained(self).toOpaque()
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        let status = unsafe uv_getaddrinfo(
            loop.raw, request,
            { request, status, found in
                guard let request = unsafe request, let data = unsafe request.pointee.data else { return }
                let lookup = unsafe Unmanaged<Lookup>.fromOpaque(data).takeRetainedValue()
                unsafe request.deallocate()
                unsafe lookup.collect(found)
                unsafe uv_freeaddrinfo(found)
                lookup.finish(status)
            }, host, nil, &hints)
        if status < 0 {
            unsafe Unmanaged.passUnretained(self).release()
            unsafe request.deallocate()
            finish(status)
        }
    }

    private func collect(_ found: UnsafeMutablePointer<addrinfo>?) {
        var next = unsafe found
        while let entry = unsafe next {
            if let raw = unsafe entry.pointee.ai_addr, let address = unsafe SocketAddress(UnsafePointer(raw)),
                let withPort = SocketAddress(ip: address.ip, port: port), !addresses.contains(withPort)
            {
                addresses.append(withPort)
            }
            unsafe next = entry.pointee.ai_next
        }
    }

    private func finish(_ status: Int32) {
        continuation?.resume(returning: status)
        continuation = nil
    }
}
