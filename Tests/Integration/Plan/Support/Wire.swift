import Glibc
import Models

/// One call to a service, and its answer.
struct Answer: Sendable {
    let status: Int
    let head: [String]
    let body: [UInt8]

    /// The value of a field, or nil.
    subscript(name: String) -> String? {
        let prefix = name.lowercased() + ":"
        return head.first { $0.lowercased().hasPrefix(prefix) }.map {
            String($0.dropFirst(prefix.count).drop { $0 == " " })
        }
    }

    var text: String { String(decoding: body, as: UTF8.self) }
    /// The document; null when the body is none.
    var json: JSONValue { (try? JSONValue.parse(body)) ?? .null }
    /// A member that is a string.
    func string(_ name: String) -> String? { json[member: name]?.string }
    /// The problem's word.
    var code: String? { string("code") }
    /// Where the faults are.
    var pointers: [String] { json[member: "errors"]?.elements.compactMap { $0[member: "pointer"]?.string } ?? [] }
}

extension JSONValue {
    var string: String? { if case .string(let text) = self { text } else { nil } }
    var integer: Int64? { if case .number(let number) = self { number.exactInteger } else { nil } }
    var elements: [JSONValue] { if case .array(let elements) = self { elements } else { [] } }
}

/// Calls over sockets, each on a connection of its own; all are sent before the first answer is read.
enum Wire {
    struct Failure: Error { let call: String }

    /// The bytes of a call.
    static func request(_ method: String, _ path: String, fields: [String], body: String?) -> [UInt8] {
        var text = "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        for field in fields { text += field + "\r\n" }
        if let body { text += "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n" }
        return Array((text + "\r\n" + (body ?? "")).utf8)
    }

    /// Sends all, then reads all.
    static func exchange(_ requests: [[UInt8]], port: UInt16) throws -> [Answer] {
        let sockets = try requests.map { _ in try connect(port) }
        defer { for socket in sockets { close(socket) } }
        for (socket, request) in zip(sockets, requests) { try send(request, to: socket) }
        return try sockets.map { try answer(try receiveAll(from: $0)) }
    }

    private static func connect(_ port: UInt16) throws -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw Failure(call: "socket") }
        var timeout = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else { throw Failure(call: "connect") }
        return descriptor
    }

    private static func send(_ bytes: [UInt8], to socket: Int32) throws {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw Failure(call: "send") }
            sent += count
        }
    }

    private static func receiveAll(from socket: Int32) throws -> [UInt8] {
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = buffer.withUnsafeMutableBytes { recv(socket, $0.baseAddress, $0.count, 0) }
            guard count >= 0 else { throw Failure(call: "recv") }
            guard count > 0 else { return all }
            all += buffer[..<count]
        }
    }

    private static func answer(_ bytes: [UInt8]) throws -> Answer {
        let end = (0...max(0, bytes.count - 4)).first { bytes[$0...].starts(with: "\r\n\r\n".utf8) }
        guard let end else { throw Failure(call: "an answer without an end of its head") }
        let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n").map(String.init)
        guard let status = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
            throw Failure(call: "an answer without a status")
        }
        return Answer(status: status, head: Array(lines.dropFirst()), body: Array(bytes[(end + 4)...]))
    }
}
