internal import Glibc

/// The descriptor that lines are written to.
///
/// It is a duplicate of the one given, so that nobody who closes or reuses that number can turn the log into another file or
/// connection. A descriptor that is closed already gives an output that refuses everything.
struct LogOutput: ~Copyable, Sendable {
    private let descriptor: Int32

    init(duplicating original: Int32) { descriptor = fcntl(original, F_DUPFD_CLOEXEC, 3) }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Writes all bytes, waiting as long as the reader makes it wait; returns how many lines were lost to an error.
    ///
    /// A broken pipe, a closed descriptor or a full disk loses this run and is no reason to stop: the next may go through.
    borrowing func write(_ run: [UInt8]) -> UInt64 {
        let written = unsafe run.withUnsafeBytes { bytes in
            var offset = 0
            while offset < bytes.count, let base = bytes.baseAddress {
                let count = unsafe Glibc.write(descriptor, base + offset, bytes.count - offset)
                if count > 0 {
                    offset += count
                } else if count < 0, errno == EAGAIN {
                    awaitRoom()
                } else if count == 0 || errno != EINTR {
                    break
                }
            }
            return offset
        }
        return run.dropFirst(written).reduce(0) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 }
    }

    /// For a descriptor in non-blocking mode.
    private borrowing func awaitRoom() {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = unsafe poll(&entry, 1, 1000)
    }
}
