/// A number that only grows: one series of a counter, its labels already chosen.
///
/// Resolve it once at start and keep it; an update then costs a few instructions.
package struct Counter: Sendable {
    let slot: Int
    let common: MetricShard

    /// Adds from the shard's own thread; the hot path.
    package func increment(by amount: UInt64 = 1, in shard: MetricShard) { shard.add(amount, to: slot) }

    /// Adds from any thread, with an atomic addition; for events that are rare or belong to no loop.
    package func increment(by amount: UInt64 = 1) { common.addAtomically(amount, to: slot) }
}
