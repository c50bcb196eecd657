internal import CUV
internal import Glibc

/// An IPv4 or IPv6 address with a port.
package struct SocketAddress: Sendable, Hashable, CustomStringConvertible {
    /// The address in text, as the system writes it.
    package let ip: String
    /// The port; 0 asks the system for a free one.
    package let port: UInt16

    /// Takes a numeric address; nil when the text is none.
    package init?(ip: String, port: UInt16) {
        self.ip = ip
        self.port = port
        guard unsafe withStorage({ _, _ in true }) != nil else { return nil }
    }

    /// `127.0.0.1:8081` or `[::1]:8081`.
    package var description: String { ip.contains(":") ? "[\(ip)]:\(port)" : "\(ip):\(port)" }

    /// Reads the system's form; nil for other families.
    init?(_ address: UnsafePointer<sockaddr>) {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        switch unsafe Int32(address.pointee.sa_family) {
        case AF_INET:
            let port = unsafe address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { v4 in
                unsafe uv_ip4_name(v4, &text, text.count)
                return unsafe v4.pointee.sin_port
            }
            self.port = UInt16(bigEndian: port)
        case AF_INET6:
            let port = unsafe address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { v6 in
                unsafe uv_ip6_name(v6, &text, text.count)
                return unsafe v6.pointee.sin6_port
            }
            self.port = UInt16(bigEndian: port)
        default: return nil
        }
        let end = text.firstIndex(of: 0) ?? text.endIndex
        ip = String(decoding: text[..<end].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Lends the system's form; nil when the text is no address.
    func withStorage<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result? {
        var storage = sockaddr_storage()
        var length = socklen_t(0)
        unsafe withUnsafeMutableBytes(of: &storage) { bytes in
            guard let base = bytes.baseAddress else { return }
            if unsafe uv_ip4_addr(ip, Int32(port), base.assumingMemoryBound(to: sockaddr_in.self)) == 0 {
                length = socklen_t(MemoryLayout<sockaddr_in>.size)
            } else if unsafe uv_ip6_addr(ip, Int32(port), base.assumingMemoryBound(to: sockaddr_in6.self)) == 0 {
                length = socklen_t(MemoryLayout<sockaddr_in6>.size)
            }
        }
        guard length > 0 else { return nil }
        return unsafe withUnsafePointer(to: &storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0, length) }
        }
    }
}
