import EventLoops
import Testing

/// An answer as it came over the socket.
struct Answer: Sendable {
    let status: Int
    let head: String
    let body: String

    /// The value of a field, or nil.
    subscript(name: String) -> String? {
        for line in head.split(separator: "\r\n") where line.lowercased().hasPrefix(name.lowercased() + ":") {
            return String(line.dropFirst(name.count + 1).drop { $0 == " " })
        }
        return nil
    }

    /// Where the answer says that it came from.
    var source: String? { self["X-Stride-Source"] }
    /// The stable word of a problem.
    var code: String? { member("code") }
    /// Why a client is to wait.
    var reason: String? { member("reason") }

    /// The text member of that name that comes first.
    func member(_ name: String) -> String? {
        guard let start = body.firstRange(of: "\"\(name)\":\"")?.upperBound else { return nil }
        return String(body[start...].prefix { $0 != "\"" })
    }
}

/// One request over a connection of its own, which the server closes after its answer.
///
/// Confined to its loop, hence `@unchecked Sendable`.
final class Call: ByteStreamDelegate, @unchecked Sendable {
    private var received: [UInt8] = []
    private var isOver = false
    private var waiter: CheckedContinuation<Void, Never>?

    static func send(_ request: String, to port: UInt16, on loop: EventLoop) async throws -> Answer {
        let address = try #require(SocketAddress(ip: "127.0.0.1", port: port))
        let stream = try await TCPStream.connect(to: address, loop: loop, timeout: .seconds(20))
        let call = Call()
        stream.delegate = call
        stream.resumeReading()
        stream.write(Array(request.utf8))
        let timer = LoopTimer(loop: loop) { stream.reset() }
        timer.schedule(after: .seconds(60))
        if !call.isOver { await withCheckedContinuation { call.waiter = $0 } }
        timer.close()
        stream.close()
        let text = String(decoding: call.received, as: UTF8.self)
        let end = try #require(text.firstRange(of: "\r\n\r\n"), "no answer to \(request)")
        return Answer(
            status: Int(text.split(separator: " ")[1]) ?? 0, head: String(text[..<end.lowerBound]),
            body: String(text[end.upperBound...]))
    }

    private func finish() {
        isOver = true
        waiter?.resume()
        waiter = nil
    }

    func streamReceived(_ bytes: Span<UInt8>) { for index in bytes.indices { received.append(bytes[index]) } }
    func streamReceivedEnd() { finish() }
    func streamDrained() {}
    func streamClosed(_ error: StreamError?) { finish() }
}
