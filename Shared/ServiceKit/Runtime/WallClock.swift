internal import Glibc
package import Models

/// The server's idea of now.
///
/// `STRIDE_TEST_NOW` fixes it, so that a test can stand on any day; a production service refuses to start with it.
package struct WallClock: Sendable {
    private let fixed: Timestamp?

    /// The system's clock, or one that stands still.
    package init(fixed: Timestamp? = nil) { self.fixed = fixed }

    /// The current instant.
    ///
    /// Cost: one call without a switch to the kernel.
    package var now: Timestamp {
        if let fixed { return fixed }
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }
}
