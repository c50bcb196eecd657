/// How often values fell into each of a fixed row of buckets, and their sum: one series, its labels already chosen.
///
/// An observation is a short search and two updates. Time is given in seconds, sizes in bytes or items, as the name says.
package struct Histogram: Sendable {
    /// The upper bounds of the buckets, rising, each included in its bucket; the bucket above the last one is implied.
    package let bounds: [Double]
    /// The sum's slot; the buckets follow it.
    let slot: Int
    let common: MetricShard

    /// Bounds for the time of a request or a store's answer: 0.5 ms to 10 s.
    package static let secondsBounds: [Double] = [
        0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
    ]

    /// Bounds for the number of things handled together: 1 to 1 000.
    package static let countBounds: [Double] = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]

    /// Records a value from the shard's own thread.
    ///
    /// A value that is no number or infinite is left out.
    package func observe(_ value: Double, in shard: MetricShard) {
        guard value.isFinite else { return }
        shard.add(value, to: slot)
        shard.add(1 as UInt64, to: bucketSlot(of: value))
    }

    /// Records a time in seconds from the shard's own thread.
    package func observe(_ duration: Duration, in shard: MetricShard) { observe(duration.inSeconds, in: shard) }

    /// Records a value from any thread, with atomic additions.
    package func observe(_ value: Double) {
        guard value.isFinite else { return }
        common.addAtomically(value, to: slot)
        common.addAtomically(1 as UInt64, to: bucketSlot(of: value))
    }

    /// Records a time in seconds from any thread.
    package func observe(_ duration: Duration) { observe(duration.inSeconds) }

    private func bucketSlot(of value: Double) -> Int {
        var index = 0
        while index < bounds.count, value > bounds[index] { index += 1 }
        return slot + 1 + index
    }
}

extension Duration {
    /// The duration in seconds, as metrics and logs show it; exact to the nanosecond up to some months.
    package var inSeconds: Double {
        // By way of 64 bits: `Double` of 128 bits takes a thousand instructions.
        Double(Int64(clamping: attoseconds / 1_000_000_000)) / 1e9
    }
}
