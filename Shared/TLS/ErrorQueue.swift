internal import CTLS

/// OpenSSL's per-thread error queue.
///
/// Entries left behind by one call would be read as the outcome of a later one, so each call starts with an empty queue
/// and leaves it empty. Looking costs about 25 ns; the queue is cleared only when it holds something.
enum ErrorQueue {
    /// Empties the queue and returns the reason of its oldest entry, 0 when there was none.
    @discardableResult
    static func drain() -> Int32 {
        let code = ERR_peek_error()
        guard code != 0 else { return 0 }
        ERR_clear_error()
        return stride_error_reason(code)
    }
}

extension TLSError {
    /// What a reason of OpenSSL means; alerts of the peer are 1000 and more.
    init(reason: Int32, verifyResult: Int) {
        switch reason {
        case SSL_R_CERTIFICATE_VERIFY_FAILED: self = .untrusted(Distrust(verifyResult: verifyResult))
        case SSL_R_PEER_DID_NOT_RETURN_A_CERTIFICATE: self = .noClientCertificate
        case SSL_R_UNSUPPORTED_PROTOCOL, SSL_R_WRONG_SSL_VERSION, SSL_R_TLSV1_ALERT_PROTOCOL_VERSION,
            SSL_R_UNKNOWN_PROTOCOL, SSL_R_VERSION_TOO_LOW:
            self = .noCommonVersion
        case SSL_R_HTTP_REQUEST, SSL_R_HTTPS_PROXY_REQUEST, SSL_R_WRONG_VERSION_NUMBER: self = .notTLS
        case 1000...1255: self = .refused(alert: UInt8(truncatingIfNeeded: reason - 1000))
        default: self = .violation(reason: reason)
        }
    }
}

extension TLSError.Distrust {
    /// What a result of OpenSSL's verification means.
    init(verifyResult: Int) {
        switch Int32(truncatingIfNeeded: verifyResult) {
        case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH: self = .wrongName
        case X509_V_ERR_CERT_HAS_EXPIRED: self = .expired
        case X509_V_ERR_CERT_NOT_YET_VALID: self = .notYetValid
        case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT: self = .selfSigned
        case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
            X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE,
            X509_V_ERR_CERT_UNTRUSTED:
            self = .unknownAuthority
        default: self = .unsuitable
        }
    }
}
