import Glibc
package import TLS

/// An authority of one test, made by the `openssl` command, that vouches for whatever the test wants.
package final class TestAuthority: Sendable {
    /// The file with its certificate.
    package let file: String
    private let folder: TestFolder
    private let name: String

    /// What is special about a certificate.
    package enum Kind: Sendable {
        /// Nothing.
        case good
        /// Its time is over since yesterday.
        case expired
        /// It vouches for itself.
        case selfSigned
        /// It may only be shown by clients.
        case clientOnly
    }

    /// Makes one; the certificates lie in the folder too.
    package init(in folder: TestFolder, name: String = "authority") async throws {
        self.folder = folder
        self.name = name
        file = "\(folder.path)/\(name).pem"
        try await openssl(
            ["req", "-x509", "-nodes", "-days", "30", "-subj", "/CN=\(name)", "-out", file, "-keyout", key]
                + Self.curve + ["-addext", "keyUsage=critical,keyCertSign"])
    }

    /// Makes a certificate with its key.
    ///
    /// - Parameter names: as OpenSSL writes them: `DNS:localhost`, `IP:127.0.0.1`.
    package func issue(
        _ label: String, for names: [String] = ["DNS:localhost", "IP:127.0.0.1"], _ kind: Kind = .good, days: Int = 20
    ) async throws -> TLSIdentityFiles {
        let path = "\(folder.path)/\(label)"
        let files = TLSIdentityFiles(certificate: "\(path).pem", key: "\(path).key")
        let subject = ["-nodes", "-subj", "/CN=\(label)", "-keyout", files.key] + Self.curve
        let alternatives = "subjectAltName=" + names.joined(separator: ",")
        if kind == .selfSigned {
            try await openssl(
                ["req", "-x509", "-days", "\(days)", "-out", files.certificate, "-addext", alternatives] + subject)
            return files
        }
        let usage = kind == .clientOnly ? "clientAuth" : "serverAuth,clientAuth"
        try folder.write("\(label).ext", "\(alternatives)\nextendedKeyUsage=\(usage)\n")
        try await openssl(["req", "-out", "\(path).csr"] + subject)
        try await openssl([
            "x509", "-req", "-in", "\(path).csr", "-CA", file, "-CAkey", key, "-CAcreateserial", "-days",
            kind == .expired ? "-1" : "\(days)", "-extfile", "\(path).ext", "-out", files.certificate,
        ])
        return files
    }

    private var key: String { "\(folder.path)/\(name).key" }

    private static let curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"]

    private func openssl(_ arguments: [String]) async throws {
        let process = try ChildProcess("openssl", arguments, log: "\(folder.path)/openssl.log")
        guard try await process.wait(within: .seconds(60)) == .exited(0) else {
            throw TestRun.Missing(description: "openssl \(arguments[0]) failed: \(process.log)")
        }
    }
}
