import Cryptography
import Glibc
import Models
import ServiceKit
import Telemetry
import Testing

/// A file in a directory of its own, removed at the end.
final class TemporaryFile {
    let path: String
    private let directory: String

    init(_ text: String) {
        var template = Array("/tmp/stride-keys-XXXXXX".utf8CString)
        directory = mkdtemp(&template).map { String(cString: $0) } ?? ""
        path = directory + "/keys"
        write(text)
    }

    deinit {
        unlink(path)
        rmdir(directory)
    }

    /// Replaces the file the way an operator's tool does: another file takes its name.
    func write(_ text: String) {
        let file = fopen(path + ".new", "w")
        fputs(text, file)
        if let file { fclose(file) }
        rename(path + ".new", path)
    }

    func remove() { unlink(path) }
}

@Suite("Token keys", .timeLimit(.minutes(1)))
struct TokenKeysTests {
    static func token(_ secret: String) throws -> String { try Forge.token(secret: secret) }

    @Test(
        "are read one a line, with a name or without",
        arguments: [
            (Forge.secret, [nil]), (Forge.secret + "\n", [nil]), ("\n\n  \(Forge.secret) \r\n\n", [nil]),
            ("a:\(Forge.secret)\nb:\(Forge.otherSecret)\n", ["a", "b"]), (":\(Forge.secret):\n", [nil]),
            ("2026-11_x.y:\(Forge.secret)\n\(Forge.otherSecret)", ["2026-11_x.y", nil]),
        ] as [(String, [String?])])
    func format(text: String, names: [String?]) throws {
        let file = TemporaryFile(text)
        #expect(try TokenKeys(files: [file.path]).current.keys.map(\.id) == names)
    }

    @Test("keep every byte of the secret")
    func secretBytes() throws {
        let file = TemporaryFile("a: pässword with spaces, a colon: and more \n")
        let key = try #require(try TokenKeys(files: [file.path]).current.keys.first)
        #expect(key.material == .shared(Secret(" pässword with spaces, a colon: and more")))
    }

    @Test(
        "that are too short, badly named or missing stop the start, and the error does not show them",
        arguments: [
            ("", .noKey), ("\n \n", .noKey), ("swordfish", .secretTooShort(line: 1)),
            ("\(Forge.secret)\nswordfish", .secretTooShort(line: 2)), ("k:swordfish\n", .secretTooShort(line: 1)),
            (String(Forge.secret.dropLast()), .secretTooShort(line: 1)), ("a/b:\(Forge.secret)", .invalidName(line: 1)),
            ("swordfish swordfish:\(Forge.secret)", .invalidName(line: 1)),
            (String(repeating: "n", count: 65) + ":" + Forge.secret, .invalidName(line: 1)),
            (String(repeating: Forge.secret + "\n", count: 2000), .notAKeyFile),
        ] as [(String, TokenKeyFault)])
    func faults(text: String, fault: TokenKeyFault) {
        let file = TemporaryFile(text)
        let error = #expect(throws: TokenKeys.LoadError.self) { try TokenKeys(files: [file.path]) }
        #expect(error?.fault == fault)
        #expect(error?.path == file.path)
        #expect(error?.description.contains("swordfish") == false)
    }

    @Test("in a file that is absent or a directory stop the start")
    func unreadable() {
        #expect(throws: TokenKeys.LoadError.self) { try TokenKeys(files: ["/nonexistent/keys"]) }
        #expect(throws: TokenKeys.LoadError.self) { try TokenKeys(files: ["/tmp"]) }
        #expect(throws: TokenKeys.LoadError.self) { try TokenKeys(files: []) }
    }

    @Test("S2: keys rotate with overlap, and a removed one takes its remembered tokens along")
    func rotation() throws {
        let file = TemporaryFile(Forge.secret)
        let keys = try TokenKeys(files: [file.path])
        let verifier = TokenVerifier(keys: keys, policy: Forge.policy)
        let (old, new) = (try Self.token(Forge.secret), try Self.token(Forge.otherSecret))
        #expect(throws: Never.self) { try verifier.verify(old).get() }
        #expect(verifier.verify(new) == .failure(.badSignature))

        file.write(Forge.secret + "\n" + Forge.otherSecret)
        keys.refresh()
        #expect(throws: Never.self) { try verifier.verify(old).get() }
        #expect(throws: Never.self) { try verifier.verify(new).get() }

        file.write(Forge.otherSecret)
        keys.refresh()
        #expect(verifier.verify(old) == .failure(.badSignature))
        #expect(throws: Never.self) { try verifier.verify(new).get() }
        #expect(keys.findings.problem == nil)
    }

    @Test("S2: a file of the same length written in place is noticed")
    func sameLength() throws {
        let file = TemporaryFile(Forge.secret)
        let keys = try TokenKeys(files: [file.path])
        let handle = fopen(file.path, "r+")
        fputs(Forge.otherSecret, handle)
        if let handle { fclose(handle) }
        keys.refresh()
        let verifier = TokenVerifier(keys: keys, policy: Forge.policy)
        #expect(verifier.verify(try Self.token(Forge.secret)) == .failure(.badSignature))
        #expect(throws: Never.self) { try verifier.verify(try Self.token(Forge.otherSecret)).get() }
    }

    @Test("S2: while watched, a removed key stops working within a second")
    func watched() async throws {
        let file = TemporaryFile(Forge.secret + "\n" + Forge.otherSecret)
        let keys = try TokenKeys(files: [file.path])
        let watch = keys.watch()
        defer { watch.cancel() }
        let number = keys.generationNumber
        file.write(Forge.otherSecret)
        let clock = ContinuousClock()
        let start = clock.now
        while keys.generationNumber == number, clock.now - start < .seconds(20) {
            try await Task.sleep(for: .milliseconds(20))
        }
        let verifier = TokenVerifier(keys: keys, policy: Forge.policy)
        #expect(verifier.verify(try Self.token(Forge.secret)) == .failure(.badSignature))
    }

    @Test("a file seen empty or gone once changes nothing; seen so again, its keys are gone", arguments: [false, true])
    func emptied(isRemoved: Bool) throws {
        let file = TemporaryFile(Forge.secret)
        let keys = try TokenKeys(files: [file.path])
        let verifier = TokenVerifier(keys: keys, policy: Forge.policy)
        let token = try Self.token(Forge.secret)
        for _ in 0..<3 {
            if isRemoved { file.remove() } else { file.write("") }
            keys.refresh()
            #expect(throws: Never.self) { try verifier.verify(token).get() }
            #expect(keys.findings.problem != nil)
            file.write(Forge.secret)
            keys.refresh()
            #expect(keys.findings.problem == nil)
        }
        if isRemoved { file.remove() } else { file.write("") }
        keys.refresh()
        keys.refresh()
        #expect(verifier.verify(token) == .failure(.unknownKey))
        file.write(Forge.secret)
        keys.refresh()
        #expect(throws: Never.self) { try verifier.verify(token).get() }
    }

    @Test("a faulty line neither keeps a removed key alive nor takes the right ones down")
    func faultyLine() throws {
        let file = TemporaryFile(Forge.secret + "\n" + Forge.otherSecret)
        let keys = try TokenKeys(files: [file.path])
        let verifier = TokenVerifier(keys: keys, policy: Forge.policy)
        file.write("too short\n" + Forge.otherSecret)
        keys.refresh()
        keys.refresh()
        #expect(verifier.verify(try Self.token(Forge.secret)) == .failure(.badSignature))
        #expect(throws: Never.self) { try verifier.verify(try Self.token(Forge.otherSecret)).get() }
        #expect(keys.findings.problem?.fault == .secretTooShort(line: 1))
    }

    @Test("several files count together")
    func severalFiles() throws {
        let (first, second) = (TemporaryFile(Forge.secret), TemporaryFile(Forge.otherSecret))
        let verifier = TokenVerifier(
            keys: try TokenKeys(files: [first.path, second.path]), policy: Forge.policy)
        #expect(throws: Never.self) { try verifier.verify(try Self.token(Forge.secret)).get() }
        #expect(throws: Never.self) { try verifier.verify(try Self.token(Forge.otherSecret)).get() }
    }

    @Test("S5: are stars in logs and dumps")
    func stars() throws {
        let key = try #require(TokenKey(secret: Secret(Forge.secret)))
        var dumped = ""
        dump(key, to: &dumped)
        dump(TokenKeys([key]), to: &dumped)
        #expect(dumped.contains("***") && !dumped.contains("0123456789"))
        #expect(LogValue.describing(Secret(Forge.secret)) == .string("***"))
        #expect("\(Secret(Forge.secret))" as LogValue == .string("***"))
    }
}
