/// One reading of an accelerometer.
public struct Motion: Equatable, Sendable {
    /// Seconds on any clock; only differences count.
    public var time: Double
    /// Acceleration along the device's first axis in g (9.81 m/s²), gravity included.
    public var x: Double
    /// Acceleration along the device's second axis in g.
    public var y: Double
    /// Acceleration along the device's third axis in g.
    public var z: Double

    /// Joins the parts; nothing is checked, the detector ignores what no sensor can have said.
    public init(time: Double, x: Double, y: Double, z: Double) {
        self.time = time
        self.x = x
        self.y = y
        self.z = z
    }

    /// Whether a sensor can have said this: finite, below 100 g, within 30,000 years of the clock's zero.
    var isPlausible: Bool {
        // Not a number fails every comparison.
        time > -1e12 && time < 1e12 && x * x + y * y + z * z < 10_000
    }
}

/// Three numbers along three axes, with just the arithmetic that the detector needs.
struct Vector: Equatable, Sendable {
    var x = 0.0
    var y = 0.0
    var z = 0.0

    var squaredLength: Double { x * x + y * y + z * z }
    var length: Double { squaredLength.squareRoot() }

    func dot(_ other: Vector) -> Double { x * other.x + y * other.y + z * other.z }
    func scaled(by factor: Double) -> Vector { Vector(x: x * factor, y: y * factor, z: z * factor) }

    static func + (left: Vector, right: Vector) -> Vector {
        Vector(x: left.x + right.x, y: left.y + right.y, z: left.z + right.z)
    }
    static func - (left: Vector, right: Vector) -> Vector {
        Vector(x: left.x - right.x, y: left.y - right.y, z: left.z - right.z)
    }

    /// Moves towards another by a share of the way: a low-pass filter of first order.
    mutating func approach(_ other: Vector, by share: Double) { self = self + (other - self).scaled(by: share) }
}
