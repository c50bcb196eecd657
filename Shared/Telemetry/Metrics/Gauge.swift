/// A number that goes up and down: one series of a gauge, its labels already chosen.
package struct Gauge: Sendable {
    /// How the values of several shards become the one that is shown.
    package enum Merge: Sendable {
        /// Each loop holds a part (connections, queued bytes).
        case sum
        /// Each loop has its own reading and the worst counts (age of the oldest entry). Never below zero.
        case maximum
    }

    let slot: Int
    let common: MetricShard

    /// Sets this shard's value, from the shard's own thread.
    package func set(_ value: Double, in shard: MetricShard) { shard.store(value.bitPattern, in: slot) }

    /// Adds to this shard's value, from the shard's own thread.
    package func add(_ amount: Double, in shard: MetricShard) { shard.add(amount, to: slot) }

    /// Sets the value that belongs to no shard, from any thread; the last one wins.
    package func set(_ value: Double) { common.store(value.bitPattern, in: slot) }

    /// Adds to the value that belongs to no shard, from any thread, atomically.
    package func add(_ amount: Double) { common.addAtomically(amount, to: slot) }
}
