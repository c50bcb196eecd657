internal import Cryptography

/// Tokens that were verified lately, so that the next request with one costs a look instead of a signature and a parse.
///
/// Only verified tokens come in, so strangers cannot push others out. An entry counts from its token's first moment to its
/// expiry and only in the key generation that verified it. Bounded: the oldest entry makes room. A look costs
/// about 0.2 µs and an entry 500 bytes, 1.3 KiB at most. Confined to one loop; each loop has its own.
struct VerifiedTokens {
    /// How a token is known again.
    enum Form {
        /// All of its bytes.
        case whole([UInt8])
        /// The digest of a long one, so that the bound on entries is one on bytes too.
        case digest(Digest256)

        /// Nil when OpenSSL has no memory.
        init?(_ token: Span<UInt8>) {
            guard token.count <= longestWhole else {
                guard let digest = try? SHA256.digest(of: token) else { return nil }
                self = .digest(digest)
                return
            }
            var bytes: [UInt8] = []
            bytes.reserveCapacity(token.count)
            for index in token.indices { bytes.append(token[index]) }
            self = .whole(bytes)
        }

        func isForm(of token: Span<UInt8>) -> Bool {
            switch self {
            case .whole(let bytes): ConstantTime.equal(bytes.span, token)
            case .digest(let digest): (try? SHA256.digest(of: token)) == digest
            }
        }
    }

    /// A verified token and while it counts.
    ///
    /// A class, so that a look copies a reference and not each of the texts in it.
    final class Entry {
        let form: Form
        let principal: Principal
        let generation: UInt64
        let notBeforeMilliseconds: Int64
        let expiresMilliseconds: Int64

        init(
            form: Form, principal: Principal, generation: UInt64, notBeforeMilliseconds: Int64,
            expiresMilliseconds: Int64
        ) {
            self.form = form
            self.principal = principal
            self.generation = generation
            self.notBeforeMilliseconds = notBeforeMilliseconds
            self.expiresMilliseconds = expiresMilliseconds
        }
    }

    /// The longest token that is kept as it is; a look at a longer one costs its digest, about 1 µs a KiB.
    static let longestWhole = 1024

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
            nowMilliseconds >= entry.notBeforeMilliseconds, entry.form.isForm(of: token)
        else { return nil }
        return entry.principal
    }

    mutating func insert(_ token: Span<UInt8>, _ entry: Entry) {
        guard capacity > 0 else { return }
        let key = Self.key(of: token)
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
