import Cryptography
import Testing

@Suite("Secret")
struct SecretTests {
    struct Holder {
        let name = "database"
        let password: Secret
    }

    @Test("shows stars however it is printed")
    func stars() {
        let secret = Secret("correct horse battery staple")
        var dumped = ""
        dump(Holder(password: secret), to: &dumped)
        var dumpedAlone = ""
        dump(secret, to: &dumpedAlone)
        let texts = [
            "\(secret)", String(describing: secret), String(reflecting: secret), "\([secret])",
            "\(Optional(secret) as Any)",
            "\(Holder(password: secret))", String(reflecting: Holder(password: secret)), dumped, dumpedAlone,
        ]
        for text in texts {
            #expect(text.contains("***"))
            #expect(!text.contains("horse") && !text.contains("99, 111"))
        }
        #expect(Mirror(reflecting: secret).children.isEmpty)
    }

    @Test("gives its bytes back to the caller that asks")
    func reveal() {
        let secret = Secret([0x6b, 0xc3, 0xa9, 0x79])
        #expect(secret.revealed() == "kéy")
        #expect(secret.count == 4)
        #expect(secret.withBytes { bytes in bytes.indices.map { bytes[$0] } } == [0x6b, 0xc3, 0xa9, 0x79])
        #expect(Secret("").revealed() == "")
    }

    @Test("equals another with the same bytes only")
    func equality() {
        #expect(Secret("abc") == Secret([0x61, 0x62, 0x63]))
        #expect(Secret("abc") != Secret("abd"))
        #expect(Secret("abc") != Secret("ab"))
        #expect(Secret("") == Secret(""))
    }
}

@Suite("Random values")
struct SecureRandomTests {
    @Test("have the length asked for and do not repeat")
    func lengths() {
        for count in 0...40 { #expect(SecureRandom.bytes(count: count).count == count) }
        #expect(SecureRandom.bytes(count: -1).isEmpty)
        #expect(Set((0..<1000).map { _ in SecureRandom.uint64() }).count == 1000)
        #expect(Set((0..<1000).map { _ in SecureRandom.bytes(count: 16) }).count == 1000)
    }

    @Test("set every bit of every byte at some time")
    func bits() {
        var seen = [UInt8](repeating: 0, count: 13)
        for _ in 0..<200 {
            let bytes = SecureRandom.bytes(count: 13)
            for index in seen.indices { seen[index] |= bytes[index] }
        }
        #expect(seen.allSatisfy { $0 == 0xff })
    }
}
