import ServiceKit
import StrideTestSupport
import Testing

@Suite("Token keys from key sets", .timeLimit(.minutes(2)))
struct KeySetFileTests {
    @Test("S2: the keys of a key set rotate with overlap, and a removed one takes its remembered tokens along")
    func keySetRotation() throws {
        let issuer = try Issued.issuer()
        let file = TemporaryFile(try issuer.keySet([.rs256]))
        let keys = try TokenKeys(files: [], keySets: [file.path])
        let verifier = TokenVerifier(keys: keys, policy: Forge.policy)
        let (old, new) = (try issuer.token(.rs256), try issuer.token(.es256))
        #expect(throws: Never.self) { try verifier.verify(old).get() }
        #expect(verifier.verify(new) == .failure(.unknownKey))

        file.write(try issuer.keySet([.rs256, .es256]))
        keys.refresh()
        #expect(throws: Never.self) { try verifier.verify(old).get() }
        #expect(throws: Never.self) { try verifier.verify(new).get() }
        let number = keys.generationNumber
        keys.refresh()
        #expect(keys.generationNumber == number)

        file.write(try issuer.keySet([.es256]))
        keys.refresh()
        #expect(verifier.verify(old) == .failure(.unknownKey))
        #expect(throws: Never.self) { try verifier.verify(new).get() }
        #expect(keys.findings.problem == nil && keys.findings.skipped.isEmpty)
    }

    @Test("S2: a key set that is replaced by one cut short, or with a private key, keeps its keys for one look")
    func faultyKeySet() throws {
        let issuer = try Issued.issuer()
        let good = try issuer.keySet([.es256])
        let file = TemporaryFile(good)
        let keys = try TokenKeys(files: [], keySets: [file.path])
        let verifier = TokenVerifier(keys: keys, policy: Forge.policy)
        let token = try issuer.token(.es256)
        for bad in [String(good.dropLast()), good.replacing("}]", with: #","d":"AA"}]"#)] {
            file.write(bad)
            keys.refresh()
            #expect(throws: Never.self) { try verifier.verify(token).get() }
            #expect(keys.findings.problem != nil)
            keys.refresh()
            #expect(verifier.verify(token) == .failure(.unknownKey))
            #expect(throws: TokenKeys.LoadError.self) { try TokenKeys(files: [], keySets: [file.path]) }
            file.write(good)
            keys.refresh()
            #expect(throws: Never.self) { try verifier.verify(token).get() }
            #expect(keys.findings.problem == nil)
        }
    }

    @Test("have names that are their own over all files; a second one of a name does not count")
    func duplicateNames() throws {
        let issuer = try Issued.issuer()
        let name = issuer.name(.edDSA)
        let set = TemporaryFile(try issuer.keySet([.edDSA]))
        let (again, secrets) = (TemporaryFile(try issuer.keySet([.edDSA])), TemporaryFile("\(name):\(Forge.secret)"))
        let twice = TemporaryFile("a:\(Forge.secret)\na:\(Forge.otherSecret)")
        func problem(_ files: [String], _ keySets: [String]) -> TokenKeys.LoadError? {
            do throws(TokenKeys.LoadError) {
                _ = try TokenKeys(files: files, keySets: keySets)
                return nil
            } catch {
                return error
            }
        }
        #expect(problem([], [set.path, again.path])?.path == again.path)
        #expect(problem([], [set.path, again.path])?.fault == .duplicateName(name))
        #expect(problem([secrets.path], [set.path])?.fault == .duplicateName(name))
        #expect(problem([secrets.path], [set.path])?.path == set.path)
        #expect(problem([twice.path], [])?.fault == .duplicateName("a"))

        let keys = try TokenKeys(files: [], keySets: [set.path])
        let verifier = TokenVerifier(keys: keys, policy: Forge.policy)
        let foreign = try issuer.keys(.edDSA).foreign
        set.write(try issuer.keySet([.edDSA]).replacing("]}", with: "," + foreign.jwk(name) + "]}"))
        keys.refresh()
        keys.refresh()
        #expect(keys.findings.problem?.fault == .duplicateName(name))
        #expect(throws: Never.self) { try verifier.verify(issuer.token(.edDSA)).get() }
        let forged = try foreign.token(header: issuer.header(.edDSA), claims: issuer.claims())
        #expect(verifier.verify(forged) == .failure(.badSignature))
    }

    @Test("are 16 at most, over all files")
    func tooMany() throws {
        let secrets = TemporaryFile((0..<15).map { "k\($0):\(Forge.secret)" }.joined(separator: "\n"))
        let issuer = try Issued.issuer()
        let (one, two) = (TemporaryFile(try issuer.keySet([.edDSA])), TemporaryFile(try issuer.keySet([.es256])))
        #expect(try TokenKeys(files: [secrets.path], keySets: [one.path]).current.keys.count == 16)
        let error = #expect(throws: TokenKeys.LoadError.self) {
            try TokenKeys(files: [secrets.path], keySets: [one.path, two.path])
        }
        #expect(error?.fault == .tooManyKeys)
        let key = try issuer.keys(.edDSA).own
        two.write("{\"keys\":[" + (0..<17).map { key.jwk("k\($0)") }.joined(separator: ",") + "]}")
        let alone = #expect(throws: TokenKeys.LoadError.self) { try TokenKeys(files: [], keySets: [two.path]) }
        #expect(alone?.fault == .tooManyKeys)
    }

    @Test("of a key set that are of no use here are told with their file, at the start and after a change")
    func skippedKeys() throws {
        let issuer = try Issued.issuer()
        let file = TemporaryFile(try issuer.keySet().replacing("]}", with: #",{"kty":"AKP","kid":"pq"}]}"#))
        let keys = try TokenKeys(files: [], keySets: [file.path])
        #expect(keys.findings.skipped == ["\(file.path): keys[3] (kid pq): its kty is not one that is used here"])
        #expect(keys.findings.problem == nil)
        file.write(try issuer.keySet())
        keys.refresh()
        #expect(keys.findings.skipped.isEmpty)
        #expect(keys.current.keys.count == 3)
    }
}
