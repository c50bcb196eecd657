internal import CUV

/// A refusal of the system when a loop, handle, listener or thread was made.
package struct EventLoopError: Error, Sendable, CustomStringConvertible {
    /// The call that was refused.
    package let operation: String
    /// The system's error number, positive (`errno`).
    package let systemCode: Int32

    /// The call and the system's own words; safe to show.
    package var description: String { "\(operation): \(SystemError.text(systemCode))" }

    /// Throws when libuv answered with a (negative) error.
    static func check(_ operation: String, _ status: Int32) throws(EventLoopError) {
        if status < 0 { throw EventLoopError(operation: operation, systemCode: -status) }
    }
}

/// The words of the system for its error numbers.
enum SystemError {
    static func text(_ systemCode: Int32) -> String {
        guard let text = unsafe uv_strerror(-systemCode) else { return "error \(systemCode)" }
        return unsafe String(cString: text)
    }
}
