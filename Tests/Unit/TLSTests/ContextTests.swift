import StrideTestSupport
import Testing

@testable import TLS

@Suite struct ContextTests {
    /// What a client that trusts the authority says about a server with these files.
    private func verdict(
        _ identity: TLSIdentityFiles, name: String = "localhost", authority: String? = nil
    ) async throws -> [TLSError] {
        let material = try await Material.shared()
        let pair = try SessionPair(
            client: TLSContext(client: TLSClientFiles(authority: authority ?? material.authority)),
            server: TLSContext(server: TLSServerFiles(identity: identity)), name: name)
        pair.carry()
        #expect(pair.bothAreOpen == pair.failures.isEmpty)
        return pair.clientEvents.compactMap { if case .failed(let error) = $0 { error } else { nil } }
    }

    @Test(
        "A server is accepted under its names and addresses only",
        arguments: [
            ("localhost", true), ("LOCALHOST", true), ("127.0.0.1", true), ("::1", true), ("a.stride.test", true),
            ("a.b.stride.test", false), ("stride.test", false), ("127.0.0.2", false), ("server", false),
            ("localhost.", false), ("example.org", false),
        ])
    func names(_ name: String, isRight: Bool) async throws {
        let verdict = try await verdict(try await Material.shared().server, name: name)
        #expect(verdict == (isRight ? [] : [.untrusted(.wrongName)]))
    }

    @Test("Expired, self-signed, another authority's, a client's own, without an authority of ours: each is told")
    func distrust() async throws {
        let material = try await Material.shared()
        #expect(try await verdict(material.expired) == [.untrusted(.expired)])
        #expect(try await verdict(material.selfSigned) == [.untrusted(.selfSigned)])
        #expect(try await verdict(material.otherServer) == [.untrusted(.unknownAuthority)])
        #expect(try await verdict(material.clientOnly) == [.untrusted(.unsuitable)])
        // The authorities of the system do not know ours either: nothing is trusted for want of a file.
        let pair = try SessionPair(
            client: TLSContext(client: TLSClientFiles()),
            server: TLSContext(server: TLSServerFiles(identity: material.server)))
        pair.carry()
        #expect(pair.clientEvents.last == .failed(.untrusted(.unknownAuthority)))
    }

    @Test("Demanded client certificates: one of the authority is let in, none or a stranger's is not")
    func clients() async throws {
        let material = try await Material.shared()
        func failures(_ identity: TLSIdentityFiles?, _ minimum: TLSVersion = .v12) throws -> [TLSError] {
            let pair = try SessionPair(
                client: TLSContext(client: TLSClientFiles(authority: material.authority, identity: identity)),
                server: TLSContext(
                    server: TLSServerFiles(
                        identity: material.server, clientAuthority: material.authority, minimum: minimum)))
            pair.carry()
            return pair.serverEvents.compactMap { if case .failed(let error) = $0 { error } else { nil } }
        }
        #expect(try failures(material.client) == [])
        #expect(try failures(nil) == [.noClientCertificate])
        #expect(try failures(material.strangerClient) == [.untrusted(.unknownAuthority)])
        #expect(try failures(material.expired) == [.untrusted(.expired)])
    }

    @Test("Files that are missing, no PEM, or do not belong together are told by what they are for, never by content")
    func files() async throws {
        let material = try await Material.shared()
        let (good, other) = (material.server, material.client)
        try material.folder.write("no.pem", "not a certificate")
        let none = material.folder.path + "/no.pem"
        func server(_ certificate: String, _ key: String, _ authority: String? = nil) throws(TLSError) {
            _ = try TLSContext(
                server: TLSServerFiles(
                    identity: TLSIdentityFiles(certificate: certificate, key: key), clientAuthority: authority))
        }
        #expect(throws: TLSError.file(.certificate)) { try server(none, good.key) }
        #expect(throws: TLSError.file(.certificate)) { try server("/nowhere", good.key) }
        #expect(throws: TLSError.file(.key)) { try server(good.certificate, none) }
        #expect(throws: TLSError.file(.key)) { try server(good.certificate, "/nowhere") }
        #expect(throws: TLSError.file(.keyOfAnotherCertificate)) { try server(good.certificate, other.key) }
        #expect(throws: TLSError.file(.authority)) { try server(good.certificate, good.key, none) }
        #expect(throws: TLSError.file(.authority)) { try TLSContext(client: TLSClientFiles(authority: "/nowhere")) }
        try server(good.certificate, good.key, material.authority)
    }

    @Test("The end of the certificate is known to the second")
    func expiry() async throws {
        let material = try await Material.shared()
        let expired = try TLSContext(server: TLSServerFiles(identity: material.expired)).expiry ?? 0
        let good = try TLSContext(server: TLSServerFiles(identity: material.server)).expiry ?? 0
        // Made within a minute of each other, one for 20 days, one until the day before.
        #expect((21 * 86_400 - 60...21 * 86_400 + 60).contains(Int(good - expired)))
        #expect(try TLSContext(client: TLSClientFiles(authority: material.authority)).expiry == nil)
    }
}
