import Cryptography
import Glibc
import Models
import Synchronization

/// A key pair whose private half signs tokens with the `openssl` command, as an issuer would: services only check.
package struct TestKeyPair: Sendable {
    /// What it signs with.
    package enum Algorithm: String, Sendable, CaseIterable {
        case rs256 = "RS256"
        case es256 = "ES256"
        case edDSA = "EdDSA"

        fileprivate var generation: [String] {
            switch self {
            case .rs256: ["-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"]
            case .es256: ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"]
            case .edDSA: ["-algorithm", "ED25519"]
            }
        }
    }

    /// The algorithm.
    package let algorithm: Algorithm
    /// The public half as a SubjectPublicKeyInfo in DER.
    package let encoded: [UInt8]
    /// The same in PEM.
    package let pem: String
    private let folder: TestFolder
    private static let files = Atomic<Int>(0)

    /// Makes a pair.
    ///
    /// An RSA one takes some tenths of a second.
    package init(_ algorithm: Algorithm) throws {
        self.algorithm = algorithm
        folder = try TestFolder()
        try OpenSSLCommand.run(["genpkey"] + algorithm.generation + ["-out", folder.path + "/private"])
        try OpenSSLCommand.run(
            ["pkey", "-in", folder.path + "/private", "-pubout", "-outform", "DER", "-out", folder.path + "/public"])
        try OpenSSLCommand.run(["pkey", "-in", folder.path + "/private", "-pubout", "-out", folder.path + "/pem"])
        encoded = try OpenSSLCommand.contents(of: folder.path + "/public")
        pem = String(decoding: try OpenSSLCommand.contents(of: folder.path + "/pem"), as: UTF8.self)
    }

    /// The members of the public half's JWK with their bytes.
    package var numbers: [(name: String, bytes: [UInt8])] {
        switch algorithm {
        // The number has 2048 bits and the exponent is 65537, so the DER always has this form.
        case .rs256: [("n", Array(encoded[33..<289])), ("e", Array(encoded[291...]))]
        case .es256: [("x", Array(encoded.suffix(64).prefix(32))), ("y", Array(encoded.suffix(32)))]
        case .edDSA: [("x", Array(encoded.suffix(32)))]
        }
    }

    /// The public half as a JWK, with further members given as JSON.
    package func jwk(_ id: String? = nil, adding members: String = "") -> String {
        let kind =
            switch algorithm {
            case .rs256: #""kty":"RSA""#
            case .es256: #""kty":"EC","crv":"P-256""#
            case .edDSA: #""kty":"OKP","crv":"Ed25519""#
            }
        let texts = numbers.map { ",\"\($0.name)\":\"\(Self.base64($0.bytes))\"" }
        return "{" + kind + texts.joined() + (id.map { ",\"kid\":\"\($0)\"" } ?? "") + members + "}"
    }

    /// The signature of a text as a token carries it.
    package func sign(_ text: String) throws -> [UInt8] {
        let number = Self.files.add(1, ordering: .relaxed).newValue
        let (input, output) = ("\(folder.path)/text-\(number)", "\(folder.path)/signature-\(number)")
        try folder.write("text-\(number)", text)
        defer {
            unlink(input)
            unlink(output)
        }
        let key = folder.path + "/private"
        if algorithm == .edDSA {
            try OpenSSLCommand.run(["pkeyutl", "-sign", "-rawin", "-inkey", key, "-in", input, "-out", output])
        } else {
            try OpenSSLCommand.run(["dgst", "-sha256", "-sign", key, "-out", output, input])
        }
        let signature = try OpenSSLCommand.contents(of: output)
        return algorithm == .es256 ? Self.rawSignature(signature) : signature
    }

    /// A signed token with these texts in it.
    package func token(header: String, claims: String) throws -> String {
        let text = Self.base64(Array(header.utf8)) + "." + Self.base64(Array(claims.utf8))
        return text + "." + Self.base64(try sign(text))
    }

    /// A text in base 64 for URLs.
    package static func base64(_ bytes: [UInt8]) -> String {
        String(decoding: Base64URL.encode(bytes.span), as: UTF8.self)
    }

    /// Both numbers of an ECDSA signature in DER, in 32 bytes each.
    private static func rawSignature(_ encoded: [UInt8]) -> [UInt8] {
        var rest = encoded.dropFirst(2)
        var raw: [UInt8] = []
        for _ in 0..<2 {
            let length = Int(rest.dropFirst().first ?? 0)
            let digits = rest.dropFirst(2).prefix(length).suffix(32)
            raw += [UInt8](repeating: 0, count: 32 - digits.count) + digits
            rest = rest.dropFirst(2 + length)
        }
        return raw
    }
}

/// The `openssl` command.
private enum OpenSSLCommand {
    /// Runs it and waits for its end.
    static func run(_ arguments: [String]) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor in [Int32(0), 1, 2] {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        let words = (["openssl"] + arguments).map { strdup($0) } + [nil]
        defer { for text in words { free(text) } }
        var pid: pid_t = 0
        let code = posix_spawnp(&pid, "openssl", &actions, nil, words, environ)
        guard code == 0 else { throw TestRun.Missing(description: "openssl cannot be started (error \(code))") }
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        guard status == 0 else {
            throw TestRun.Missing(description: "openssl \(arguments[0]) failed (status \(status))")
        }
    }

    static func contents(of path: String) throws -> [UInt8] {
        guard let file = fopen(path, "r") else { throw TestRun.Missing(description: "\(path) cannot be read") }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = fread(&bytes, 1, bytes.count, file)
        return Array(bytes[..<count])
    }
}
