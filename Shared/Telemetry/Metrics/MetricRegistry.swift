internal import Synchronization

/// All metrics of one process.
///
/// Metrics are registered at start, which resolves their labels to a slot; from then on nothing is looked up. The number of
/// slots is fixed, so a label with an open set of values is an error at registration, not a memory leak. Registering the same
/// series again gives the same series, so each loop may build its own set of handles.
///
/// Registration and scrapes take a lock and may come from any thread; updates never do.
package final class MetricRegistry: Sendable {
    struct Series: Sendable {
        let labels: [(String, String)]
        let slot: Int
        let sample: (@Sendable () -> Double)?
    }

    struct Family: Sendable {
        let name: String
        let help: String
        let kind: MetricKind
        let labelNames: [String]
        let bounds: [Double]
        let merge: Gauge.Merge
        let isSampled: Bool
        var series: [Series] = []

        func accepts(_ other: Family) -> Bool {
            help == other.help && kind == other.kind && labelNames == other.labelNames && bounds == other.bounds
                && merge == other.merge && isSampled == other.isSampled
        }
    }

    struct State: Sendable {
        var families: [Family] = []
        var positions: [String: Int] = [:]
        var shards: [MetricShard]
        var usedSlots = 0
    }

    /// The shard of every thread that has none; written with atomic additions.
    let common: MetricShard
    private let capacity: Int
    private let state: Mutex<State>

    /// An empty registry.
    ///
    /// - Parameter capacity: how many numbers each shard holds, eight bytes each; a histogram takes its buckets and two.
    package init(capacity: Int = 8192) {
        self.capacity = capacity
        common = MetricShard(capacity: capacity)
        state = Mutex(State(shards: [common]))
    }

    /// A shard for one more writer: each event loop asks for its own once.
    ///
    /// The registry keeps it, so what it counted stays in the totals after its loop ended.
    package func makeShard() -> MetricShard {
        let shard = MetricShard(capacity: capacity)
        state.withLock { $0.shards.append(shard) }
        return shard
    }

    /// What a scrape reads: the families in the order of their registration, and the shards.
    func snapshot() -> State { state.withLock { $0 } }

    /// Finds or makes the series; returns its first slot.
    func register(
        _ family: Family, labels: [(String, String)], slots: Int, sample: (@Sendable () -> Double)? = nil
    ) throws(MetricError) -> Int {
        try MetricName.check(family.name, help: family.help, kind: family.kind)
        try MetricName.check(labels, metric: family.name, kind: family.kind)
        return try state.withLock { (state) throws(MetricError) -> Int in
            if let position = state.positions[family.name], !state.families[position].accepts(family) {
                throw .conflict(metric: family.name)
            }
            let known = state.positions[family.name].flatMap { position in
                state.families[position].series.first { $0.labels.elementsEqual(labels, by: ==) }
            }
            if let known {
                if sample != nil { throw .conflict(metric: family.name) }
                return known.slot
            }
            guard slots <= capacity - state.usedSlots else { throw .full(metric: family.name) }
            let position = state.positions[family.name] ?? state.families.count
            if position == state.families.count { state.families.append(family) }
            state.positions[family.name] = position
            state.families[position].series.append(Series(labels: labels, slot: state.usedSlots, sample: sample))
            state.usedSlots += slots
            return state.usedSlots - slots
        }
    }
}
