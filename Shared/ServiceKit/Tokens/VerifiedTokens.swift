internal import Cryptography

/// Tokens that were verified lately, so that the next request with one costs a look instead of a signature and a parse.
///
/// Only verified tokens come in, so strangers cannot push others out. An entry counts from its token's first moment to its
/// expiry and only in the key generation that verified it. Bounded: the oldest entry makes room. About 0.2 µs a look
/// and 500 bytes an entry. Confined to one loop; each loop has its own.
struct VerifiedTokens {
    /// A verified token and while it counts.
    struct Entry {
        let token: [UInt8]
        let principal: Principal
        let generation: UInt64
        let notBeforeMilliseconds: Int64
        let expiresMilliseconds: Int64
    }

    /// A longer token is verified each time, so that the bound on entries is one on bytes too.
    static let longestToken = 1024

    private let capacity: Int
    private var positions: [UInt64: Int] = [:]
    private var ring: [(key: UInt64, entry: Entry)] = []
    private var oldest = 0

    init(capacity: Int) { self.capacity = max(capacity, 0) }

    var count: Int { positions.count }

    func find(_ token: Span<UInt8>, generation: UInt64, nowMilliseconds: Int64) -> Principal? {
        guard let position = positions[Self.key(of: token)] else { return nil }
        let entry = ring[position].entry
        guard entry.generation == generation, nowMilliseconds < entry.expiresMilliseconds,
            nowMilliseconds >= entry.notBeforeMilliseconds, ConstantTime.equal(entry.token.span, token)
        else { return nil }
        return entry.principal
    }

    mutating func insert(_ entry: Entry) {
        guard capacity > 0, entry.token.count <= Self.longestToken else { return }
        let key = Self.key(of: entry.token.span)
        if let position = positions[key] {
            ring[position].entry = entry
        } else if ring.count < capacity {
            positions[key] = ring.count
            ring.append((key: key, entry: entry))
        } else {
            positions[ring[oldest].key] = nil
            positions[key] = oldest
            ring[oldest] = (key: key, entry: entry)
            oldest = (oldest + 1) % capacity
        }
    }

    /// Bytes from within the signature, which no holder of a token can choose; the whole token is compared behind it.
    private static func key(of token: Span<UInt8>) -> UInt64 {
        var key: UInt64 = 0
        for index in max(0, token.count - 17)..<max(0, token.count - 1) {
            key = (key ^ UInt64(token[index])) &* 0x0000_0100_0000_01b3
        }
        return key
    }
}
