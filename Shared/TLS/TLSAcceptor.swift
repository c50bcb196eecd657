package import EventLoops

/// Protects the connections that one loop's listener accepts, with the certificate of the moment.
///
/// Confined to its loop; hence `@unchecked Sendable`: it is made and asked there, and a new certificate is put in there.
package final class TLSAcceptor: @unchecked Sendable {
    /// What new connections begin with; those that are open keep theirs.
    package var context: TLSContext
    private let scratch = TLSScratch()
    private let onHandshake: (TLSError?) -> Void

    /// An acceptor.
    ///
    /// - Parameter onHandshake: told how each handshake ended, for the metrics.
    package init(context: TLSContext, onHandshake: @escaping (TLSError?) -> Void = { _ in }) {
        self.context = context
        self.onHandshake = onHandshake
    }

    /// Protects an accepted connection; the handshake begins when its owner reads.
    ///
    /// Nil, and the connection is closed, when OpenSSL has no memory.
    package func secure(_ stream: any ByteStream) -> (any ByteStream)? {
        guard let session = try? TLSSession(context) else {
            stream.close()
            return nil
        }
        let secured = TLSStream(over: stream, session: session, scratch: scratch, silentEnd: .isEnd)
        secured.onHandshake = onHandshake
        return secured
    }
}
