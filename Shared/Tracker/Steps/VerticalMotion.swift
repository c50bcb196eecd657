/// Turns the acceleration along three unknown axes into motion along gravity.
///
/// Gravity is a slow mean of the acceleration. Where there is none, the input has been freed of it, and `FreeAxis` takes
/// over. Source of the projection: D. Mizell, "Using gravity to estimate accelerometer orientation", ISWC 2003.
struct VerticalMotion: Sendable {
    /// How fast the direction of gravity is followed, in seconds.
    private static let gravitySeconds = 1.0
    /// Over how long the input must show no gravity to count as free of it, in seconds.
    private static let freeSeconds = 4.0
    /// Below this length, in g, of the mean over that time the input is free of gravity.
    private static let freeBelow = 0.25
    /// Above this length it has gravity again.
    private static let freeAbove = 0.4
    /// How many points pass before the mean is trusted: one second.
    private static let settled = 50.0

    /// One point of the grid.
    struct Point {
        /// Motion along gravity within the band of steps, in g.
        var signal = 0.0
        /// Motion along gravity above that band, in g.
        var impact = 0.0
        /// The change of the acceleration's length within the band of steps, in g.
        var length = 0.0
        /// The unit vector along gravity.
        var up = Vector(x: 0, y: 0, z: 1)
    }

    /// Whether the input has been freed of gravity.
    private(set) var isFree = false
    private var gravity = Vector()
    private var slow = Vector()
    private var seen = 0.0
    private var freeAxis = FreeAxis()
    private var signalBand = StepBand()
    private var lengthBand = StepBand()
    private var impactBand = Biquad.onlyImpacts

    /// Learns the time of one step, in points of the grid.
    mutating func learn(lag: Double) { freeAxis.learn(delay: lag) }

    mutating func next(_ sample: Vector) -> Point {
        // At first a plain mean, so that the direction is there at once.
        seen += 1
        gravity.approach(sample, by: max(SampleGrid.step / Self.gravitySeconds, 1 / seen))
        slow.approach(sample, by: max(SampleGrid.step / Self.freeSeconds, 1 / seen))
        if seen > Self.settled {
            if slow.squaredLength < Self.freeBelow * Self.freeBelow {
                isFree = true
            } else if slow.squaredLength > Self.freeAbove * Self.freeAbove {
                isFree = false
            }
        }
        let along = freeAxis.project(sample - gravity)
        let length = gravity.length
        var point = Point()
        var vertical = along
        if !isFree, length > 1e-9 {
            point.up = gravity.scaled(by: 1 / length)
            vertical = sample.dot(point.up) - length
        }
        point.signal = signalBand.filter(vertical)
        point.impact = impactBand.filter(vertical)
        point.length = lengthBand.filter(sample.length)
        return point
    }
}
