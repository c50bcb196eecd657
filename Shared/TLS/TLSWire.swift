internal import CTLS

/// The wire of one session, as OpenSSL sees it: what has come for the length of one call, and what is to be sent.
///
/// A BIO of our own over memory rather than OpenSSL's, which would copy everything once more and keep the largest size
/// that it ever had: this one holds nothing while a connection is idle. Confined to its session.
@safe final class TLSWire {
    /// What has come; valid during one call of the session.
    var incoming = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
    /// What is to be sent.
    var outgoing: [UInt8] = []

    /// Makes the BIO; the caller hands it to a session that lives no longer than this object.
    func makeBIO() -> OpaquePointer? {
        guard let method = unsafe TLSWire.method.pointer, let bio = unsafe BIO_new(method) else { return nil }
        unsafe BIO_set_data(bio, Unmanaged.passUnretained(self).toOpaque())
        return unsafe bio
    }

    private func read(into buffer: UnsafeMutablePointer<CChar>, count: Int) -> Int {
        let taken = unsafe min(count, incoming.count)
        guard taken > 0, let base = unsafe incoming.baseAddress else { return 0 }
        unsafe UnsafeMutableRawPointer(buffer).copyMemory(from: base, byteCount: taken)
        unsafe incoming = UnsafeRawBufferPointer(rebasing: incoming[taken...])
        return taken
    }

    private static func wire(of bio: OpaquePointer?) -> TLSWire? {
        guard let data = unsafe BIO_get_data(bio) else { return nil }
        return unsafe Unmanaged<TLSWire>.fromOpaque(data).takeUnretainedValue()
    }

    /// - Note: `@unchecked Sendable`: made once, then only read; lives as long as the process.
    @safe private struct Method: @unchecked Sendable {
        let pointer: OpaquePointer?
    }

    private static let method: Method = {
        guard let method = unsafe BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "stride") else {
            return unsafe Method(pointer: nil)
        }
        unsafe BIO_meth_set_create(method) { bio in
            unsafe BIO_set_init(bio, 1)
            return 1
        }
        unsafe BIO_meth_set_read(method) { bio, buffer, count in
            guard let bio = unsafe bio, let buffer = unsafe buffer, let wire = unsafe TLSWire.wire(of: bio) else {
                return -1
            }
            unsafe stride_bio_clear_retry(bio)
            let taken = unsafe wire.read(into: buffer, count: Int(count))
            if taken > 0 { return Int32(taken) }
            unsafe stride_bio_wants_input(bio)
            return -1
        }
        unsafe BIO_meth_set_write(method) { bio, bytes, count in
            guard let bytes = unsafe bytes, let wire = unsafe TLSWire.wire(of: bio), count > 0 else { return -1 }
            unsafe wire.outgoing.append(contentsOf: UnsafeRawBufferPointer(start: bytes, count: Int(count)))
            return count
        }
        unsafe BIO_meth_set_ctrl(method) { _, command, _, _ in command == BIO_CTRL_FLUSH ? 1 : 0 }
        return unsafe Method(pointer: method)
    }()
}
