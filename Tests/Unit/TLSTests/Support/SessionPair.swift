import StrideTestSupport

@testable import TLS

/// A client's and a server's session in memory, joined by hand.
final class SessionPair {
    let client: TLSSession
    let server: TLSSession
    /// What each has been told, in order.
    private(set) var clientEvents: [TLSSession.Event] = []
    private(set) var serverEvents: [TLSSession.Event] = []
    private(set) var clientPlaintext: [UInt8] = []
    private(set) var serverPlaintext: [UInt8] = []
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 16_384, alignment: 16)

    init(_ material: Material, minimum: TLSVersion = .v12) throws {
        client = try TLSSession(
            TLSContext(client: TLSClientFiles(authority: material.authority, minimum: minimum)),
            serverName: "localhost")
        server = try TLSSession(TLSContext(server: TLSServerFiles(identity: material.server, minimum: minimum)))
    }

    init(client: TLSContext, server: TLSContext, name: String = "localhost") throws {
        self.client = try TLSSession(client, serverName: name)
        self.server = try TLSSession(server)
    }

    deinit { buffer.deallocate() }

    /// Gives bytes to one side in pieces, and takes all that they bring.
    func give(_ pieces: [[UInt8]], toServer: Bool) {
        let session = toServer ? server : client
        for piece in pieces {
            var consumed = 0
            loop: while true {
                let event = session.next(piece.span, consumed: &consumed, into: buffer)
                if toServer { serverEvents.append(event) } else { clientEvents.append(event) }
                switch event {
                case .plaintext(let count):
                    if toServer { serverPlaintext += buffer[..<count] } else { clientPlaintext += buffer[..<count] }
                case .established: continue
                case .needsMore, .ended, .failed: break loop
                }
            }
        }
    }

    /// Carries everything to and fro until both are silent; `change` may cut or alter what a side sends.
    func carry(_ change: (_ bytes: [UInt8], _ toServer: Bool) -> [[UInt8]] = { bytes, _ in [bytes] }) {
        give([[]], toServer: false)
        for _ in 0..<20 {
            let (fromClient, fromServer) = (client.takeOutgoing(), server.takeOutgoing())
            guard !fromClient.isEmpty || !fromServer.isEmpty else { return }
            if !fromClient.isEmpty { give(change(fromClient, true), toServer: true) }
            if !fromServer.isEmpty { give(change(fromServer, false), toServer: false) }
        }
    }

    var bothAreOpen: Bool { client.isOpen && server.isOpen }

    var failures: [TLSError] {
        (clientEvents + serverEvents).compactMap { if case .failed(let error) = $0 { error } else { nil } }
    }
}

/// The certificates that most tests use, made once.
struct Material: Sendable {
    let folder: TestFolder
    let trusted: TestAuthority
    let authority: String
    let otherAuthority: String
    let server: TLSIdentityFiles
    let client: TLSIdentityFiles
    let strangerClient: TLSIdentityFiles
    let otherServer: TLSIdentityFiles
    let expired: TLSIdentityFiles
    let selfSigned: TLSIdentityFiles
    let clientOnly: TLSIdentityFiles

    private static let made = Task { try await Material() }

    /// The certificates.
    static func shared() async throws -> Material { try await made.value }

    private init() async throws {
        folder = try TestFolder()
        let (one, two) = (try await TestAuthority(in: folder), try await TestAuthority(in: folder, name: "other"))
        trusted = one
        authority = one.file
        otherAuthority = two.file
        server = try await one.issue("server", for: ["DNS:localhost", "DNS:*.stride.test", "IP:127.0.0.1", "IP:::1"])
        client = try await one.issue("client")
        strangerClient = try await two.issue("stranger")
        otherServer = try await two.issue("other-server")
        expired = try await one.issue("expired", .expired)
        selfSigned = try await one.issue("self-signed", .selfSigned)
        clientOnly = try await one.issue("client-only", .clientOnly)
    }
}
