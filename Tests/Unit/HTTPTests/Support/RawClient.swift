import Glibc

/// A blocking socket that sends exactly the bytes it is given; each read waits at most ten seconds.
final class RawClient {
    private let descriptor: Int32
    private var isOpen = true

    struct Failure: Error { var call: String }

    init(port: UInt16, receiveBuffer: Int32? = nil) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw Failure(call: "socket") }
        if var size = receiveBuffer {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        var timeout = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        var one: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else { throw Failure(call: "connect") }
    }

    deinit { close() }

    func close() {
        guard isOpen else { return }
        isOpen = false
        Glibc.close(descriptor)
    }

    /// Closes so that the server sees a reset.
    func reset() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
        close()
    }

    func endWriting() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Sends everything, or as much as the server takes before it closes.
    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    @discardableResult
    func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    /// What comes next; empty at the end, nil on a reset or after ten seconds.
    func receive() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = buffer.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
        return count < 0 ? nil : Array(buffer[..<count])
    }

    /// Everything until the server closes; nil when it does not within ten seconds, or resets.
    func receiveAll() -> String? {
        var all: [UInt8] = []
        while let bytes = receive() {
            if bytes.isEmpty { return String(decoding: all, as: UTF8.self) }
            all += bytes
        }
        return nil
    }

    /// Reads until a text has come at the end, and returns everything so far.
    func receive(until text: String) -> String? {
        let end = Array(text.utf8)
        var all: [UInt8] = []
        while !all.suffix(end.count).elementsEqual(end) {
            guard let bytes = receive(), !bytes.isEmpty else { return nil }
            all += bytes
        }
        return String(decoding: all, as: UTF8.self)
    }
}

/// One response, taken apart just enough for a test.
struct RawResponse {
    var status: Int
    var head: String
    var body: String

    /// The value of a field, or nil.
    subscript(name: String) -> String? {
        for line in head.components(separatedBy: "\r\n") where line.lowercased().hasPrefix(name.lowercased() + ":") {
            return String(line.dropFirst(name.count + 1).drop { $0 == " " })
        }
        return nil
    }

    /// The responses in what a server sent, by `Content-Length`; `withoutBody` says which have none (HEAD).
    static func all(in text: String, withoutBody: Set<Int> = []) -> [RawResponse] {
        var responses: [RawResponse] = []
        var rest = Array(text.utf8)[...]
        while let end = firstHeadEnd(in: rest) {
            let head = String(decoding: rest[..<end], as: UTF8.self)
            rest = rest[(end + 4)...]
            var response = RawResponse(status: Int(head.split(separator: " ")[1]) ?? 0, head: head, body: "")
            let count = withoutBody.contains(responses.count) ? 0 : Int(response["Content-Length"] ?? "0") ?? 0
            response.body = String(decoding: rest.prefix(count), as: UTF8.self)
            rest = rest.dropFirst(count)
            responses.append(response)
        }
        return responses
    }

    private static func firstHeadEnd(in bytes: ArraySlice<UInt8>) -> Int? {
        guard bytes.count >= 4 else { return nil }
        return (bytes.startIndex...(bytes.endIndex - 4)).first { bytes[$0..<($0 + 4)].elementsEqual("\r\n\r\n".utf8) }
    }
}

extension String {
    fileprivate func components(separatedBy separator: String) -> [Substring] {
        var parts: [Substring] = []
        var rest = self[...]
        while let range = rest.firstRange(of: separator) {
            parts.append(rest[..<range.lowerBound])
            rest = rest[range.upperBound...]
        }
        return parts + [rest]
    }
}

/// Sleeps on the calling thread.
func pause(milliseconds: UInt32) {
    usleep(milliseconds * 1000)
}
