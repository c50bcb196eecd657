internal import COpenSSL

/// A call into OpenSSL that did not succeed.
///
/// The library refuses only when memory is short or a provider lacks the algorithm, so a caller fails the one request
/// it serves; it never retries. `description` names the operation and is safe to show; the library's own words stand in
/// `debugDescription`.
package struct CryptographyError: Error, Sendable, CustomStringConvertible, CustomDebugStringConvertible {
    /// What was being done.
    package enum Operation: String, Sendable {
        case digest
        case authenticationCode = "authentication code"
        case signatureCheck = "signature check"
    }

    /// The operation that failed.
    package let operation: Operation
    /// The first entry of OpenSSL's error queue, 0 when the library gave no reason.
    package let libraryCode: UInt

    package var description: String { "the \(operation.rawValue) could not be computed" }

    package var debugDescription: String {
        "\(description) (OpenSSL error 0x\(String(libraryCode, radix: 16)))"
    }
}

/// OpenSSL's per-thread error queue.
///
/// Entries left behind by one call would be read as the outcome of a later one, so each call starts with an empty queue
/// and leaves it empty. Looking costs about 25 ns, clearing six times that, so the queue is cleared only when it holds something.
enum ErrorQueue {
    /// Runs one call that answers 1 on success and turns anything else into an error, with the queue drained on both sides.
    @inline(__always)
    static func drained(_ operation: CryptographyError.Operation, _ call: () -> Int32) throws(CryptographyError) {
        drain()
        let outcome = call()
        let code = drain()
        if outcome != 1 { throw CryptographyError(operation: operation, libraryCode: code) }
    }

    /// Empties the queue and returns its oldest entry, 0 when there was none.
    @discardableResult
    static func drain() -> UInt {
        let code = ERR_peek_error()
        if code != 0 { ERR_clear_error() }
        return UInt(code)
    }
}
