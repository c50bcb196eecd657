/// The last seconds of the motion, as the rules look at them.
struct MotionWindow: Sendable {
    private(set) var signal: SlidingBuffer
    private var impact: SlidingBuffer
    private var length: SlidingBuffer
    private var up: (x: SlidingBuffer, y: SlidingBuffer, z: SlidingBuffer)
    private var raw: (x: SlidingBuffer, y: SlidingBuffer, z: SlidingBuffer)

    init(rules: StepRules) {
        let buffer = SlidingBuffer(length: Int(rules.window))
        signal = buffer
        impact = buffer
        length = buffer
        up = (buffer, buffer, buffer)
        raw = (buffer, buffer, buffer)
    }

    /// Whether there are enough points to be judged.
    var isFull: Bool { signal.isFull }

    mutating func append(_ point: VerticalMotion.Point, _ sample: Vector) {
        signal.append(point.signal)
        impact.append(point.impact)
        length.append(point.length)
        up.x.append(point.up.x)
        up.y.append(point.up.y)
        up.z.append(point.up.z)
        raw.x.append(sample.x)
        raw.y.append(sample.y)
        raw.z.append(sample.z)
    }

    mutating func removeAll() {
        signal.removeAll()
        impact.removeAll()
        length.removeAll()
        up.x.removeAll()
        up.y.removeAll()
        up.z.removeAll()
        raw.x.removeAll()
        raw.y.removeAll()
        raw.z.removeAll()
    }

    /// The root mean square of the motion along gravity in g.
    var amplitude: Double { signal.spread(about: 0).squareRoot() }

    /// Which part of all acceleration goes along gravity: the body is lifted, an arm goes to and fro.
    func share(amplitude: Double) -> Double {
        let total =
            raw.x.spread(about: raw.x.mean) + raw.y.spread(about: raw.y.mean) + raw.z.spread(about: raw.z.mean)
        return total > 1e-18 ? amplitude / total.squareRoot() : 0
    }

    /// How sharp the motion is: what is faster than steps, as a part of it.
    ///
    /// Heels strike; lifted weights do not.
    func sharpness(amplitude: Double) -> Double { impact.spread(about: 0).squareRoot() / amplitude }

    /// How well the length of the acceleration follows the motion along gravity, at most 1.
    ///
    /// When the body is lifted, both change alike. When the device only turns, the length stays, and what seems to move
    /// along gravity is gravity itself, followed too slowly.
    var coherence: Double {
        var product = 0.0
        for place in 0..<signal.length { product += signal[place] * length[place] }
        let energy = signal.spread(about: 0) * length.spread(about: 0)
        return energy > 1e-18 ? product / Double(signal.length) / energy.squareRoot() : 0
    }

    /// The farthest that gravity's direction gets from its mean, in degrees of the chord.
    var swing: Double {
        let mean = Vector(x: up.x.mean, y: up.y.mean, z: up.z.mean)
        let size = mean.length
        guard size > 1e-9 else { return 180 }
        let centre = mean.scaled(by: 1 / size)
        var farthest = 0.0
        for place in 0..<signal.length {
            let distance = Vector(x: up.x[place], y: up.y[place], z: up.z[place]) - centre
            farthest = max(farthest, distance.squaredLength)
        }
        return farthest.squareRoot() * 57.29577951308232
    }
}
