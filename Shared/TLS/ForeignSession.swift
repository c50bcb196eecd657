internal import CTLS

/// TLS sessions that another library drives.
package enum ForeignSession {
    /// Bytes that are decrypted and not yet taken by the library that owns the session, which polling the socket does
    /// not show.
    ///
    /// - Parameter session: an `SSL` of the OpenSSL that this process is linked with, such as libpq's `PQsslStruct`.
    @unsafe package static func pendingBytes(of session: UnsafeMutableRawPointer) -> Int {
        unsafe Int(SSL_pending(OpaquePointer(session)))
    }
}
