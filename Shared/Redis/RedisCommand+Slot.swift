extension RedisCommand {
    /// Where in a cluster a command may run.
    enum Home: Equatable {
        /// On the master of this slot.
        case slot(UInt16)
        /// It names no key.
        case anywhere
        /// Its keys lie in different slots: no server can run it.
        case split
    }

    /// Reads the keys and tells where the command may run.
    ///
    /// Every command in use has its keys in one of four places; one that is not listed has its key first.
    /// Cost: a walk over the arguments up to the last key; only a cluster needs it.
    var home: Home {
        var reader = RedisArgumentReader(arguments)
        if script != nil { return Self.home(counted: &reader) }
        guard let name = reader.next() else { return .anywhere }
        switch String(decoding: name, as: UTF8.self).uppercased() {
        case "PING", "ECHO", "INFO", "TIME", "ROLE", "CLUSTER", "CONFIG", "CLIENT", "SCRIPT", "COMMAND", "DEBUG",
            "FLUSHALL", "FLUSHDB", "DBSIZE", "SCAN", "KEYS", "RANDOMKEY", "SAVE", "BGSAVE", "LASTSAVE", "WAIT",
            "AUTH", "HELLO", "SELECT", "ACL", "LATENCY", "SLOWLOG", "SHUTDOWN", "REPLICAOF", "ASKING", "PUBLISH":
            return .anywhere
        case "DEL", "UNLINK", "EXISTS", "TOUCH", "MGET":
            return Self.home(of: &reader, keys: .max)
        case "EVAL", "EVALSHA":
            _ = reader.next()
            return Self.home(counted: &reader)
        default:
            return Self.home(of: &reader, keys: 1)
        }
    }

    /// The number of keys, then the keys.
    private static func home(counted reader: inout RedisArgumentReader) -> Home {
        let count = reader.next().flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0
        return home(of: &reader, keys: count)
    }

    private static func home(of reader: inout RedisArgumentReader, keys: Int) -> Home {
        var found: UInt16?
        var left = keys
        while left > 0, let key = reader.next() {
            left -= 1
            let slot = RedisSlot.of(key)
            if let found, found != slot { return .split }
            found = slot
        }
        return found.map { .slot($0) } ?? .anywhere
    }
}

/// Reads framed arguments one by one, without copying them.
private struct RedisArgumentReader {
    private let bytes: [UInt8]
    private var offset = 0

    init(_ arguments: RedisArguments) { bytes = arguments.bytes }

    mutating func next() -> ArraySlice<UInt8>? {
        guard offset < bytes.count else { return nil }
        var length = 0
        offset += 1
        while bytes[offset] != 0x0D {
            length = length * 10 + Int(bytes[offset] - 0x30)
            offset += 1
        }
        let start = offset + 2
        offset = start + length + 2
        return bytes[start..<start + length]
    }
}
