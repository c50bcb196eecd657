import Glibc

/// A port of this machine that is kept for one process under test, over its restarts.
///
/// The socket is bound but does not listen, so nobody else is given the port and no connection ever comes to it; the
/// services listen with `SO_REUSEPORT`, nginx with `SO_REUSEADDR`, and both are let in beside it.
package final class FreePort: Sendable {
    /// The port.
    package let number: UInt16
    private let descriptor: Int32

    /// Takes a port.
    package init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let status = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, length) == 0 ? getsockname(descriptor, address, &length) : -1
            }
        }
        number = UInt16(bigEndian: address.sin_port)
        guard status == 0 else {
            close(descriptor)
            throw TestRun.Missing(description: "no free port (error \(errno))")
        }
        var one: Int32 = 1
        for option in [SO_REUSEPORT, SO_REUSEADDR] {
            setsockopt(descriptor, SOL_SOCKET, option, &one, socklen_t(MemoryLayout<Int32>.size))
        }
    }

    deinit { close(descriptor) }

    /// Accepts connections that nobody will ever answer.
    package func listenInSilence() { listen(descriptor, 16) }

    /// A port for a server that does not share: nobody listens there now, and the range is below that of outgoing calls.
    package static func likely() throws -> UInt16 {
        for _ in 0..<100 {
            let port = UInt16.random(in: 20_000..<32_000)
            if isFree(port) { return port }
        }
        throw TestRun.Missing(description: "no free port")
    }

    private static func isFree(_ port: UInt16) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}
