import EventLoops
import Glibc

/// One call and the moment at which it was due, in nanoseconds of the monotonic clock.
struct LoadCall {
    let bytes: [UInt8]
    let due: UInt64
    /// It was refused before and comes back.
    let isRepeat: Bool
}

/// A keep-alive connection with one call under way at most.
///
/// Confined to its loop, hence `@unchecked Sendable`.
final class LoadConnection: ByteStreamDelegate, @unchecked Sendable {
    private let stream: TCPStream
    private var call: LoadCall?
    private var answer: [UInt8] = []
    /// An answer has come: its status, and how long to wait if it says so.
    var onAnswer: (LoadConnection, LoadCall, _ status: Int, _ wait: Int?) -> Void = { _, _, _, _ in }
    /// The connection is gone; the call that was under way was not answered.
    var onEnd: (LoadConnection, LoadCall?) -> Void = { _, _ in }

    init(_ stream: TCPStream) {
        self.stream = stream
        stream.delegate = self
        stream.resumeReading()
    }

    func send(_ call: LoadCall) {
        self.call = call
        stream.write(call.bytes)
    }

    func close() {
        onEnd = { _, _ in }
        stream.close()
    }

    func streamReceived(_ bytes: Span<UInt8>) {
        answer.reserveCapacity(answer.count + bytes.count)
        for index in bytes.indices { answer.append(bytes[index]) }
        guard let head = Self.find("\r\n\r\n", in: answer, from: 0), let call else { return }
        let length = Self.number(after: "ontent-Length: ", in: answer, until: head) ?? 0
        guard answer.count >= head + 4 + length else { return }
        let status = answer[9..<12].reduce(0) { $0 * 10 + Int($1) - 48 }
        let wait = status < 400 ? nil : Self.number(after: "\"retry_after_ms\":", in: answer, until: answer.count)
        answer.removeAll(keepingCapacity: true)
        self.call = nil
        onAnswer(self, call, status, wait)
    }

    func streamReceivedEnd() { stream.close() }
    func streamDrained() {}
    func streamClosed(_ error: StreamError?) {
        onEnd(self, call)
        onEnd = { _, _ in }
        onAnswer = { _, _, _, _ in }
    }

    private static func find(_ text: StaticString, in bytes: [UInt8], from start: Int) -> Int? {
        text.withUTF8Buffer { word in
            bytes.withUnsafeBufferPointer { bytes in
                guard let first = bytes.baseAddress, let sought = word.baseAddress else { return nil }
                var place = start
                while place + word.count <= bytes.count {
                    if bytes[place] == word[0], memcmp(first + place, sought, word.count) == 0 {
                        return place
                    }
                    place += 1
                }
                return nil
            }
        }
    }

    private static func number(after name: StaticString, in bytes: [UInt8], until end: Int) -> Int? {
        guard let place = find(name, in: bytes, from: 0), place < end else { return nil }
        let digits = bytes[(place + name.utf8CodeUnitCount)...].prefix { $0 >= 48 && $0 <= 57 }
        return digits.isEmpty ? nil : digits.reduce(0) { $0 * 10 + Int($1) - 48 }
    }
}
