/// The lowest version of TLS that is spoken; everything older is broken (RFC 8996).
package enum TLSVersion: String, Sendable, CaseIterable {
    /// TLS 1.2 and 1.3.
    case v12 = "1.2"
    /// TLS 1.3 alone.
    case v13 = "1.3"
}

/// The certificate of this side, in PEM form.
package struct TLSIdentityFiles: Hashable, Sendable {
    /// The certificate, followed by the authorities between it and a root.
    package var certificate: String
    /// Its key, without a passphrase.
    package var key: String

    /// Names the two files.
    package init(certificate: String, key: String) {
        self.certificate = certificate
        self.key = key
    }
}

/// What a server shows and asks for.
package struct TLSServerFiles: Hashable, Sendable {
    /// What it shows.
    package var identity: TLSIdentityFiles
    /// Authorities of clients; with them every client must have a certificate of one of them.
    package var clientAuthority: String?
    /// The lowest version.
    package var minimum: TLSVersion

    /// Names the files.
    package init(identity: TLSIdentityFiles, clientAuthority: String? = nil, minimum: TLSVersion = .v12) {
        self.identity = identity
        self.clientAuthority = clientAuthority
        self.minimum = minimum
    }
}

/// Whom a client trusts, and what it shows when it is asked.
///
/// There is no way to trust everybody.
package struct TLSClientFiles: Hashable, Sendable {
    /// Authorities of servers; nil: those of the system.
    package var authority: String?
    /// What the client shows; nil: nothing.
    package var identity: TLSIdentityFiles?
    /// The lowest version.
    package var minimum: TLSVersion

    /// Names the files.
    package init(authority: String? = nil, identity: TLSIdentityFiles? = nil, minimum: TLSVersion = .v12) {
        self.authority = authority
        self.identity = identity
        self.minimum = minimum
    }
}
