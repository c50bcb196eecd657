import Cryptography
import Testing

@Suite("SHA-256")
struct SHA256Tests {
    @Test(
        "gives the digests published for FIPS 180-4",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
        ])
    func publishedDigests(message: String, expected: String) throws {
        #expect(hexadecimal(try SHA256.digest(of: Array(message.utf8))) == expected)
    }

    @Test("gives the published digest of a million letters a")
    func millionLetters() throws {
        let message = [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000)
        #expect(
            hexadecimal(try SHA256.digest(of: message))
                == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    }

    @Test("a digest equals another only when all 32 bytes do")
    func equality() throws {
        let digest = try SHA256.digest(of: Array("abc".utf8))
        let bytes = digest.bytes.indices.map { digest.bytes[$0] }
        #expect(digest == (try SHA256.digest(of: Array("abc".utf8))))
        #expect(digest != (try SHA256.digest(of: Array("abd".utf8))))
        #expect(digest.equals(bytes))
        for index in bytes.indices {
            var other = bytes
            other[index] ^= 1
            #expect(!digest.equals(other), "byte \(index)")
        }
        for length in 0..<32 { #expect(!digest.equals(Array(bytes.prefix(length)))) }
        #expect(!digest.equals((bytes + [0])))
    }
}
