package import Models

/// Which shard of a distributed store a user's rows lie in, so that a transaction can keep to one.
///
/// The same arithmetic as the store's own hash distribution: the 32-bit space of PostgreSQL's `uuid_hash` is cut into equal
/// ranges, `bucket = (uuid_hash(user_id) + 2³¹) / (2³² / count)`. On one machine there is one bucket.
package struct ShardBuckets: Sendable {
    /// How many shards there are.
    package let count: Int

    /// Describes a store; at least one shard.
    package init(count: Int) { self.count = max(1, count) }

    /// PostgreSQL's `uuid_hash`: Bob Jenkins' lookup3 over the sixteen bytes (`hash_bytes` in its `hashfn.c`).
    package func hash(of user: UserID) -> UInt32 {
        let start: UInt32 = 0x9E37_79B9 &+ 16 &+ 3_923_095
        var a = start &+ Self.word(user.value.high >> 32)
        var b = start &+ Self.word(user.value.high)
        var c = start &+ Self.word(user.value.low >> 32)
        a &-= c; a ^= c.rotated(4); c &+= b
        b &-= a; b ^= a.rotated(6); a &+= c
        c &-= b; c ^= b.rotated(8); b &+= a
        a &-= c; a ^= c.rotated(16); c &+= b
        b &-= a; b ^= a.rotated(19); a &+= c
        c &-= b; c ^= b.rotated(4); b &+= a
        a &+= Self.word(user.value.low)
        c ^= b; c &-= b.rotated(14)
        a ^= c; a &-= c.rotated(11)
        b ^= a; b &-= a.rotated(25)
        c ^= b; c &-= b.rotated(16)
        a ^= c; a &-= c.rotated(4)
        b ^= a; b &-= a.rotated(14)
        c ^= b; c &-= b.rotated(24)
        return c
    }

    /// Four bytes as a little-endian machine reads them.
    private static func word(_ bits: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: bits).byteSwapped }

    /// The bucket of a hash.
    package func bucket(of hash: UInt32) -> Int {
        let shifted = Int(Int32(bitPattern: hash)) + (1 << 31)
        return min(count - 1, shifted / ((1 << 32) / count))
    }
}

extension UInt32 {
    fileprivate func rotated(_ bits: UInt32) -> UInt32 { self << bits | self >> (32 - bits) }
}
