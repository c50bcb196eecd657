internal import CTLS

/// One TLS connection without I/O: bytes of the wire in, plaintext out, and what is to be sent.
///
/// `shaking` → `open` → `ended` (the peer has said that it sends no more) → nothing; each → `failed`. The owner of one
/// `SSL`; confined to one thread at a time. Cost beside the cryptography: no copy of what comes in, one allocation for
/// what goes out.
@safe final class TLSSession {
    /// Where the session stands.
    enum Phase { case shaking, open, ended, failed }

    /// What the next bytes have brought.
    enum Event: Equatable {
        /// Everything was looked at; more is needed.
        case needsMore
        /// The handshake is complete.
        case established
        /// So many bytes of plaintext lie in the buffer, at least one.
        case plaintext(Int)
        /// The peer sends no more.
        case ended
        /// The session is of no use; an alert may wait to be sent.
        case failed(TLSError)
    }

    /// The largest plaintext of one record (RFC 8446 §5.1): a buffer of this size takes each record whole.
    static let largestPlaintext = 16_384

    private(set) var phase = Phase.shaking
    private let raw: OpaquePointer
    private let wire = TLSWire()
    private var hasEndedWriting = false

    /// A session of a server, or of a client that talks to `serverName`.
    ///
    /// - Parameter serverName: a DNS name, which is also sent (SNI), or a numeric address; the server's certificate must
    ///   have it among its alternative names (RFC 9525). Nil for servers.
    init(_ context: TLSContext, serverName: String? = nil) throws(TLSError) {
        ErrorQueue.drain()
        guard let raw = unsafe SSL_new(context.raw) else { throw .library }
        unsafe self.raw = raw
        guard let bio = unsafe wire.makeBIO() else { throw .library }
        unsafe SSL_set_bio(raw, bio, bio)
        if context.isServer {
            unsafe SSL_set_accept_state(raw)
        } else {
            unsafe SSL_set_connect_state(raw)
            guard let serverName, !serverName.isEmpty, expect(serverName) else {
                ErrorQueue.drain()
                throw .library
            }
        }
    }

    deinit { unsafe SSL_free(raw) }

    /// Whether the handshake is complete and neither side has failed.
    var isOpen: Bool { phase == .open || phase == .ended }

    /// The version spoken, such as `TLSv1.3`.
    var version: String { unsafe String(cString: SSL_get_version(raw)) }

    /// Whether the session goes on from an earlier one.
    var isResumed: Bool { unsafe SSL_session_reused(raw) == 1 }

    /// Looks at bytes of the wire until they bring something.
    ///
    /// - Parameters:
    ///   - consumed: grows by what was taken; the rest is given again with the next call.
    ///   - buffer: takes plaintext, `largestPlaintext` bytes.
    func next(_ bytes: Span<UInt8>, consumed: inout Int, into buffer: UnsafeMutableRawBufferPointer) -> Event {
        guard phase == .shaking || phase == .open else { return .needsMore }
        ErrorQueue.drain()
        return unsafe bytes.extracting(consumed...).withUnsafeBytes { input in
            unsafe wire.incoming = input
            let event = unsafe phase == .shaking ? shakeHands() : read(into: buffer)
            consumed += unsafe input.count - wire.incoming.count
            unsafe wire.incoming = UnsafeRawBufferPointer(start: nil, count: 0)
            return event
        }
    }

    /// Encrypts bytes; nothing once this side has ended or the session has failed.
    ///
    /// - Returns: why it has failed; nil when all is well.
    func write(_ bytes: Span<UInt8>) -> TLSError? {
        guard isOpen, !hasEndedWriting, bytes.count > 0 else { return nil }
        ErrorQueue.drain()
        wire.outgoing.reserveCapacity(wire.outgoing.count + bytes.count + 64 * (1 + bytes.count / 16_384))
        var written = 0
        while written < bytes.count {
            let rest = bytes.extracting(written...)
            var count = 0
            let status = unsafe rest.withUnsafeBytes { unsafe SSL_write_ex(raw, $0.baseAddress, $0.count, &count) }
            // The wire takes everything, so nothing but a fault keeps a record back.
            guard status == 1, count > 0 else { return failed() }
            written += count
        }
        return nil
    }

    /// Says that this side sends no more (close_notify).
    func endWriting() {
        guard isOpen, !hasEndedWriting else { return }
        hasEndedWriting = true
        ErrorQueue.drain()
        unsafe _ = SSL_shutdown(raw)
        ErrorQueue.drain()
    }

    /// Takes what is to be sent.
    func takeOutgoing() -> [UInt8] {
        let bytes = wire.outgoing
        wire.outgoing = []
        return bytes
    }

    private func shakeHands() -> Event {
        let status = unsafe SSL_do_handshake(raw)
        if status == 1 {
            phase = .open
            return .established
        }
        return unsafe SSL_get_error(raw, status) == SSL_ERROR_WANT_READ ? .needsMore : .failed(failed())
    }

    private func read(into buffer: UnsafeMutableRawBufferPointer) -> Event {
        var count = 0
        let status = unsafe SSL_read_ex(raw, buffer.baseAddress, buffer.count, &count)
        if status == 1, count > 0 { return .plaintext(count) }
        switch unsafe SSL_get_error(raw, status) {
        case SSL_ERROR_WANT_READ: return .needsMore
        case SSL_ERROR_ZERO_RETURN:
            phase = .ended
            return .ended
        default: return .failed(failed())
        }
    }

    private func failed() -> TLSError {
        phase = .failed
        return TLSError(reason: ErrorQueue.drain(), verifyResult: unsafe SSL_get_verify_result(raw))
    }

    /// Demands that the server's certificate is for this name, and asks for the one of this name.
    private func expect(_ name: String) -> Bool {
        let rules = unsafe SSL_get0_param(raw)
        if unsafe X509_VERIFY_PARAM_set1_ip_asc(rules, name) == 1 { return true }
        ErrorQueue.drain()
        unsafe X509_VERIFY_PARAM_set_hostflags(
            rules, UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS | X509_CHECK_FLAG_NEVER_CHECK_SUBJECT))
        return unsafe X509_VERIFY_PARAM_set1_host(rules, name, 0) == 1 && stride_set_server_name(raw, name) == 1
    }
}
