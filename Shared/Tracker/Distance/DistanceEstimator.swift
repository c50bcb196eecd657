/// Measures the way from fixes, and from steps where there are none.
///
/// Fixes may be late, doubled, swapped, far off, missing for minutes or scattered about somebody who stands; they may cross the
/// antimeridian. Each is checked, filtered and made a leg once it is far enough from the last. Without fixes for 20 s, steps
/// times the length of a stride count; the length is learned while both are there.
///
/// Distance never shrinks. Only + - × ÷ and the square root are used; memory does not grow.
public struct DistanceEstimator: Sendable {
    let rules: DistanceRules
    var plane: LocalPlane?
    var last: (point: GroundPoint, time: Double)?
    var filter: (east: AxisFilter, north: AxisFilter)?
    var surprise: Double
    var standing: StandingTest
    var isStanding = true
    var anchor = GroundPoint()
    var outliers: [(point: GroundPoint, time: Double)] = []
    var steps: StrideLength
    var counted = 0.0

    /// An estimator that has seen nothing.
    ///
    /// - Parameter stride: metres a step until better is known; 0.74 suits most adults, about 0.42 of their height.
    public init(stride: Double = 0.74) { self.init(stride: stride, rules: DistanceRules()) }

    /// An estimator with other limits, to measure what they are worth.
    package init(stride: Double = 0.74, rules: DistanceRules) {
        self.rules = rules
        surprise = rules.usualNoise * rules.usualNoise
        standing = StandingTest(seconds: rules.blockSeconds, count: Int(rules.blocks))
        steps = StrideLength(metres: stride)
        outliers.reserveCapacity(4)
    }

    /// The way so far in metres.
    public var metres: Double { counted + steps.pendingMetres }

    /// The length of a step in metres as it is known now; to be kept for the next estimator.
    public var stride: Double { steps.metres }

    /// Takes a step that became certain.
    ///
    /// - Parameter time: when it was made.
    public mutating func push(stepAt time: Double) {
        guard time > -1e12, time < 1e12 else { return }
        steps.push(at: time, lastFix: last?.time, silence: rules.longestSilence)
    }

    /// The user pauses: what lies between the last fix and the next does not count.
    public mutating func pause() {
        closeLeg()
        counted += steps.take()
        plane = nil
        last = nil
        filter = nil
        isStanding = true
        standing.removeAll()
        outliers.removeAll(keepingCapacity: true)
    }

    /// Nothing more will come: the last leg counts though it is short.
    public mutating func finish() { pause() }
}
