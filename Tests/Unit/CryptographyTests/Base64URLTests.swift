import Cryptography
import Testing

@Suite("Base 64 for URLs")
struct Base64URLTests {
    @Test(
        "gives the texts of RFC 4648 without their padding, and takes them back",
        arguments: [
            ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
            ("foobar", "Zm9vYmFy"),
        ])
    func publishedTexts(plain: String, text: String) {
        #expect(Base64URL.encode(Array(plain.utf8)) == Array(text.utf8))
        #expect(Base64URL.decode(Array(text.utf8)) == Array(plain.utf8))
    }

    @Test("uses - and _ for the last two values")
    func alphabet() {
        #expect(Base64URL.encode([0xfb, 0xff, 0xbf]) == Array("-_-_".utf8))
        #expect(Base64URL.decode(Array("-_-_".utf8)) == [0xfb, 0xff, 0xbf])
    }

    @Test(
        "refuses padding, white space, the other alphabet, impossible lengths and loose bits",
        arguments: [
            "Zg==", "Zg=", "Zm8=", "Zm9vYg==", "=", "Z", "Zm9vY", "Zm9v\n", " Zm9v", "Zm 9v", "Zm9v\r\n", "+/+/",
            "Zm9v.",
            "Zh", "Zm9", "Zn", "Zm9vYh", "Zm9vYmF", "Zg\0\0", "Zé8",
        ])
    func refused(text: String) {
        #expect(Base64URL.decode(Array(text.utf8)) == nil)
    }

    @Test("each byte string has one text: as many texts decode as there are byte strings")
    func uniqueness() {
        var ones = 0
        var twos = 0
        for first in UInt8.min...UInt8.max {
            for second in UInt8.min...UInt8.max {
                if let bytes = Base64URL.decode([first, second]) {
                    ones += 1
                    #expect(bytes.count == 1 && Base64URL.encode(bytes) == [first, second])
                }
            }
        }
        let characters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=+/ \n".utf8)
        for first in characters {
            for second in characters {
                for third in characters where Base64URL.decode([first, second, third]) != nil { twos += 1 }
            }
        }
        #expect(ones == 256)
        #expect(twos == 65_536)
    }

    @Test("every length and every byte value comes back")
    func roundTrip() {
        var bytes: [UInt8] = []
        for length in 0...300 {
            #expect(Base64URL.decode(Base64URL.encode(bytes)) == bytes)
            bytes.append(UInt8(truncatingIfNeeded: length &* 151 &+ 7))
        }
    }
}
