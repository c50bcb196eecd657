/// The slots of a Redis Cluster: every key lies in one of them, every slot on one master.
///
/// Source: Redis Cluster specification, "Key distribution model" and "Hash tags"; CRC16 is the XMODEM variant.
enum RedisSlot {
    /// How many there are.
    static let count = 16_384

    /// The slot of a key: of the part between the first brace and the next closing one, if there is anything.
    static func of(_ key: ArraySlice<UInt8>) -> UInt16 {
        var hashed = key
        if let open = key.firstIndex(of: UInt8(ascii: "{")) {
            let rest = key[(open + 1)...]
            if let close = rest.firstIndex(of: UInt8(ascii: "}")), close > rest.startIndex {
                hashed = rest[..<close]
            }
        }
        return crc16(hashed) % UInt16(count)
    }

    static func crc16(_ bytes: ArraySlice<UInt8>) -> UInt16 {
        var crc: UInt16 = 0
        for byte in bytes { crc = crc << 8 ^ table[Int(UInt8(crc >> 8) ^ byte)] }
        return crc
    }

    private static let table: [UInt16] = (0..<256).map { index in
        (0..<8).reduce(UInt16(index) << 8) { crc, _ in crc & 0x8000 != 0 ? crc << 1 ^ 0x1021 : crc << 1 }
    }
}
