import EventLoops

@testable import HTTP

/// A stream without a socket: a test says what comes, when what was written leaves, and reads what was written.
///
/// Confined to its loop.
final class MemoryStream: ByteStream {
    let loop: EventLoop
    var delegate: (any ByteStreamDelegate)?
    private(set) var written: [UInt8] = []
    private(set) var unsentBytes = 0
    private(set) var isPaused = true
    private(set) var isClosed = false
    /// Whether what is written stays unsent until ``flush()``.
    var holdsBack = false

    init(loop: EventLoop) { self.loop = loop }

    func write(_ bytes: [UInt8]) {
        guard !isClosed else { return }
        written += bytes
        if holdsBack { unsentBytes += bytes.count }
    }

    /// Everything unsent leaves.
    func flush() {
        guard unsentBytes > 0, !isClosed else { return }
        unsentBytes = 0
        delegate?.streamDrained()
    }

    func pauseReading() { isPaused = true }
    func resumeReading() { isPaused = false }
    func followReader() {}
    func shutdownWriting() {}
    func close() { isClosed = true }
    func reset() { isClosed = true }
}
