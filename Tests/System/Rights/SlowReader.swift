import Glibc
import StrideTestSupport

/// A client that asks for something and reads only when it is told to.
///
/// Its socket blocks, so what it reads runs on a thread of its own.
final class SlowReader: Sendable {
    private let descriptor: Int32

    /// Connects with a small buffer and sends a request.
    init(_ call: HTTPCall, to port: UInt16) throws {
        let made = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard made >= 0 else { throw Late("no socket") }
        descriptor = made
        var (size, patience) = (Int32(4096), timeval(tv_sec: 60, tv_usec: 0))
        setsockopt(made, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        setsockopt(made, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(made, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else { throw Late("no connection") }
        let bytes = call.bytes
        guard bytes.withUnsafeBytes({ send(made, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }) == bytes.count else {
            throw Late("not sent")
        }
    }

    deinit { Glibc.close(descriptor) }

    /// Ends the connection.
    func leave() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// Reads some bytes; nil at the end or after a reset.
    func some() async -> [UInt8]? {
        let descriptor = descriptor
        return await Task.detached {
            var buffer = [UInt8](repeating: 0, count: 65_536)
            let count = buffer.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
            return count > 0 ? Array(buffer[..<count]) : nil
        }.value
    }

    /// Reads until the end or a reset.
    func rest() async -> String {
        var all: [UInt8] = []
        while let bytes = await some() { all += bytes }
        return String(decoding: all, as: UTF8.self)
    }
}
