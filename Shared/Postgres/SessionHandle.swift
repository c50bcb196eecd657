internal import CPostgres
internal import TLS

/// The owner of one `PGconn`; libpq closes the socket when this goes away.
///
/// Whoever watches the socket closes the watcher first. Confined to one loop, like its users.
@safe final class SessionHandle {
    let raw: OpaquePointer

    /// Begins to connect, without blocking; nil when memory ran out.
    init?(keywords: [(keyword: String, value: String)]) {
        let names = CStrings(keywords.map(\.keyword))
        let values = CStrings(keywords.map(\.value))
        guard let raw = unsafe PQconnectStartParams(names.pointers, values.pointers, 0) else { return nil }
        unsafe self.raw = raw
        // Without a receiver of ours libpq prints notices to stderr.
        unsafe PQsetNoticeReceiver(raw, { _, _ in }, nil)
        // Only this way the text of a failed attempt has the SQLSTATE in it.
        unsafe _ = PQsetErrorVerbosity(raw, PQERRORS_VERBOSE)
    }

    deinit { unsafe PQfinish(raw) }

    /// The socket now; libpq may change it with every step of connecting.
    ///
    /// −1 without one.
    var descriptor: Int32 { unsafe PQsocket(raw) }

    /// Whether TLS has decrypted bytes that libpq has not taken: the socket will not become readable for them.
    ///
    /// libpq takes what its buffer has room for, at least 8 KiB, and a record may hold twice as much.
    var hasDecryptedInput: Bool {
        guard unsafe PQsslInUse(raw) == 1, let session = unsafe PQsslStruct(raw, "OpenSSL") else { return false }
        return unsafe ForeignSession.pendingBytes(of: session) > 0
    }

    /// libpq's words about the last failure.
    var errorText: String { unsafe String(cString: PQerrorMessage(raw)) }

    /// Where the session stands in its transaction.
    var transactionStatus: PostgresTransactionStatus {
        switch unsafe PQtransactionStatus(raw) {
        case PQTRANS_IDLE: .idle
        case PQTRANS_INTRANS: .inTransaction
        case PQTRANS_INERROR: .inFailedTransaction
        default: .unknown
        }
    }
}

/// Where a session stands in its transaction.
package enum PostgresTransactionStatus: Hashable, Sendable {
    /// Outside a transaction.
    case idle
    /// Inside one.
    case inTransaction
    /// Inside one that has failed: only ROLLBACK is accepted.
    case inFailedTransaction
    /// An exchange is under way or the session is gone.
    case unknown
}

/// A null-terminated list of C strings for the time of one call.
@safe private struct CStrings: ~Copyable {
    var pointers: [UnsafePointer<CChar>?]

    init(_ strings: [String]) {
        unsafe pointers = unsafe strings.map { string in
            let bytes = UnsafeMutablePointer<CChar>.allocate(capacity: string.utf8.count + 1)
            var index = 0
            for byte in string.utf8 {
                unsafe bytes[index] = CChar(bitPattern: byte)
                index += 1
            }
            unsafe bytes[index] = 0
            return unsafe UnsafePointer(bytes)
        }
        unsafe pointers.append(nil)
    }

    deinit { unsafe pointers.forEach { unsafe $0?.deallocate() } }
}
