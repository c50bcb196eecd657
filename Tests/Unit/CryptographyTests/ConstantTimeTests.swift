import Cryptography
import Testing

@Suite("Comparison in constant time")
struct ConstantTimeTests {
    @Test("is equal for the same bytes and for nothing else")
    func equality() {
        let bytes: [UInt8] = Array(0..<50)
        #expect(ConstantTime.equal(bytes, Array(bytes)))
        #expect(ConstantTime.equal([UInt8](), [UInt8]()))
        for index in bytes.indices {
            for bit in 0..<8 {
                var other = bytes
                other[index] ^= UInt8(1) << UInt8(bit)
                #expect(!ConstantTime.equal(bytes, other))
            }
            #expect(!ConstantTime.equal(bytes, Array(bytes.prefix(index))))
            #expect(!ConstantTime.equal(Array(bytes.prefix(index)), bytes))
        }
    }
}
