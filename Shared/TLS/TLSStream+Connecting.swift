package import EventLoops

extension TLSStream {
    /// Protects a connected stream as a client and returns when the handshake is complete.
    ///
    /// Whether the server accepts the certificate of this side shows only with its first bytes (TLS 1.3). The stream
    /// below is closed when this fails. In the loop only.
    ///
    /// - Parameters:
    ///   - serverName: the DNS name or numeric address that the server's certificate must have.
    ///   - scratch: the loop's.
    ///   - timeout: for the handshake.
    package static func connect(
        over below: any ByteStream, context: TLSContext, serverName: String, scratch: TLSScratch,
        silentEnd: SilentEnd = .isFailure, timeout: Duration
    ) async throws(TLSError) -> TLSStream {
        let session: TLSSession
        do throws(TLSError) {
            session = try TLSSession(context, serverName: serverName)
        } catch {
            below.close()
            throw error
        }
        let stream = TLSStream(over: below, session: session, scratch: scratch, silentEnd: silentEnd)
        let timer = LoopTimer(loop: below.loop) { stream.giveUp() }
        timer.schedule(after: timeout)
        let failure = await withCheckedContinuation { (continuation: CheckedContinuation<TLSError?, Never>) in
            stream.onHandshake = { continuation.resume(returning: $0) }
            stream.beginHandshake()
        }
        timer.close()
        if let failure { throw failure }
        return stream
    }
}
