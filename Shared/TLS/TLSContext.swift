internal import CTLS
internal import Glibc

/// Certificates, keys and rules from which connections are made: the owner of one `SSL_CTX`.
///
/// Complete when `init` returns and never changed afterwards; a new certificate is a new context, and connections keep
/// the one with which they began. Tickets of one context are of no use with another, so a certificate or authority
/// that was replaced cannot be got round by resuming.
/// - Note: `@unchecked Sendable`: OpenSSL allows any number of threads to make sessions from one `SSL_CTX` that nobody
///   changes, and counts its references atomically. Source: OpenSSL documentation, "openssl-threads".
@safe package final class TLSContext: @unchecked Sendable {
    let raw: OpaquePointer
    /// Whether it makes servers' sessions.
    let isServer: Bool
    /// When the own certificate ends, in seconds since 1970; nil without one.
    package private(set) var expiry: Int64?

    /// Reads a server's files.
    ///
    /// Blocks for as long as the file system does; never called on a loop.
    package convenience init(server files: TLSServerFiles) throws(TLSError) {
        try self.init(isServer: true, minimum: files.minimum)
        try show(files.identity)
        unsafe SSL_CTX_set_alpn_select_cb(raw, TLSContext.selectProtocol, nil)
        guard let authority = files.clientAuthority else { return }
        try trust(authority)
        unsafe SSL_CTX_set_verify(raw, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nil)
        // A ticket names the context that made it, without which a session with a client's certificate is not resumed.
        guard unsafe SSL_CTX_set_session_id_context(raw, "stride", 6) == 1,
            let names = unsafe SSL_load_client_CA_file(authority)
        else { throw TLSContext.refusal(.library) }
        unsafe SSL_CTX_set_client_CA_list(raw, names)
    }

    /// Reads a client's files.
    ///
    /// Blocks for as long as the file system does; never called on a loop.
    package convenience init(client files: TLSClientFiles) throws(TLSError) {
        try self.init(isServer: false, minimum: files.minimum)
        if let identity = files.identity { try show(identity) }
        if let authority = files.authority {
            try trust(authority)
        } else if unsafe SSL_CTX_set_default_verify_paths(raw) != 1 {
            throw TLSContext.refusal(.file(.authority))
        }
        unsafe SSL_CTX_set_verify(raw, SSL_VERIFY_PEER, nil)
    }

    private init(isServer: Bool, minimum: TLSVersion) throws(TLSError) {
        ErrorQueue.drain()
        let method = unsafe isServer ? TLS_server_method() : TLS_client_method()
        guard let raw = unsafe SSL_CTX_new(method) else { throw TLSContext.refusal(.library) }
        unsafe self.raw = raw
        self.isServer = isServer
        unsafe stride_set_modes(raw)
        unsafe SSL_CTX_set_security_level(raw, 2)
        // A key with a passphrase must not ask for it on a terminal.
        unsafe SSL_CTX_set_default_passwd_cb(raw) { _, _, _, _ in -1 }
        let version = minimum == .v12 ? TLS1_2_VERSION : TLS1_3_VERSION
        guard unsafe stride_set_minimum_version(raw, version) == 1,
            // TLS 1.2 with forward secrecy and authenticated encryption only (RFC 9325 §4.2); 1.3 has nothing else.
            unsafe SSL_CTX_set_cipher_list(raw, "ECDHE+AESGCM:ECDHE+CHACHA20") == 1
        else { throw TLSContext.refusal(.library) }
    }

    deinit { unsafe SSL_CTX_free(raw) }

    private func show(_ identity: TLSIdentityFiles) throws(TLSError) {
        guard unsafe SSL_CTX_use_certificate_chain_file(raw, identity.certificate) == 1 else {
            throw TLSContext.refusal(.file(.certificate))
        }
        // The key is compared when it is read, so a key that belongs elsewhere is told from one that cannot be read.
        guard unsafe SSL_CTX_use_PrivateKey_file(raw, identity.key, SSL_FILETYPE_PEM) == 1 else {
            let isOther = [X509_R_KEY_VALUES_MISMATCH, X509_R_KEY_TYPE_MISMATCH].contains(ErrorQueue.drain())
            throw TLSContext.refusal(.file(isOther ? .keyOfAnotherCertificate : .key))
        }
        guard unsafe SSL_CTX_check_private_key(raw) == 1 else {
            throw TLSContext.refusal(.file(.keyOfAnotherCertificate))
        }
        expiry = unsafe SSL_CTX_get0_certificate(raw).flatMap { unsafe TLSContext.end(of: $0) }
    }

    private func trust(_ authority: String) throws(TLSError) {
        guard unsafe SSL_CTX_load_verify_file(raw, authority) == 1 else {
            throw TLSContext.refusal(.file(.authority))
        }
    }

    private static func refusal(_ error: TLSError) -> TLSError {
        ErrorQueue.drain()
        return error
    }

    private static func end(of certificate: OpaquePointer) -> Int64? {
        var time = unsafe tm()
        guard unsafe ASN1_TIME_to_tm(X509_get0_notAfter(certificate), &time) == 1 else { return nil }
        return unsafe Int64(timegm(&time))
    }

    /// Takes `http/1.1`, and refuses a client that offers only others (RFC 7301 §3.2).
    private static let selectProtocol: SSL_CTX_alpn_select_cb_func = { _, output, outputCount, offered, count, _ in
        let http11 = Array("http/1.1".utf8)
        guard let offered = unsafe offered else { return SSL_TLSEXT_ERR_ALERT_FATAL }
        let list = unsafe UnsafeBufferPointer(start: offered, count: Int(count))
        var start = 0
        while start < list.count {
            let end = unsafe start + 1 + Int(list[start])
            guard end <= list.count else { break }
            if unsafe list[(start + 1)..<end].elementsEqual(http11) {
                unsafe output?.pointee = unsafe offered + start + 1
                unsafe outputCount?.pointee = UInt8(http11.count)
                return SSL_TLSEXT_ERR_OK
            }
            start = end
        }
        return SSL_TLSEXT_ERR_ALERT_FATAL
    }
}
