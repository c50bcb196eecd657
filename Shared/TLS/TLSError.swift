package import EventLoops

/// Why there is no TLS connection, or no longer one.
///
/// Descriptions hold no name, no file's content and nothing of a peer's text.
package enum TLSError: Error, Hashable, Sendable {
    /// The peer's certificate is not accepted.
    case untrusted(Distrust)
    /// A client was asked for its certificate and sent none.
    case noClientCertificate
    /// The peers have no version of the protocol in common.
    case noCommonVersion
    /// The peer does not speak TLS; plain HTTP on the TLS port is the usual case.
    case notTLS
    /// The peer refused with this alert (RFC 8446 §6).
    case refused(alert: UInt8)
    /// The peer broke the protocol; the number is OpenSSL's reason.
    case violation(reason: Int32)
    /// The connection ended without the peer's word that this is the end (close_notify).
    case truncated
    /// The handshake was not complete in time.
    case timedOut
    /// The connection below could not be used.
    case stream(StreamError)
    /// A certificate, key or authority file is of no use.
    case file(Role)
    /// OpenSSL has no memory, or refuses a setting.
    case library

    /// What is wrong with a peer's certificate.
    package enum Distrust: String, Hashable, Sendable {
        /// It is not for the name or address that was asked for.
        case wrongName = "it is for another name"
        /// Its time is over.
        case expired = "it has expired"
        /// Its time has not come.
        case notYetValid = "it is not valid yet"
        /// It vouches for itself.
        case selfSigned = "it is self-signed"
        /// No known authority vouches for it.
        case unknownAuthority = "no known authority vouches for it"
        /// It is not made for this purpose, or another rule is broken.
        case unsuitable = "it is not suitable"
    }

    /// What a file is for.
    package enum Role: String, Hashable, Sendable {
        /// The own certificate with its chain.
        case certificate
        /// The own key.
        case key
        /// The key does not belong to the certificate.
        case keyOfAnotherCertificate = "key of another certificate"
        /// The authorities.
        case authority
    }
}

extension TLSError: CustomStringConvertible {
    /// A text that is safe to show.
    package var description: String {
        switch self {
        case .untrusted(let distrust): "the certificate is refused: \(distrust.rawValue)"
        case .noClientCertificate: "the client sent no certificate"
        case .noCommonVersion: "no version of TLS in common"
        case .notTLS: "the peer does not speak TLS"
        case .refused(let alert): "the peer refused (alert \(alert))"
        case .violation(let reason): "the peer broke the protocol (reason \(reason))"
        case .truncated: "the connection ended without notice"
        case .timedOut: "the handshake was not complete in time"
        case .stream(let error): "\(error)"
        case .file(.keyOfAnotherCertificate): "the key does not belong to the certificate"
        case .file(let role): "the \(role.rawValue) file cannot be read or is not in PEM form"
        case .library: "OpenSSL has no memory or refused a setting"
        }
    }
}
