import Cryptography
import Testing

@Suite("HMAC-SHA-256")
struct HMACSHA256Tests {
    struct Vector: Sendable, CustomTestStringConvertible {
        let number: Int
        let key: [UInt8]
        let message: [UInt8]
        let code: String
        var testDescription: String { "RFC 4231 case \(number)" }
    }

    static let vectors: [Vector] = [
        Vector(
            number: 1, key: Array(repeating: 0x0b, count: 20), message: Array("Hi There".utf8),
            code: "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
        Vector(
            number: 2, key: Array("Jefe".utf8), message: Array("what do ya want for nothing?".utf8),
            code: "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
        Vector(
            number: 3, key: Array(repeating: 0xaa, count: 20), message: Array(repeating: 0xdd, count: 50),
            code: "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"),
        Vector(
            number: 4, key: Array(1...25), message: Array(repeating: 0xcd, count: 50),
            code: "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"),
        Vector(
            number: 6, key: Array(repeating: 0xaa, count: 131),
            message: Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            code: "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"),
        Vector(
            number: 7, key: Array(repeating: 0xaa, count: 131),
            message: Array(
                ("This is a test using a larger than block-size key and a larger than block-size data. The key "
                    + "needs to be hashed before being used by the HMAC algorithm.").utf8),
            code: "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"),
    ]

    @Test("gives the published codes", arguments: vectors)
    func publishedCodes(vector: Vector) throws {
        let hmac = try HMACSHA256(key: vector.key)
        #expect(hexadecimal(try hmac.code(for: vector.message)) == vector.code)
    }

    @Test("one object gives each message its own code, in any order and as often as asked")
    func reuse() throws {
        let key = Array(repeating: UInt8(0x0b), count: 20)
        let hmac = try HMACSHA256(key: key)
        let messages = (0..<100).map { length in (0..<length).map { UInt8($0) } }
        let alone = try messages.map { try HMACSHA256(key: key).code(for: $0) }
        for index in messages.indices.reversed() {
            #expect(try hmac.code(for: messages[index]) == alone[index])
            #expect(try hmac.code(for: messages[index]) == alone[index])
        }
    }

    @Test("two objects with different keys do not disturb one another")
    func twoKeys() throws {
        let first = Self.vectors[0]
        let second = Self.vectors[2]
        let firstKey = try HMACSHA256(key: first.key)
        let secondKey = try HMACSHA256(key: second.key)
        for _ in 0..<3 {
            #expect(hexadecimal(try firstKey.code(for: first.message)) == first.code)
            #expect(hexadecimal(try secondKey.code(for: second.message)) == second.code)
        }
    }

    @Test("takes an empty key and an empty message")
    func empty() throws {
        let hmac = try HMACSHA256(key: [UInt8]())
        #expect(
            hexadecimal(try hmac.code(for: [UInt8]()))
                == "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad")
    }
}
